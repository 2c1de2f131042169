import type { TimelineEntry } from '#contract/timeline.ts';
import { following, runWith } from '#server/asyncContext.ts';
import { iso } from '#server/clock.ts';
import { weightOf } from '#server/timeline/evidence.ts';
import { redactor, type Side } from '#server/timeline/redact.ts';
import type { RequestIds } from './requestIds.ts';
import { newAttempt, type WriteAttempt } from './writeOutcome.ts';
import type { Timeline } from '#server/timeline/timeline.ts';

/** The user of a request. */
export interface User {
  workspace: string;
  /** An opaque id, the same at every sign-in; '' if the console has no sign-in. */
  subject: string;
  /** The hash of the session's id; absent if the console has no sign-in. */
  session?: string;
  /** The user's name; '' if the console has no sign-in. */
  name: string;
  /** Finds out whether the user may continue; `unknown` if the sign-in service cannot be asked. Absent without a sign-in. */
  confirm?(): Promise<'confirmed' | 'over' | 'unknown'>;
  /** Ends the session; resolves with the URL to go to. */
  signOut(): Promise<string>;
}

/**
 * What is handled, and all that is known of it: a request from its first guard to its line in the log, a call that is
 * repeated, or a webhook. It follows everything that is done for it.
 */
export interface CallContext {
  /** By what the request is found again; absent outside of one. */
  ids: RequestIds | undefined;
  /** Whose request it is; absent if nobody is known to have made it. */
  user?: User | undefined;
  /** Why nobody may be the user, in a sentence. */
  signedOut?: string | undefined;
  /** The workspace for which it is handled; '' while that is not known. */
  workspace: string;
  /** The company's id, '' if there is none; read once the call has ended. */
  company: () => Promise<string> | string;
  /** The name of the call, the operation of a program's, or the type of the webhook; '' if there is none. */
  name: string;
  /** Of a program's call: the id of its token. */
  tokenId?: string;
  /** Whether the caller has left before the answer was complete. */
  hasLeft?: boolean;
  /** Sent with each request to the service made for this exchange; a message sets it to its own id. */
  interactionId: string;
  journey: string;
  step: string;
  /** What the call has done so far at the service, if it changes something there. */
  attempt: WriteAttempt;
  /** Where the call is recorded, with all requests made for it as its parts; absent for what is not recorded. */
  timeline?: Pick<Timeline, 'add'>;
  /** The last successful write to the service. */
  write?: Write;
}

/** A successful write to the service. */
type Write = Pick<TimelineEntry, 'interactionId' | 'at' | 'ms' | 'method' | 'url' | 'status'>;

/**
 * Maximum number of characters stored of the console's own answers; lower than for the service's, which matter more.
 */
const maximumOwnAnswer = 4 * 1024;

/** Stands for an answer that has not arrived. */
const noResponse: Side = { headers: {}, body: '' };

const sideOf = (side: Side | (() => Side)): Side => (typeof side === 'function' ? side() : side);

/** Under what the context follows a call. */
const key = Symbol('call');

/** Returns the context of what is handled now; undefined outside of it, for example while the console starts. */
export const callContext = (): CallContext | undefined => following(key) as CallContext | undefined; // given by `runInCall`

/** Returns a new context, of which this is known; it is part of the current request. */
export const newCall = (known: Partial<CallContext>): CallContext => ({
  ids: callContext()?.ids,
  workspace: '',
  company: () => '',
  name: '',
  interactionId: '',
  journey: '',
  step: '',
  attempt: newAttempt(),
  ...known,
});

/** Adds to the current context what has become known. Returns it. */
export const noteCall = (known: Partial<CallContext>): CallContext =>
  Object.assign(callContext() ?? newCall({}), known);

/** Runs a function with a context: requests that it makes to the service belong to the call unless they name another. */
export const runInCall = <T>(call: CallContext, run: () => Promise<T>): Promise<T> => runWith(key, call, run);

/** Returns the current context if it is recorded; undefined otherwise, for example during a health check. */
export const currentCall = (): CallContext | undefined => (callContext()?.timeline ? callContext() : undefined);

/** Returns what the current request or call has done so far at the service. */
export const currentAttempt = (): WriteAttempt => callContext()?.attempt ?? newAttempt();

/** A call, request or webhook to be recorded. `secrets` are masked before it is stored. Times in ms. */
export interface RecordedExchange {
  kind: TimelineEntry['kind'];
  startedAt: number;
  ms?: number;
  method: string;
  url: string;
  status: number;
  reason?: string;
  attempt?: number;
  /** A function is called only when the exchange is written. */
  request: Side | (() => Side);
  response?: Side | (() => Side);
  signature?: TimelineEntry['signature'];
  baseString?: string;
  answers?: string;
  wrong?: readonly string[];
  signed?: string;
  fault?: string;
  /** Whether a program made a call of the console. */
  byProgram?: boolean;
  /** Whether a webhook was older than what was known. */
  late?: boolean;
  secrets: readonly string[];
}

/** Records an entry in the timeline as part of an exchange, by default the current one; does nothing without one. */
export function recordExchange(exchange: RecordedExchange, call = currentCall()): void {
  if (!call?.timeline) return;
  // Read now, because they may change before the entry is written.
  const { interactionId, journey, step, name, timeline } = call;
  const { kind: exchangeKind, status: httpStatus, method: httpMethod } = exchange;
  if (exchangeKind === 'service' && httpMethod !== 'GET' && httpStatus >= 200 && httpStatus < 300)
    call.write = {
      interactionId,
      at: iso(exchange.startedAt),
      ms: exchange.ms ?? 0,
      method: httpMethod,
      url: redactor(exchange.secrets).text(exchange.url),
      status: httpStatus,
    };
  timeline.add(() => {
    const { kind, startedAt, method, status, request, response = noResponse, secrets } = exchange;
    const redact = redactor(secrets);
    return {
      kind,
      interactionId,
      at: iso(startedAt),
      ms: exchange.ms ?? 0,
      journey,
      step,
      name,
      method,
      url: redact.text(exchange.url),
      status,
      reason: redact.text(exchange.reason ?? ''),
      attempt: exchange.attempt ?? 1,
      request: redact.message(sideOf(request)),
      response: redact.message(sideOf(response), kind === 'call' ? maximumOwnAnswer : undefined),
      signature: exchange.signature ?? '',
      baseString: redact.text(exchange.baseString ?? ''),
      answers: exchange.answers ?? '',
      ...(exchange.wrong?.length && { wrong: exchange.wrong.map((each) => redact.text(each)) }),
      ...(exchange.signed && { signed: redact.text(exchange.signed) }),
      ...(exchange.fault && { fault: exchange.fault }),
      ...(exchange.byProgram && { byProgram: true as const }),
      ...(exchange.late && { late: true as const }),
    };
  }, weightOf(exchange));
}
