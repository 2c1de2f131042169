import { AsyncLocalStorage } from 'node:async_hooks';
import type { Middleware } from 'koa';
import { stringify } from '#contract/json.ts';
import { passedCallHeader } from '#contract/programs.ts';
import type { Clock } from '#server/clock.ts';
import { faultsIn, unknownIn } from '#server/upstream/wireFaults.ts';
import type { CallRecords } from './recordedCalls.ts';

/** A call of the service's API as the sandbox received and answered it. */
export interface ObservedCall {
  /** The remote port of the call. */
  port: number | undefined;
  startedAt: number;
  ms: number;
  method: string;
  url: string;
  status: number;
  request: { headers: Readonly<Record<string, string | string[] | undefined>>; body: string };
  response: { headers: Readonly<Record<string, string>>; body: string };
  /** Faults of the call, one sentence each. */
  wrong: readonly string[];
  /** The text that should have been signed; '' if the signature is right, or none is needed. */
  expected: string;
  /** The text that was probably signed instead; '' if unknown. */
  signed: string;
}

/** What the handlers of a call report about it. */
interface Findings {
  wrong: string[];
  expected: string;
  signed: string;
  addresses: readonly string[];
}

/** The calls that the console forwards for programs, by name. */
export interface ForwardedCalls {
  /**
   * Returns the addresses that the program may have called, to which the paths of the service are appended; undefined
   * for an unknown name.
   */
  addressesOf(name: string): readonly string[] | undefined;
  found(name: string, findings: Pick<ObservedCall, 'wrong' | 'expected' | 'signed'>): void;
}

/** The header of a call that is not recorded, because it prepares a situation; its value is known to this process only. */
export const unrecordedHeader = 'x-sandbox-unrecorded';

/** How calls are recorded. */
export interface CallRecording {
  calls: CallRecords;
  /** The value of the header of calls that are not recorded. */
  unrecorded: string;
  /** Whether a call that came from this port is the console's own, and not recorded. */
  isOwn: (port: number | undefined) => boolean;
}

const observing = new AsyncLocalStorage<Findings>();

/** Adds a fault of the current call, in one sentence. */
export const noteWrong = (sentence: string): void => void observing.getStore()?.wrong.push(sentence);

/** Notes a wrong signature: the text to sign, and the text that was probably signed. */
export function noteSignature(expected: string, signed: string): void {
  const findings = observing.getStore();
  if (findings) Object.assign(findings, { expected, signed });
}

/** Notes the unknown members of a body: those in `received` that parsing dropped from `accepted`. */
export function noteUnknown(received: unknown, accepted: unknown): void {
  const findings = observing.getStore();
  if (findings) findings.wrong.push(...unknownIn(received, accepted));
}

/** Returns the addresses by which the caller knows the service; [] unless the console forwarded the call. */
export const callerAddresses = (): readonly string[] => observing.getStore()?.addresses ?? [];

/** Whether a path belongs to the service's API; others are pages, and calls of the fault lab. */
const isApi = (path: string): boolean =>
  /^\/(v3|auth-v1|api-msg-v1|network-v1|files)\//.test(path) || path === '/idp/userinfo';

const bodyOf = (body: unknown): string =>
  typeof body === 'string' ? body : body === null || body === undefined ? '' : stringify(body);

/**
 * Records each call of the API in `records`, and reports each answered one: the findings about a call that the console forwarded to `forwarded`, every other
 * call to `observe`. Calls that the fault lab leaves without an answer are not reported until they end.
 */
export const observeCalls =
  (
    {
      observe,
      forwarded,
      records,
    }: {
      observe?: ((call: ObservedCall) => void) | undefined;
      forwarded?: ForwardedCalls | undefined;
      records?: CallRecording | undefined;
    },
    /** The URL of the application's sandbox. */
    url: string,
    clock: Clock,
  ): Middleware =>
  async (ctx, next) => {
    const name = ctx.get(passedCallHeader);
    const addresses = forwarded?.addressesOf(name);
    delete ctx.req.headers[passedCallHeader];
    const isUnrecorded =
      records &&
      (ctx.get(unrecordedHeader) === records.unrecorded || (!addresses && records.isOwn(ctx.req.socket.remotePort)));
    delete ctx.req.headers[unrecordedHeader];
    if (!isApi(ctx.path) || (!addresses && !observe && !records)) {
      await next();
      return;
    }
    const [startedAt, startedSteady] = [clock.now(), clock.steady()];
    const end = isUnrecorded ? undefined : records?.calls.begin(ctx);
    const findings: Findings = { wrong: [], expected: '', signed: '', addresses: addresses ?? [] };
    await observing.run(findings, next);
    const body = bodyOf(ctx.body);
    const refused = ctx.status >= 400 || ctx.path.startsWith('/v3/batchpayments/');
    const { expected, signed } = findings;
    const wrong = [...(refused ? faultsIn(body) : []), ...findings.wrong];
    end?.(body, ctx.respond !== false, wrong);
    if (addresses) {
      forwarded?.found(name, { wrong, expected, signed });
      return;
    }
    observe?.({
      port: ctx.req.socket.remotePort,
      startedAt,
      ms: clock.steady() - startedSteady,
      method: ctx.method,
      url: url + ctx.originalUrl,
      status: ctx.status,
      request: { headers: ctx.headers, body: ctx.request.text ?? '' }, // undefined for a call without a body
      response: { headers: { 'content-type': ctx.type }, body },
      ...{ wrong, expected, signed },
    });
  };
