/** A browser for one user, reduced to URLs, forms and cookies. `fetch` makes its requests. */
export function userAgent(fetch = globalThis.fetch) {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };

  /** Makes one request; does not follow redirects. */
  async function visit(url: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...headers },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Follows redirects to the final page, or to the first location for which `stop` returns true. */
  async function follow(url: string, stop = (_location: string) => false, form?: Record<string, string>) {
    let response = await visit(url, form);
    for (let location = response.headers.get('location'); location; location = response.headers.get('location')) {
      url = new URL(location, url).href;
      if (stop(url)) return { url, response };
      response = await visit(url);
    }
    return { url, response };
  }

  return { visit, follow, cookiesFor: (url: string) => jarOf(url) };
}

type UserAgent = ReturnType<typeof userAgent>;

/**
 * Signs in at the provider as `login`, starting from a URL of the console. Returns the call-back URL without visiting
 * it.
 */
export async function logInAt(agent: UserAgent, url: string, login: string): Promise<string> {
  const isCallback = (address: string) => address.includes('/signin/callback?');
  let at = await agent.follow(url, isCallback);
  while (!isCallback(at.url)) {
    const page = await at.response.text();
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (prompt === undefined) throw new Error(`${at.url} asks for nothing: ${page}`);
    at = await agent.follow(at.url, isCallback, { prompt, login, password: 'any' });
  }
  return at.url;
}
