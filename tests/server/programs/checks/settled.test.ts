import { expect, it } from 'vitest';
import type { Outcome } from '#server/programs/checks/evidence.ts';
import { isLeftAlone, openInvoices } from '#server/programs/checks/settled.ts';
import { batch, evidence, pay, read, run } from './madeEvidence.ts';

const says = (from: number, to: number, outcome: Outcome) =>
  run(from, to, { exitStatus: 1, result: { A: outcome, B: outcome } });
const seen = { calls: [pay(1, 500, 'k1'), read(2, 700)], batches: [batch(1)] };

it.each<[string, number, ReturnType<typeof says>[]]>([
  ['settled if the first one knows', 0, [says(0, 900, 'paid'), says(10, 800, 'unknown')]],
  ['settled if the second one knows', 0, [says(0, 800, 'unknown'), says(10, 900, 'paid')]],
  ['open if neither knows', 2, [says(0, 800, 'unknown'), says(10, 900, 'unknown')]],
  ['open if a later run does not know', 2, [says(0, 900, 'paid'), says(900, 1800, 'unknown')]],
  ['settled if a later run knows', 0, [says(0, 900, 'unknown'), says(10, 800, 'unknown'), says(950, 1800, 'paid')]],
])('Invoices of two instances are %s (behaviour 10.21.18)', (_, open, runs) => {
  expect(openInvoices(evidence({ ...seen, runs }))).toHaveLength(open);
});

it.each<[string, boolean, Parameters<typeof evidence>[0]]>([
  ['is not sent', true, { calls: [pay(1, 500, 'k1')], batches: [] }],
  ['is not read', true, { calls: [pay(1, 500, 'k1', { status: 0 })], batches: [batch(1)] }],
  [
    'is not sent, beside another one that is',
    true,
    { calls: [pay(1, 1500, 'k1', { ids: ['A'] })], batches: [batch(1, ['A'])] },
  ],
  [
    'is sent again',
    false,
    { calls: [pay(1, 500, 'k1', { status: 0 }), pay(2, 1500, 'k1', { status: 0 })], batches: [batch(1)] },
  ],
  ['is read', false, { calls: [pay(1, 500, 'k1', { status: 0 }), read(2, 1500)], batches: [batch(1)] }],
])('An open invoice that %s by the run after a kill is left alone: %s (behaviour 10.21.20)', (_, isAlone, more) => {
  const runs = [run(0, 900, { ended: 'killed', exitStatus: null }), says(1000, 5000, 'unknown')];
  expect(isLeftAlone(evidence({ ...more, runs }))).toBe(isAlone);
});
