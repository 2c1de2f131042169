import { AsyncLocalStorage } from 'node:async_hooks';
import type { TimelineEntry } from '#contract/timeline.ts';
import { iso } from '#server/clock.ts';
import { redacted, redactedMessage } from './redact.ts';
import type { Timeline } from './timeline.ts';

/** The call or the delivery that is being dealt with, which everything done for it belongs to. */
export interface Exchange {
  timeline: Timeline;
  /** Goes to the service with each request that is made for it; a message that is sent gives it its own. */
  interactionId: string;
  journey: string;
  step: string;
  /** The last write that the service took. */
  write?: Write;
  /** Of the call, or the type of the webhook; '' where there is none. */
  name: string;
}

/** A write at the service that succeeded. */
type Write = Pick<TimelineEntry, 'interactionId' | 'at' | 'ms' | 'method' | 'url' | 'status'>;

/** Characters that are kept of the console's own answers: the service's are the ones to learn from. */
const longestOwnAnswer = 4 * 1024;

const underWay = new AsyncLocalStorage<Exchange>();

/** Runs what belongs to an exchange. */
export const within = <T>(exchange: Exchange, run: () => Promise<T>): Promise<T> => underWay.run(exchange, run);

/** The exchange that the caller belongs to; undefined for what nobody has asked for, such as a look at the service's health. */
export const exchange = (): Exchange | undefined => underWay.getStore();

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What has passed, with its secrets, which are taken out before it is kept. Times in ms. */
export interface Passed {
  kind: TimelineEntry['kind'];
  startedAt: number;
  ms?: number;
  method: string;
  url: string;
  status: number;
  reason?: string;
  attempt?: number;
  request: { headers: Headers; body: string };
  response?: { headers: Headers; body: string };
  signature?: TimelineEntry['signature'];
  baseString?: string;
  answers?: string;
  secrets: readonly string[];
}

/** Keeps what has passed as a part of an exchange, of the present one unless given. */
export function note(passed: Passed, part = exchange()): void {
  if (!part) return;
  // As they are now.
  const { interactionId, journey, step, name, timeline } = part;
  const { kind: what, status: answered, method: by } = passed;
  if (what === 'service' && by !== 'GET' && answered >= 200 && answered < 300)
    part.write = {
      interactionId,
      at: iso(passed.startedAt),
      ms: passed.ms ?? 0,
      method: by,
      url: redacted(passed.url, passed.secrets),
      status: answered,
    };
  const nothing = { headers: {}, body: '' };
  timeline.add(() => {
    const { kind, startedAt, method, status, request, response = nothing, secrets } = passed;
    return {
      kind,
      interactionId,
      at: iso(startedAt),
      ms: passed.ms ?? 0,
      journey,
      step,
      name,
      method,
      url: redacted(passed.url, secrets),
      status,
      reason: redacted(passed.reason ?? '', secrets),
      attempt: passed.attempt ?? 1,
      request: redactedMessage(request.headers, request.body, secrets),
      response: redactedMessage(
        response.headers,
        response.body,
        secrets,
        kind === 'call' ? longestOwnAnswer : undefined,
      ),
      signature: passed.signature ?? '',
      baseString: redacted(passed.baseString ?? '', secrets),
      answers: passed.answers ?? '',
    };
  });
}
