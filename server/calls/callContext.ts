import { AsyncLocalStorage } from 'node:async_hooks';
import type { TimelineEntry } from '#contract/timeline.ts';
import { iso } from '#server/clock.ts';
import { weightOf } from '#server/timeline/evidence.ts';
import { redactor, type Side } from '#server/timeline/redact.ts';
import type { RequestIds } from './requestIds.ts';
import { newAttempt, type WriteAttempt } from './writeOutcome.ts';
import type { Timeline } from '#server/timeline/timeline.ts';

/** The call or webhook being handled. All requests made while handling it are recorded as its parts. */
export interface CallContext {
  timeline: Pick<Timeline, 'add'>;
  /** Sent with each request to the service made for this exchange; a message sets it to its own id. */
  interactionId: string;
  journey: string;
  step: string;
  /** What the call has done so far at the service, if it changes something there. */
  attempt: WriteAttempt;
  /** The last successful write to the service. */
  write?: Write;
  /** The name of the call or the type of the webhook; '' if there is none. */
  name: string;
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

/** What is being handled: a request with its ids, and the call or webhook that it is found to be. */
interface Handled {
  ids?: RequestIds | undefined;
  call?: CallContext;
}

const storage = new AsyncLocalStorage<Handled>();

/** Runs a function as part of a request. */
export const runInRequest = <T>(ids: RequestIds, run: () => Promise<T>): Promise<T> => storage.run({ ids }, run);

/** Returns the ids of the current request; undefined outside one, for example while the console starts. */
export const currentIds = (): RequestIds | undefined => storage.getStore()?.ids;

/**
 * Runs a function as part of an exchange: requests that it makes to the service belong to the exchange unless they name
 * another.
 */
export const runInCall = <T>(call: CallContext, run: () => Promise<T>): Promise<T> =>
  storage.run({ ids: currentIds(), call }, run);

/** Returns the current exchange; undefined outside one, for example during a health check. */
export const currentCall = (): CallContext | undefined => storage.getStore()?.call;

/** Returns what the current call has done so far at the service. */
export const currentAttempt = (): WriteAttempt => currentCall()?.attempt ?? newAttempt();

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
  secrets: readonly string[];
}

/** Records an entry in the timeline as part of an exchange, by default the current one; does nothing without one. */
export function recordExchange(exchange: RecordedExchange, call = currentCall()): void {
  if (!call) return;
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
    };
  }, weightOf(exchange));
}
