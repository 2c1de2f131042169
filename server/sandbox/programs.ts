import { AsyncLocalStorage } from 'node:async_hooks';
import type { Middleware } from 'koa';
import { stringify } from '#contract/json.ts';
import { passedCallHeader } from '#contract/programs.ts';
import type { Clock } from '#server/clock.ts';
import { toldIn, unknownIn } from '#server/upstream/wireFaults.ts';

/** A call of the service's API as the sandbox received and answered it. */
export interface ObservedCall {
  /** The port from which it came, on the caller's machine. */
  port: number | undefined;
  startedAt: number;
  ms: number;
  method: string;
  url: string;
  status: number;
  request: { headers: Readonly<Record<string, string | string[] | undefined>>; body: string };
  response: { headers: Readonly<Record<string, string>>; body: string };
  /** What was wrong with it, a sentence each. */
  wrong: readonly string[];
  /** The text that its signature had to sign; '' if the signature is right, or none is needed. */
  expected: string;
  /** The text that it seems to sign in place of that; '' if that is not known. */
  signed: string;
}

/** What the handlers of a call find out about it. */
interface Findings {
  wrong: string[];
  expected: string;
  signed: string;
  addresses: readonly string[];
}

/** The calls that the console passes on for programs, by their names. */
export interface PassedOn {
  /**
   * The addresses that the program may have called, to which the paths of the service are appended; undefined for a name
   * that is none of them.
   */
  addressesOf(name: string): readonly string[] | undefined;
  found(name: string, findings: Pick<ObservedCall, 'wrong' | 'expected' | 'signed'>): void;
}

const observing = new AsyncLocalStorage<Findings>();

/** Adds what is wrong with the current call in a sentence. */
export const noteWrong = (sentence: string): void => void observing.getStore()?.wrong.push(sentence);

/** Notes a signature that does not fit: what had to be signed, and what seems to have been signed. */
export function noteSignature(expected: string, signed: string): void {
  const findings = observing.getStore();
  if (findings) Object.assign(findings, { expected, signed });
}

/** Notes the members of a body that its schema has left out. */
export function noteUnknown(given: unknown, taken: unknown): void {
  const findings = observing.getStore();
  if (findings) findings.wrong.push(...unknownIn(given, taken));
}

/** The addresses in place of the sandbox's own under which the caller knows it, if the console passed the call on. */
export const otherAddresses = (): readonly string[] => observing.getStore()?.addresses ?? [];

/** Paths of the service's API; others are pages, and calls of the fault lab. */
const isApi = (path: string): boolean =>
  /^\/(v3|auth-v1|api-msg-v1|network-v1|files)\//.test(path) || path === '/idp/userinfo';

const bodyOf = (body: unknown): string =>
  typeof body === 'string' ? body : body === null || body === undefined ? '' : stringify(body);

/**
 * Passes each call of the API on once it is answered: to `passed` what was found out about one that the console passed on,
 * to `observe` all others. Calls that the fault lab leaves without an answer do not end.
 */
export const observed =
  (
    { observe, passed }: { observe?: ((call: ObservedCall) => void) | undefined; passed?: PassedOn | undefined },
    /** The URL of the application's sandbox. */
    url: string,
    clock: Clock,
  ): Middleware =>
  async (ctx, next) => {
    const name = ctx.get(passedCallHeader);
    const addresses = passed?.addressesOf(name);
    delete ctx.req.headers[passedCallHeader];
    if (!isApi(ctx.path) || (!addresses && !observe)) {
      await next();
      return;
    }
    const [startedAt, begun] = [clock.now(), clock.steady()];
    const findings: Findings = { wrong: [], expected: '', signed: '', addresses: addresses ?? [] };
    await observing.run(findings, next);
    const body = bodyOf(ctx.body);
    const refused = ctx.status >= 400 || ctx.path.startsWith('/v3/batchpayments/');
    const { expected, signed } = findings;
    const wrong = [...(refused ? toldIn(body) : []), ...findings.wrong];
    if (addresses) {
      passed?.found(name, { wrong, expected, signed });
      return;
    }
    observe?.({
      port: ctx.req.socket.remotePort,
      startedAt,
      ms: clock.steady() - begun,
      method: ctx.method,
      url: url + ctx.originalUrl,
      status: ctx.status,
      request: { headers: ctx.headers, body: ctx.request.rawBody ?? '' }, // undefined for a call without a body
      response: { headers: { 'content-type': ctx.type }, body },
      ...{ wrong, expected, signed },
    });
  };
