import type { Answer } from '#contract/shapes.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { refusingHeader } from '#server/http/frameAncestors.ts';
import { createFetch, type Fetch } from '#server/http/outgoingProxy.ts';
import type { Handlers, Input } from './handlers.ts';

type Framing = Answer<'getFraming'>;

/** Without configured proxies. */
const direct = createFetch();
const permitted: Framing = { data: { refusal: '', certain: false } };
const refused = (refusal: string, certain: boolean): Framing => ({ data: { refusal, certain } });

const mostRedirects = 5;
const timeout = 5000;
/** Statuses of servers that answer no HEAD. */
const noHead = [405, 501];

const codeOf = (error: unknown): string => {
  const { cause, name } = error as { cause?: { code?: string }; name: string }; // fetch rejects with errors
  return cause?.code ?? name;
};

/**
 * Asks for the headers of a page, with HEAD, which uses up no link. Asks only at `origins`, to which the console's policy
 * restricts its frames, also after redirects.
 */
async function framingOf(link: URL, origins: readonly string[], around: URL, fetch: Fetch): Promise<Framing> {
  let url = link;
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    if (!origins.includes(url.origin))
      return refused(`It leads to ${url.origin}, which this console does not show in frames`, true);
    const init = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(timeout) } as const;
    let answer: Awaited<ReturnType<Fetch>>;
    try {
      answer = await fetch(url, init);
    } catch (error) {
      return refused(`The console’s server cannot reach it (${codeOf(error)})`, false);
    }
    const { status, headers } = answer;
    const next = headers.get('location');
    if (status < 300 || status >= 400 || next === null || !URL.canParse(next, url)) {
      const header = refusingHeader(headers, url, around);
      if (header) return refused(`It answers with ${header}`, true);
      return status >= 400 && !noHead.includes(status) ? refused(`It answers with status ${status}`, false) : permitted;
    }
    url = new URL(next, url);
  }
  return refused(`It redirects more than ${mostRedirects} times`, false);
}

/** What the handler needs of its company's context. */
interface Asking {
  config: Pick<CompanyContext['config'], 'fetch'> & {
    upstream: Pick<CompanyContext['config']['upstream'], 'providerOrigins' | 'transferUrl'>;
  };
}

/** The handler that tells whether a page can be shown in a frame. */
export const framingHandlers = {
  async getFraming({ config }: Asking, { query: { link }, origin }: Pick<Input<'getFraming'>, 'query' | 'origin'>) {
    const { providerOrigins, transferUrl } = config.upstream;
    const origins = [...providerOrigins, new URL(transferUrl).origin];
    const url = URL.canParse(link) ? new URL(link) : null;
    if (!url || !origins.includes(url.origin))
      throw new Failure('invalid-request', `link: give a page at ${origins.join(' or ')}.`);
    return framingOf(url, origins, new URL(origin()), config.fetch ?? direct);
  },
} satisfies Partial<Handlers>;
