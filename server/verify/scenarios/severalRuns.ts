import { atBatch, everyTime, type Scenario } from './scenario.ts';

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
  {
    id: 'killed',
    // Where a lock is left behind, it waits for a minute.
    expected: 15_000,
    title: 'The program is killed while it pays, and started again',
    course: 'killed',
    faults: [atBatch({ kind: 'noBody' })],
    checks: ['write-restart', 'write-settled'],
  },
  {
    id: 'killed-early',
    // Where a lock is left behind, it waits for a minute.
    expected: 15_000,
    title: 'The program is killed before its first batch exists, and started again',
    course: 'killed-early',
    faults: [atBatch({ kind: 'noAnswer' })],
    checks: ['write-settled', 'write-restart'],
  },
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
    title: 'A minute and a local day end between a kill and the next run, if keys are made from the invoices',
    course: 'killed',
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
