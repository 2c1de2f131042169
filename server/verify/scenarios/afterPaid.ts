import { atReading, heldBatch, type Scenario } from './scenario.ts';

/** What comes after a payment was paid: it comes back, or an earlier status is read once more. */
export const afterPaid: readonly Scenario[] = [
  {
    id: 'returned',
    expected: 12_000,
    title: 'Days after they were paid, one payment comes back whole, and one less charges',
    course: 'later',
    faults: [heldBatch],
    stepEvery: 1500,
    words: ['', 'returns', 'returns-less'],
    checks: ['write-returned', 'truth-returned', 'write-settled'],
  },
  {
    id: 'returned-by-event',
    expected: 12_000,
    title: 'A paid payment comes back, which a webhook alone says; once it is answered, the program is killed',
    course: 'later',
    killedAt: 'told',
    faults: [heldBatch],
    stepEvery: 1500,
    // The payment that is held keeps the program running.
    words: ['held', 'returns-silently'],
    checks: ['truth-returned', 'write-returned'],
  },
  {
    id: 'stale-status',
    expected: 8000,
    title: 'Days after the batch was paid, readings of it show an earlier status',
    course: 'later',
    faults: [],
    later: [
      atReading({ kind: 'changed', path: 'data.payments[].status', came: '"Processing' }),
      atReading({ kind: 'changed', path: 'data.status', came: '"Processing' }),
    ],
    checks: ['write-once', 'truth-failed'],
  },
];
