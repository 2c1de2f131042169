import type { TimelineEntry } from '#contract/timeline.ts';
import { iso } from '#server/clock.ts';
import { createContext } from '#server/context.ts';
import { redacted, redactedMessage } from './redact.ts';
import type { Timeline } from './timeline.ts';

/** The call or webhook that is being handled. All requests made while handling it are recorded as parts of it. */
export interface Exchange {
  timeline: Timeline;
  /** Sent with each request to the service that is made for this exchange; a message sets it to its own id. */
  interactionId: string;
  journey: string;
  step: string;
  /** The last successful write to the service. */
  write?: Write;
  /** The name of the call or the type of the webhook; '' if there is none. */
  name: string;
}

/** A successful write to the service. */
type Write = Pick<TimelineEntry, 'interactionId' | 'at' | 'ms' | 'method' | 'url' | 'status'>;

/** Maximum characters stored of the console's own answers; less than for the service's, which are of more interest. */
const longestOwnAnswer = 4 * 1024;

/** In place of an answer that has not arrived. */
const nothing = Object.freeze({ headers: {}, body: '' });

const underWay = createContext<Exchange>();

/** Runs a function as part of an exchange, as far as its requests to the service belong to no other one. */
export const within = <T>(exchange: Exchange, run: () => Promise<T>): Promise<T> => underWay.run(exchange, run);

/** The current exchange; undefined outside of one, for example during a health check. */
export const exchange = (): Exchange | undefined => underWay.get();

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A call, request or webhook to be recorded. `secrets` are masked before it is stored. Times in ms. */
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
  /** `bytes` is its length if `body` is only its beginning. */
  response?: { headers: Headers; body: string; bytes?: number };
  signature?: TimelineEntry['signature'];
  baseString?: string;
  answers?: string;
  wrong?: readonly string[];
  signed?: string;
  fault?: string;
  secrets: readonly string[];
}

/** Records an entry in the timeline as part of an exchange, by default the current one; does nothing without one. */
export function note(passed: Passed, part = exchange()): void {
  if (!part) return;
  // Read now, because they may change before the entry is written.
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
      request: redactedMessage(request, secrets),
      response: redactedMessage(response, secrets, kind === 'call' ? longestOwnAnswer : undefined),
      signature: passed.signature ?? '',
      baseString: redacted(passed.baseString ?? '', secrets),
      answers: passed.answers ?? '',
      ...(passed.wrong?.length && { wrong: passed.wrong.map((each) => redacted(each, secrets)) }),
      ...(passed.signed && { signed: redacted(passed.signed, secrets) }),
      ...(passed.fault && { fault: passed.fault }),
    };
  });
}
