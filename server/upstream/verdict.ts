import { flawOfRefusal, type Received } from './strict.ts';
import { header } from './wire.ts';

/**
 * What an answer says about the write that it answers. `done`: it was done, if the answer also names what was created
 * and is this request’s (writeReplies.ts); `refused`: nothing was done; `unknown`: it may have been done.
 */
export type Verdict = 'done' | 'refused' | 'unknown';

interface Statuses {
  /** The first and last status of each range. */
  ranges: readonly (readonly [from: number, to: number])[];
  verdict: Verdict;
  why: string;
}

const one = (...statuses: number[]) => statuses.map((status) => [status, status] as const);

/**
 * Which statuses are believed, each in one line. A refusal (4xx) is believed only in the strict shape (strict.ts).
 * docs/wire.md shows the table.
 */
export const verdicts: readonly Statuses[] = [
  {
    ranges: [[100, 199]],
    verdict: 'unknown',
    why: 'Announces an answer, which counts, or another protocol (101), which was not asked for.',
  },
  {
    ranges: one(200, 201, 202),
    verdict: 'done',
    why: 'The statuses of the protocol. Where a write creates something, the answer must name its id: without one the outcome is unknown.',
  },
  {
    ranges: one(204),
    verdict: 'done',
    why: 'The same without a body: only for writes that create nothing (messages, changes of a subscription).',
  },
  {
    ranges: [
      [203, 203],
      [205, 299],
    ],
    verdict: 'unknown',
    why: 'Changed by a proxy (203), parts or lists of answers (206, 207), or of no meaning here.',
  },
  {
    ranges: [[300, 399]],
    verdict: 'unknown',
    why: 'Not followed. 303 is sent after the work was done; the others may come from a proxy on either side of it.',
  },
  {
    ranges: one(400, 401, 403, 404, 405, 410, 413, 414, 415, 422, 431, 451),
    verdict: 'refused',
    why: 'Statuses by which a service refuses a request before it works on it. A proxy sends them too, so they need the strict shape of 4.4.',
  },
  {
    ranges: one(429),
    verdict: 'refused',
    why: 'The service takes no more requests. In the strict shape of 4.4 it says that it did not take this one; a limit of a proxy, or Retry-After alone, says nothing.',
  },
  {
    ranges: one(408, 425),
    verdict: 'unknown',
    why: 'About the connection: the service may have started before it sent a time-out, or a proxy may have sent the request twice.',
  },
  {
    ranges: one(407, 421, 499),
    verdict: 'unknown',
    why: 'Sent by proxies, before or after they passed the request on; 499 after the work may have begun.',
  },
  {
    ranges: one(409),
    verdict: 'unknown',
    why: 'By 4.2 the key is known with another body, or the first request is still being worked on: that one may have been done.',
  },
  {
    ranges: one(406, 412),
    verdict: 'unknown',
    why: 'About the form of the answer, or a condition that was not sent: found out after the work as well as before.',
  },
  {
    ranges: [
      [402, 402],
      [411, 411],
      [416, 420],
      [423, 424],
      [426, 428],
      [430, 430],
      [432, 450],
      [452, 498],
    ],
    verdict: 'unknown',
    why: 'Have no meaning in this protocol; several are of proxies and web servers.',
  },
  {
    ranges: [[500, 599]],
    verdict: 'unknown',
    why: 'The service, or a proxy before it (502 to 504, 520 to 530), failed, perhaps after the work. 503 does not say otherwise.',
  },
  {
    ranges: [[600, 999]],
    verdict: 'unknown',
    why: 'Not HTTP.',
  },
];

const byStatus = new Map<number, Verdict>(
  verdicts.flatMap(({ ranges, verdict }) =>
    ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => [from + at, verdict] as const)),
  ),
);

/** Returns what a status says about a write; a refusal also needs the strict shape. */
export const verdictOfStatus = (status: number): Verdict => byStatus.get(status) ?? 'unknown';

/** Returns what the answer to a write says about it. */
export function verdictOf(received: Received): Verdict {
  const verdict = verdictOfStatus(received.status);
  return verdict === 'refused' && flawOfRefusal(received) !== '' ? 'unknown' : verdict;
}

/** Those of 4xx that ask to wait, so that a repeat may be answered otherwise. */
const passing: readonly number[] = [408, 425, 429];

/** Whether a repeat would be refused by this status again, unless something is changed first. Says nothing about the write. */
export const isLasting = (status: number): boolean => status >= 400 && status < 500 && !passing.includes(status);

/** Whether an answer has the interaction id of another request. */
export const isOfAnother = ({
  interactionId,
  headers,
}: Pick<Received, 'headers'> & { interactionId: string }): boolean =>
  !['', interactionId.toLowerCase()].includes((headers[header.interaction] ?? '').toLowerCase());
