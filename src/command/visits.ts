import { call } from '#app/client/client.ts';
import type { Problem } from '#contract/problem.ts';
import { addressOf } from '#machines/journeys.ts';
import type { Visit } from '#runner/actions.ts';

/** How long (ms) to wait for a page of the sandbox, and the interval between attempts. */
const patience = 10_000;
const turn = 100;

/** The hidden fields and preset inputs of a page's first form, by name. */
function fieldsOf(html: string): Record<string, string> {
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(html) ?? [];
  return Object.fromEntries(
    [...form.matchAll(/<input\b[^>]*>/g)].flatMap(([input]) => {
      const [, name] = /\bname="([^"]*)"/.exec(input) ?? [];
      const [, value = ''] = /\bvalue="([^"]*)"/.exec(input) ?? [];
      return name === undefined ? [] : [[name, unescaped(value)]];
    }),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');

/**
 * Resolves to a page's form once it has one; null if there is nothing left to do. Until then the page reloads itself.
 */
async function formAt(url: string): Promise<Record<string, string> | null> {
  for (let waited = 0; ; waited += turn) {
    const response = await fetch(url);
    const html = await response.text();
    if (!response.ok) throw new Error(`The page ${url} answers ${response.status}`);
    if (html.includes('<form')) return fieldsOf(html);
    if (!response.headers.has('refresh')) return null;
    if (waited >= patience) throw new Error(`The page ${url} does not come to its form`);
    await new Promise((resolve) => setTimeout(resolve, turn));
  }
}

/** Submits a page's form; resolves to the response, which may redirect. */
async function submit(url: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  if (response.status >= 400) throw new Error(`The page ${url} answers ${response.status}`);
  return response;
}

/**
 * Logs in at the sandbox's identity provider and passes the token to the console, as the page public/jwtredirect.js
 * does; then opens the journey again with the outcome.
 */
async function logIn(visit: Extract<Visit, { page: 'login' }>, reload: (address: string) => void): Promise<void> {
  const url = `${visit.url}?${new URLSearchParams(visit.fields).toString()}`;
  const form = await formAt(url);
  const back = await submit(visit.url, { ...form, ...visit.values, outcome: visit.decision });
  const answer = new URLSearchParams(new URL(back.headers.get('location') ?? '', visit.url).hash.slice(1));
  const body = { token: answer.get('access_token') ?? '', state: answer.get('state') ?? '' };
  const error = answer.get('error');
  const returned = error
    ? { outcome: error }
    : await call('storeUserToken', { body }).then(
        () => ({ outcome: 'ok' }),
        ({ code, interactionId }: Problem) => ({ outcome: code, ...(interactionId && { interaction: interactionId }) }),
      );
  reload(`${addressOf('userToken', { guided: true })}&${new URLSearchParams(returned).toString()}`);
}

/** Visits a page of the sandbox as its user and submits its form. Rejects if the page refuses it. */
export async function visitSandbox(visit: Visit, reload: (address: string) => void): Promise<void> {
  if (visit.page === 'login') return logIn(visit, reload);
  const form = await formAt(visit.url);
  if (!form) return; // already decided; the journey will read the decision
  if (visit.page === 'authorise') await submit(visit.url, { ...form, decision: visit.decision });
  else await submit(visit.url, { ...form, email: 'user@example.com', message: '', ...visit.values });
}

/**
 * Prints the address of a live service's page and waits for its user. The machine polls for the outcome, but a login
 * must be confirmed by the user.
 */
export function visitLive(visit: Visit, print: (line: string) => void): Promise<void> {
  if (visit.page === 'login')
    return Promise.reject(
      new Error('A user has to log in, in a browser: open the console, “Get User Token”, log in, and run this again'),
    );
  print(`  Open this page and ${visit.page === 'authorise' ? 'decide there' : 'fill it in'}: ${visit.url}`);
  return Promise.resolve();
}
