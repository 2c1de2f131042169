import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { endOf, finding, isUnknown, checkResult, type Check, type Finding } from './evidence.ts';
import {
  attempts,
  attemptsIn,
  bodyWithoutVolatile,
  isRefused,
  writesByRun,
  type Attempts,
  type Write,
} from './writes.ts';

const sameBody = (one: Write, other: Write): boolean =>
  bodyWithoutVolatile(one.call.body) === bodyWithoutVolatile(other.call.body);

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

/** Checks of when writes are sent again, and whether they are. */
export const retryChecks: readonly Check[] = [
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
