import { atBatch, atReading, everyTime, type Moment, type Scenario } from './scenario.ts';

/** A scenario in which runs are killed. Where a lock is left behind, it waits for a minute. */
const killed = (
  id: string,
  killedAt: Moment,
  checks: readonly string[],
  more: Pick<Scenario, 'title' | 'faults'>,
): Scenario => ({ id, expected: 15_000, course: 'killed', killedAt, checks, ...more });

/** The program runs more than once: for the next file, after a kill, or twice at the same time. */
export const severalRuns: readonly Scenario[] = [
  {
    id: 'next-invoices',
    title: 'The program runs again with invoices that differ by their references only',
    course: 'again',
    faults: [],
    alike: true,
    checks: ['write-new-key', 'write-paid', 'write-once'],
  },
  {
    id: 'next-file',
    title: 'The program pays two bank files in a row',
    course: 'again',
    faults: [],
    byFile: true,
    checks: ['write-new-key', 'write-once', 'request-file-link'],
  },
  {
    id: 'repeated-invoices',
    title: 'The next file repeats invoices that are paid, in another order and beside new ones',
    course: 'again',
    faults: [],
    repeats: true,
    checks: ['write-paid', 'write-once', 'write-settled'],
  },
  {
    id: 'repeated-unknown',
    expected: 20000,
    title: 'The next file repeats invoices whose responses were all lost, beside new ones',
    course: 'again',
    faults: [atBatch({ kind: 'answerLost' }, everyTime)],
    repeats: true,
    checks: ['write-once', 'write-settled', 'truth-unknown'],
  },
  killed('killed', 'accepted', ['write-restart', 'write-settled'], {
    title: 'The program is killed while it pays, and started again',
    faults: [atBatch({ kind: 'noBody' })],
  }),
  killed('killed-early', 'sent', ['write-settled', 'write-restart'], {
    title: 'The program is killed before its first batch exists, and started again',
    faults: [atBatch({ kind: 'noAnswer' })],
  }),
  killed('killed-unanswered', 'refused', ['write-restart', 'write-once', 'write-settled'], {
    title: 'The program is killed after a lost response, after a conflict, and after a response that broke off',
    faults: [
      atBatch({ kind: 'answerLost' }, everyTime),
      atBatch({ kind: 'status', status: 409 }, everyTime),
      atBatch({ kind: 'truncated' }, everyTime),
    ],
  }),
  killed('killed-refused', 'refused', ['write-once', 'write-settled'], {
    title: 'The program is killed after the service was unavailable, had too many calls, and refused the token',
    faults: [
      atBatch({ kind: 'status', status: 503 }, everyTime),
      atBatch({ kind: 'tooMany', retryAfter: 1 }, everyTime),
      atBatch({ kind: 'expiredToken' }),
    ],
  }),
  killed('killed-reading', 'read', ['write-restart', 'write-once', 'write-settled'], {
    title: 'The program is killed after readings that failed, and after one with an unknown status',
    faults: [
      atReading({ kind: 'status', status: 404 }, everyTime),
      atReading({ kind: 'truncated' }, everyTime),
      atReading({ kind: 'unknownStatus' }, everyTime),
    ],
  }),
  {
    id: 'minute-ends',
    expected: 65_000,
    title: 'A minute ends between the first attempt and the next one, if keys are made from the invoices',
    course: 'once',
    faults: [atBatch({ kind: 'latency', ms: 600_000 })],
    atMinuteEnd: true,
    checks: ['write-same-key', 'write-timeout', 'write-once'],
  },
  {
    id: 'killed-at-minute-end',
    expected: 65_000,
    title: 'A minute and a day end between a kill and the next run, if keys are made from the invoices',
    course: 'killed',
    killedAt: 'accepted',
    faults: [atBatch({ kind: 'noBody' })],
    atMinuteEnd: true,
    dayEnds: true,
    checks: ['write-restart', 'write-once'],
  },
  {
    id: 'two-instances',
    expected: 25_000,
    title: 'Two instances plan and pay at the same time',
    course: 'twice',
    // Until both have called; before, their calls for a token are held likewise.
    faults: [atBatch({ kind: 'latency', ms: 600_000 }, everyTime)],
    checks: ['write-instances'],
  },
];
