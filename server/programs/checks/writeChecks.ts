import { isIdempotencyKey } from '#server/http/singleHeaders.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import {
  callsByRun,
  endOf,
  finding,
  isAnswered,
  isUnknown,
  checkResult,
  type Check,
  overlap,
  type Evidence,
  type Finding,
  type ProgramRun,
} from './evidence.ts';
import { isAbout } from './claims.ts';
import { bodyWithoutVolatile, isRefused, isSameWrite, keyHeaderOf, writesIn, type Write } from './writes.ts';

/** Returns the writes of each run. */
const writesByRun = (evidence: Evidence): Write[][] => callsByRun(evidence).map((calls) => writesIn(evidence, calls));

/** A write and the next attempt of the same run at it. */
type Attempts = readonly [before: Write, next: Write];

/** Returns each write with the next one that asks for some of the same. */
const attemptsIn = (writes: readonly Write[]): Attempts[] =>
  writes.flatMap((write, index): Attempts[] => {
    const next = writes.slice(index + 1).find((each) => isSameWrite(write, each));
    return next ? [[write, next]] : [];
  });

const attempts = (evidence: Evidence): Attempts[] => writesByRun(evidence).flatMap(attemptsIn);

/** Whether the program read, between two attempts, what had become of the first one. */
const isLookedUp = (evidence: Evidence, [before, next]: Attempts): boolean =>
  evidence.batches.some(
    ({ batchId, idempotencyKey }) =>
      idempotencyKey === before.key &&
      evidence.calls.some(
        (each) =>
          isAnswered(each) &&
          isAbout(evidence, each, batchId) &&
          each.number > before.call.number &&
          each.number < next.call.number,
      ),
  );

/** Returns each write whose outcome the program could not know, with the next attempt at it. */
const retriesOf = (evidence: Evidence): Attempts[] =>
  attempts(evidence).filter(
    (pair) => (isUnknown(pair[0].call) || pair[0].call.status >= 500) && !isLookedUp(evidence, pair),
  );

/** Returns the pairs of writes with the same key. */
const sameKeys = (writes: readonly Write[]): Attempts[] =>
  writes.flatMap((write, index): Attempts[] => {
    const next = writes.slice(index + 1).find(({ key }) => key !== '' && key === write.key);
    return next ? [[write, next]] : [];
  });

const sameBody = (one: Write, other: Write): boolean =>
  bodyWithoutVolatile(one.call.body) === bodyWithoutVolatile(other.call.body);

/** Returns the run of a write; undefined if there is none, or several at the same time. */
const runOf = (evidence: Evidence, { call }: Write): ProgramRun | undefined =>
  overlap(evidence)
    ? undefined
    : evidence.runs.findLast(({ startedAt, endedAt }) => call.at >= startedAt && call.at <= endedAt);

/** Whether the second write is that of a later run for the same file of invoices, which may have built its body anew. */
function isAfterRestart(evidence: Evidence, [before, next]: Attempts): boolean {
  const [first, second] = [runOf(evidence, before), runOf(evidence, next)];
  return first !== second && first !== undefined && second?.asked.join() === first.asked.join();
}

/**
 * Whether the second write under a key repeats the first one: it asks for some of the same, or it is what a later run sends
 * in place of a write whose outcome is unknown. That it asks for something else shows a body that was built anew.
 */
const isRepetition = (evidence: Evidence, pair: Attempts): boolean =>
  isSameWrite(...pair) || (isUnknown(pair[0].call) && isAfterRestart(evidence, pair));

/** Returns the pairs of a write and its repetition under the same key; of runs, where the first one may have been accepted. */
const repetitions = (evidence: Evidence): Attempts[] => {
  const pairs = [
    ...writesByRun(evidence).flatMap(sameKeys),
    ...sameKeys(writesIn(evidence, evidence.calls)).filter(
      (pair) => isAfterRestart(evidence, pair) && (pair[0].call.isDone || isUnknown(pair[0].call)),
    ),
  ];
  return pairs.filter((pair) => isRepetition(evidence, pair));
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** Tolerance (ms) of pauses, for the clocks and timers of both sides. */
const jitter = 150;
/** A pause (ms) that spares the service even if it does not grow. */
const long = 10_000;

/** The attempts at one write while the service was unavailable, or its responses were lost. */
interface Series {
  last: Write;
  calls: RecordedCall[];
  /** In ms, each from the end of a response, or from the beginning of an attempt that had none: waiting for it is a pause. */
  pauses: number[];
  /** Whether the service has said that it is unavailable. */
  isOverloaded: boolean;
}

/** Returns the attempts at each write that was unanswered or answered with an error of the server. */
function seriesIn(writes: readonly Write[]): Series[] {
  const series: Series[] = [];
  for (const [before, next] of attemptsIn(writes)) {
    const { call } = before;
    if (call.status < 500 && !isUnknown(call)) continue;
    const known = series.find(({ last }) => last === before);
    const entry = known ?? { last: before, calls: [call], pauses: [], isOverloaded: false };
    entry.pauses.push(next.call.at - (call.status === 0 ? call.at : endOf(call)));
    entry.isOverloaded ||= call.status >= 500;
    entry.calls.push(next.call);
    entry.last = next;
    if (!known) series.push(entry);
  }
  return series;
}

/** Whether each pause is longer than the one before it, by more than what timers make of it. */
const isGrowing = (pauses: readonly number[]): boolean =>
  pauses.every((pause, index) => index === 0 || pause >= pauses[index - 1]! * 1.05 + 10); // the index is not that of the first

/** Whether each pause is shorter than the one before it, by more than a random part makes of it. */
const isShrinking = (pauses: readonly number[]): boolean =>
  pauses.every((pause, index) => index === 0 || pause < pauses[index - 1]! * 0.7); // the index is not that of the first

/** The least number of pauses whose growth is judged: one of two can be stretched by other work of the machine. */
const leastJudged = 3;

/** Whether pauses stay the same, within what timers and a random part of a third make of them. */
function isConstant(pauses: readonly number[]): boolean {
  const [least, most] = [Math.min(...pauses), Math.max(...pauses)];
  return most < long && !isGrowing(pauses) && most <= least * 1.3 + 40;
}

/** The least pause (ms) before a retry, and the most attempts within the first second. */
const [leastPause, mostSoon] = [100 - 20, 3];

/**
 * Returns what is wrong with the pauses between attempts of one write; undefined if nothing is. After lost responses one
 * retry may follow at once, because clients repeat a call whose connection was closed.
 */
function pauseFault({ pauses, isOverloaded }: Series): string | undefined {
  const list = pauses.map(seconds).join(', ');
  const atOnce = pauses.filter((pause) => pause < leastPause).length;
  if (atOnce > (isOverloaded ? 0 : 1)) return `A retry follows within 0.1 s: ${list}`;
  let [elapsed, soon] = [0, 1];
  for (const pause of pauses) if ((elapsed += pause) < 1000) soon += 1;
  if (soon > mostSoon) return `${soon} attempts are made within the first second: ${list}`;
  if (!isOverloaded || pauses.length < leastJudged) return undefined;
  if (pauses.at(-1)! < long && isShrinking(pauses)) return `The pauses shrink: ${list}`;
  return isConstant(pauses) ? `The pauses do not grow: ${list}` : undefined;
}

/**
 * Returns the time (ms) that a refusal with 429 asked to wait, by a number of seconds or a time of the service's clock;
 * undefined if it names none. A time has whole seconds.
 */
function retryAfterOf({ status, response: { headers } }: RecordedCall): number | undefined {
  const value = headers['retry-after'] ?? '';
  if (status !== 429 || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const ms = Date.parse(value) - Date.parse(headers['date'] ?? '');
  return Number.isNaN(ms) ? undefined : Math.max(0, ms - 1000);
}

const tooEarly = ([{ call: before }, { call: next }]: Attempts): Finding[] => {
  const asked = retryAfterOf(before) ?? 0;
  const pause = next.at - endOf(before);
  if (pause >= asked - jitter) return [];
  return [finding(`The service asked to wait ${seconds(asked)}, the program waited ${seconds(pause)}`, before, next)];
};

/** Number of characters shown of an idempotency key. */
const shownKey = 100;

/** Checks of single writes and their retries. */
export const writeChecks: readonly Check[] = [
  {
    id: 'write-key',
    group: 'Writes',
    title: 'Each batch and subscription has an idempotency key',
    why: 'Without a key the service carries out each attempt, so that a retry pays twice.',
    mend: 'Send x-idempotency-key with a unique value, such as a UUID, with each POST that creates a batch or a subscription.',
    judge(evidence) {
      const writes = writesIn(evidence, evidence.calls);
      const seen = writes
        .filter(({ key }) => key === '')
        .map(({ call }) => finding(`${call.method} ${call.path} has no ${keyHeaderOf(evidence)}`, call));
      return checkResult(writes.length > 0, seen);
    },
  },
  {
    id: 'write-key-form',
    group: 'Writes',
    title: 'Each idempotency key is one header of 1 to 200 visible characters',
    why: 'The service refuses other keys. If a retry adds the header again, it has another key than the first attempt.',
    mend: 'Set x-idempotency-key once for each call instead of appending it, with a value such as a UUID: no blanks, no letters outside ASCII.',
    judge(evidence) {
      const writes = writesIn(evidence, evidence.calls).filter(({ call }) =>
        Object.hasOwn(call.headers, keyHeaderOf(evidence)),
      );
      const seen = writes
        .filter(({ key }) => !isIdempotencyKey(key))
        .map(({ call, key }) =>
          finding(`${call.method} ${call.path} has the ${keyHeaderOf(evidence)} “${key.slice(0, shownKey)}”`, call),
        );
      return checkResult(writes.length > 0, seen);
    },
  },
  {
    id: 'write-same-key',
    group: 'Writes',
    title: 'A retry has the key of the first attempt',
    why: 'A write without a response may have taken effect. Under a new key, the service carries it out again.',
    mend: 'Make the key before the first attempt, store it with the payment, and send it again with each retry.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'status', status: 500 }, times: 1 },
    judge(evidence) {
      const judged = retriesOf(evidence).filter(([before, next]) => before.key !== '' && next.key !== '');
      const seen = judged
        .filter(([before, next]) => before.key !== next.key)
        .map(([before, next]) =>
          finding('The program sent the same payments again under another idempotency key', before.call, next.call),
        );
      return checkResult(judged.length > 0, seen);
    },
  },
  {
    id: 'write-same-body',
    group: 'Writes',
    title: 'A retry repeats the body of the first attempt',
    why: 'The service refuses a known key with another body (409), so the program does not learn the outcome.',
    mend: 'Store key and body before the first attempt, and send exactly these bytes again, also after a restart, including externalId and dates. Never take a new key for them: the first attempt may have been accepted, and the payments would be made twice.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1 },
    judge(evidence) {
      const repeats = repetitions(evidence);
      const seen = repeats
        .filter(([before, next]) => before.call.body !== next.call.body)
        .map(([before, next]) =>
          finding(
            `The body differs from the first attempt under the same key${isAfterRestart(evidence, [before, next]) ? ', after a restart' : ''}`,
            before.call,
            next.call,
          ),
        );
      return checkResult(repeats.length > 0, seen);
    },
  },
  {
    id: 'write-new-key',
    group: 'Writes',
    title: 'A new payment has a new key',
    why: 'The service takes a known key for a repetition: the new payment is refused or never made.',
    mend: 'Make a key for each batch of other invoices. Never derive it from something that two batches share, such as the day. A batch that was sent before keeps its key and its body.',
    judge(evidence) {
      const writes = writesIn(evidence, evidence.calls).filter(({ key }) => key !== '');
      const differ = writes.some((write) => writes.some((other) => !isSameWrite(write, other)));
      const seen = sameKeys(writes)
        .filter((pair) => !isRepetition(evidence, pair))
        .map(([before, next]) =>
          finding('Two different batches have the same idempotency key', before.call, next.call),
        );
      return checkResult(differ, seen);
    },
  },
  {
    id: 'write-backoff',
    group: 'Writes',
    title: 'Retries have pauses, and growing ones after 503',
    why: 'Retries at short, constant intervals from all clients keep an overloaded service from recovering.',
    mend: 'Double the pause with each retry, also after a lost response, add a random part, and give up after a few attempts.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'status', status: 503 }, times: 3 },
    judge(evidence) {
      const series = writesByRun(evidence).flatMap(seriesIn);
      const seen = series.flatMap((each) => {
        const fault = pauseFault(each);
        return fault === undefined ? [] : [finding(fault, ...each.calls)];
      });
      return checkResult(
        series.some(({ pauses }) => pauses.length > 1),
        seen,
      );
    },
  },
  {
    id: 'write-retry-after',
    group: 'Writes',
    title: 'A retry after 429 waits as long as Retry-After says',
    why: 'A client that calls earlier is refused again, and may be blocked.',
    mend: 'Read the header Retry-After of a 429, which has seconds or a date, and wait until then before the next attempt.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'tooMany', retryAfter: 2 }, times: 1 },
    judge(evidence) {
      const retries = attempts(evidence).filter(([{ call }]) => retryAfterOf(call) !== undefined);
      return checkResult(retries.length > 0, retries.flatMap(tooEarly));
    },
  },
  {
    id: 'write-refused',
    group: 'Writes',
    title: 'A refused write is not retried unchanged',
    why: 'A write that violates a rule is refused each time: the retries delay the report and burden the service.',
    mend: 'After a 4xx other than 401, 409 and 429, report the reason to the user. Send the write again only when it is corrected.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'status', status: 422 }, times: 2 },
    judge(evidence) {
      const writes = writesByRun(evidence).flat();
      const seen = attempts(evidence)
        .filter(([before, next]) => isRefused(before.call) && sameBody(before, next))
        .map(([before, next]) =>
          finding(`The program repeated a write that was refused with ${before.call.status}`, before.call, next.call),
        );
      return checkResult(
        writes.some(({ call }) => isRefused(call)),
        seen,
      );
    },
  },
];
