import type { Logger } from 'pino';
import { pause, type Clock } from '#server/clock.ts';
import { random } from '#server/random.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits } from '#server/http/json.ts';
import { member } from '#contract/member.ts';
import { maskAll, maskOfAnswers, maskedBytes } from '#server/mask.ts';
import { whenRecorded } from '#server/timeline/recordedBody.ts';
import { trackSend } from '#server/calls/writeOutcome.ts';
import { callContext, currentCall, recordExchange } from '#server/calls/callContext.ts';
import { headersOf } from '#server/calls/requestIds.ts';
import { outgoingSpan, type OnSpan } from '#server/calls/spans.ts';
import { contentOf } from './answerContent.ts';
import { createConcurrencyLimit } from '#server/concurrency.ts';
import type { InjectedFaults } from './injectedFaults.ts';
import { classOf, failureLabel, spanOf } from './metricLabels.ts';
import type { Operation, UpstreamMetrics, UpstreamOutcome } from './metricLabels.ts';
import { shownTime, type ServiceClock } from '#server/calls/serviceClock.ts';
import type { SecretAddress } from './secretAddress.ts';
import { timeouts, type TimeoutClass } from './timeouts.ts';
import { headersByName, type Transport } from './transport.ts';
import type { Timeouts } from './exchange.ts';
import type { Received } from './strict.ts';
import { failureOf, wasSent } from './transportFailure.ts';
import { isOfAnother, verdictOf } from './verdict.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { header } from './wire.ts';

export interface Outgoing {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Default: `other`. */
  operation?: Operation;
  /** Maximum number of bytes of the answer. Default: `jsonLimits.answer`. */
  maxBytes?: number;
  /** Secrets of this request that are not in its headers, such as the signing key; they are masked. */
  secrets?: readonly string[];
  /**
   * The URL as it may be shown, if it authorises itself: so it is recorded and logged, and its secrets are masked in a
   * refusal. A successful answer may contain the same words.
   */
  secretAddress?: SecretAddress;
  /** The text that was signed, if the request is signed. */
  baseString?: string;
}

/**
 * An answer: its body without content codings, of a success what is JSON in it (answerContent.ts), and its headers with the
 * fields after its body, of each at most `maximumHeader` characters.
 */
export interface Reply extends Received {
  /** The body of a successful answer, byte for byte except for content codings and secrets of the console. */
  bytes: () => Buffer;
  /** The id sent with the request, which the service's support may ask for (wire, section 3). */
  interactionId: string;
  /** Seconds to wait as requested by the service; 0 if it requests no wait. */
  retryAfter: number;
}

/** Limits of one request; times in ms. */
export interface Limits {
  /** Overrides the time-outs in `table` for all calls. */
  patience: Partial<Timeouts>;
  /** Time-outs by operation. */
  table: Readonly<Record<TimeoutClass, Timeouts>>;
  bytes: number;
  /** Time before the first repeat of a read; doubled for each further repeat. */
  backOff: number;
  /** Maximum time from the first attempt of a read to the start of the last one. */
  budget: number;
}

const defaults: Limits = {
  patience: {},
  table: timeouts,
  bytes: jsonLimits.largeAnswer.bytes,
  backOff: 200,
  budget: 5000,
};
/**
 * Maximum numbers of concurrent requests of one workspace, and of those that wait. Reads and writes have separate
 * limits, so that hanging reads do not delay payments.
 */
const maximumConcurrent = { reads: 32, writes: 16 };
const maximumWaiting = 500;
const attempts = 3;
/** Time (ms) allowed for the last repeat of a write to be answered. */
const grace = 25_000;
const transientStatuses = [429, 502, 503, 504];

export interface Http {
  /**
   * Makes one attempt; unless it only reads, records in the current call whether it was sent and refused. Rejects with a
   * Failure if no complete answer arrived.
   */
  send(outgoing: Outgoing): Promise<Reply>;
  /**
   * Makes up to three attempts, with back-off, while the service is unreachable or overloaded; for reads only. Rejects
   * with a Failure.
   */
  read(prepare: () => Outgoing): Promise<Reply>;
}

interface Deps {
  transport: Transport;
  clock: Clock;
  newId: () => string;
  log: Logger;
  limits?: Partial<Limits>;
  /** The console's own secrets, masked in every answer. */
  secrets?: readonly string[];
  /** Effects of the embedded sandbox's fault lab on calls. */
  injectedFaults?: InjectedFaults | undefined;
  /** Absent if nothing is measured. */
  metrics?: UpstreamMetrics | undefined;
  /** Absent if no traces are recorded. */
  onSpan?: OnSpan | undefined;
  /** The clock of the host at `origin`, and a request whose answer shows it; without it, the clock is not followed. */
  time?: { clock: ServiceClock; origin: string; ask: () => Outgoing };
}

/** Maximum number of characters stored of a refusal's body and of a header. */
const maximumRefusal = 128 * 1024;
const maximumHeader = 2000;

/** Requires an answer of the service itself (RFC 9111, sections 5.2.1 and 5.4). */
const uncached = { 'cache-control': 'no-cache, no-store', pragma: 'no-cache' };

/** Creates the HTTP client of one workspace, or of the console itself. */
export function createHttp({
  transport,
  clock,
  newId,
  log,
  limits,
  secrets: ownSecrets = [],
  injectedFaults,
  metrics,
  onSpan,
  time,
}: Deps): Http {
  const { patience: ownPatience, table, bytes, backOff, budget } = { ...defaults, ...limits };
  const reads = createConcurrencyLimit(maximumConcurrent.reads, maximumWaiting);
  const writes = createConcurrencyLimit(maximumConcurrent.writes, maximumWaiting);

  async function attempt(
    {
      method,
      url,
      headers,
      body,
      operation = 'other',
      maxBytes = jsonLimits.answer.bytes,
      secrets = [],
      secretAddress,
      baseString,
    }: Outgoing,
    { within = Infinity, turn = 1, mayBegin }: { within?: number; turn?: number; mayBegin?: () => void } = {},
  ): Promise<Reply> {
    const part = currentCall();
    // A message's header carries the message's own id, by which its webhook is recognised.
    const interactionId = headers?.[header.interaction] ?? part?.interactionId ?? newId();
    if (part) part.interactionId = interactionId;
    const { origin, pathname, search } = new URL(url);
    const started = clock.steady();
    const all = [...ownSecrets, ...secrets, ...credentialsIn(headers)];
    const recorded = [...all, ...(secretAddress?.secrets ?? [])];
    const masked = (text: string) => (text === '' ? '' : maskAll(recorded)(text));
    const shownUrl = secretAddress?.shown ?? url;
    const marked = { method, path: pathname, interactionId };
    const note = { ...marked, origin, path: secretAddress ? new URL(shownUrl).pathname : pathname };
    const timeouts = { ...(member(table, operation) ?? table.usual), ...ownPatience };
    const most = Math.min(maxBytes, bytes);
    const ids = callContext()?.ids;
    const span = outgoingSpan(onSpan);
    const ended = (outcome: UpstreamOutcome): number => {
      const ms = clock.steady() - started;
      metrics?.upstream(operation, outcome, ms);
      span.ended(() => spanOf({ operation, method, origin, outcome }, exchange.startedAt, ms));
      return ms;
    };
    const sent = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(ids && headersOf(ids, span.spanId)),
      [header.interaction]: interactionId,
      ...headers,
    };
    const exchange = {
      kind: 'service',
      startedAt: clock.now(),
      method,
      url: shownUrl,
      attempt: turn,
      request: { headers: sent, body: body ?? '' },
      ...(baseString && { baseString }),
      secrets: recorded,
    } as const;
    try {
      const answer = await transport(
        {
          method,
          origin,
          path: pathname + search,
          headers: sent,
          ...(body !== undefined && { body }),
          // A token of another company would have that one pay.
          ownConnection: method !== 'GET' || operation === 'accessToken',
          ...(mayBegin && { mayBegin }),
        },
        {
          timeouts: { ...timeouts, total: Math.min(timeouts.total, within + grace) },
          maxBytes: most,
        },
      );
      const { status } = answer;
      const received = headersByName(answer.headers);
      const trailers = Object.entries(answer.trailers ?? {}).flatMap(([name, value]) => [
        name,
        [value].flat().join(', '),
      ]);
      const mayBeKept = method === 'GET' && headers?.['cache-control'] !== uncached['cache-control'];
      if (time?.origin === origin) time.clock.observe(received, clock.steady() - started, mayBeKept);
      const content = await contentOf(answer, received, most);
      injectedFaults?.take(marked); // discards the mark: the answer's header has it
      const ms = ended(classOf(status));
      log.debug({ status, ms, ...note }, 'upstream');
      recordExchange({
        ms,
        status,
        response: whenRecorded(answer.body, received),
        ...exchange,
      });
      /** Masked once they are read: few answers to reads are. */
      let shownHeaders: Reply['headers'] | undefined;
      return {
        status,
        text:
          status < 300
            ? maskOfAnswers(isOfKeys(pathname) ? credentialsIn(headers) : all)(content.text)
            : masked(content.text.slice(0, maximumRefusal)),
        bytes: () => maskedBytes(content.bytes, maskOfAnswers(all)),
        get headers() {
          shownHeaders ??= Object.fromEntries(
            Object.entries(headersByName([...answer.headers, ...trailers])).map(([name, value]) => [
              name,
              masked(value).slice(0, maximumHeader),
            ]),
          );
          return shownHeaders;
        },
        interactionId,
        // A date in the header is relative to the service's clock.
        retryAfter: secondsUntil(received['retry-after'] ?? '0', () => shownTime(received) ?? clock.now()),
      };
    } catch (error) {
      const failure = failureOf(error, origin, interactionId);
      const ms = ended(failureLabel(failure));
      log.warn({ ...note, code: failure.problem.code, reason: masked(String(error)), ms }, 'upstream');
      const fault = injectedFaults?.take(marked) ?? '';
      recordExchange({ ...exchange, ms, status: 0, reason: failure.problem.detail, fault });
      throw failure;
    }
  }

  // The remaining time of a write is determined when the request starts, not when it is queued.
  const send = (outgoing: Outgoing): Promise<Reply> =>
    writes(async () => {
      const call = callContext();
      if (call === undefined || outgoing.method === 'GET') return attempt(outgoing);
      // The service's clock may have been set forward since its last answer.
      if (time && call.attempt.inDoubt && call.attempt.window) await askTime(time.ask);
      return trackSend(
        call.attempt,
        (within, mayBegin) => attempt(outgoing, { within, mayBegin }),
        (reply) => !isOfAnother(reply) && verdictOf(reply) === 'refused',
        wasSent,
        // Of a signed request it may concern the nonce (wire 2.2.12).
        ({ status }) => status === 401 && outgoing.baseString !== undefined,
      );
    });

  /** Asks for the service's time past caches: of those that obey no header of a request by a URL of its own. */
  const askTime = (prepare: () => Outgoing): Promise<Reply> =>
    read(() => {
      const { url, headers, ...outgoing } = prepare();
      return { ...outgoing, url: `${url}?${newId()}`, headers: { ...headers, ...uncached } };
    });

  async function read(prepare: () => Outgoing): Promise<Reply> {
    const until = clock.steady() + budget;
    for (let turn = 1; ; turn += 1) {
      let outcome: Reply | Failure;
      try {
        outcome = await reads(() => attempt(prepare(), { turn }));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        outcome = error;
      }
      // Jitter, so that callers that failed at the same time do not repeat at the same time.
      const ownPause = backOff * 2 ** (turn - 1) * (0.5 + random());
      const wait = outcome instanceof Failure ? ownPause : Math.max(ownPause, outcome.retryAfter * 1000);
      if (!isTransient(outcome) || turn === attempts || clock.steady() + wait > until) {
        if (outcome instanceof Failure) throw outcome;
        return outcome;
      }
      await pause(clock, wait);
    }
  }

  return { send, read };
}

/** Whether another attempt soon may succeed. A time-out does not count: the user has already waited long enough. */
const isTransient = (outcome: Reply | Failure): boolean =>
  outcome instanceof Failure
    ? outcome.problem.code === 'upstream-unreachable'
    : transientStatuses.includes(outcome.status);

/** Whether a path's answers contain keys or tokens that the console needs unmasked. */
const isOfKeys = (path: string): boolean =>
  (['createOrganisation', 'createCompany', 'accessToken'] as const).some((each) => path.endsWith(pathOf(each)));

/** Returns the credentials in the request's headers, to be masked if the service repeats them in its answer. */
const credentialsIn = (headers: Record<string, string> = {}): string[] =>
  [headers[header.apiKey], headers[header.signature], headers['authorization']?.replace('Bearer ', '')].filter(
    (secret) => secret !== undefined,
  );

/** Maximum time to wait (s) that is taken over from the service; a longer one may be a mistake. */
const maximumWait = 24 * 60 * 60;

/**
 * Returns the seconds until the time in Retry-After, from 0 to a day; the header is a number of seconds or a date (RFC
 * 9110, section 10.2.3). `now` in ms.
 */
function secondsUntil(retryAfter: string, now: () => number): number {
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - now()) / 1000);
  return seconds > 0 ? Math.min(seconds, maximumWait) : 0;
}
