import { describe, expect, it } from 'vitest';
import type { RecordedBatch } from '#server/sandbox/recorded.ts';
import type { Outcome } from '#server/programs/checks/evidence.ts';
import { batch, bodyFor, judge, pay, read, run, verdict, webhook } from './madeEvidence.ts';

const begin = 1_700_000_000_000;

/** The first batch, whose payment of B came back so many ms after the beginning; `told` by its status or by a webhook alone. */
function cameBack(after: number, told = 'both'): RecordedBatch {
  const paid = batch(1);
  const returned = { at: new Date(begin + after).toISOString(), reason: 'AC04', amount: '20.50', charges: '0', told };
  const status = told === 'event' ? 'Completed' : 'Returned';
  const payments = paid.payments.map((each) => (each.reference === 'B' ? { ...each, status, returned } : each));
  return { ...paid, payments };
}

const saying = (b: Outcome) => ({ result: { A: 'paid', B: b } as const });
const body = (status: string) =>
  JSON.stringify({
    data: { status: 'Completed', payments: [{ status: 'Completed' }, { paymentId: 'payment-1-1', status }] },
  });
const readAs = (number: number, after: number, status: string) =>
  read(number, after, { response: { headers: {}, body: body(status) } });

/** Two runs: the first one says paid; the payment comes back after it, and the second one reads this status, and says something. */
const later = (status: string, b: Outcome) => ({
  calls: [pay(1, 0, 'k1'), read(2, 2000), readAs(3, 20_500, status)],
  batches: [cameBack(15_000)],
  runs: [run(0, 9000, saying('paid')), run(20_000, 22_000, saying(b))],
});

/** One run, to which a webhook says so, answered with this status. */
const told = (status: number, b: Outcome, fault?: string) => ({
  calls: [pay(1, 0, 'k1'), read(2, 2000)],
  webhooks: [
    {
      ...webhook(fault, status),
      deliveries: webhook(fault, status, { at: begin + 4000 }).deliveries.map((each) => ({
        ...each,
        body: body('Returned'),
      })),
    },
  ],
  batches: [cameBack(3000, 'event')],
  runs: [run(0, 9000, saying(b))],
});

describe('the check of “returned” (behaviour 10.21.30)', () => {
  it.each<[string, Outcome, string]>([
    ['Returned', 'returned', 'passed'],
    ['Returned', 'paid', 'failed'],
    ['Returned', 'failed', 'failed'],
    ['Returned', 'unknown', 'not exercised'],
    ['Completed', 'paid', 'not exercised'],
  ])('of a later run that has read %s and says %s is: %s', (status, outcome, expected) => {
    expect(verdict('truth-returned', later(status, outcome))).toBe(expected);
  });

  it.each<[string, number, Outcome, string | undefined, string]>([
    ['answered with 204', 204, 'returned', undefined, 'passed'],
    ['answered with 204', 204, 'paid', undefined, 'failed'],
    ['refused', 500, 'paid', undefined, 'not exercised'],
    ['forged', 204, 'paid', 'badSignature', 'not exercised'],
  ])(
    'of a run to which a webhook alone says so, %s with %i, which says %s is, with the fault %s: %s',
    (_, status, outcome, fault, expected) => {
      expect(verdict('truth-returned', told(status, outcome, fault))).toBe(expected);
    },
  );

  it('fails for what never came back', () => {
    expect(judge('truth-returned', { ...told(204, 'returned'), batches: [batch(1)] })).toMatchObject({
      seen: [{ says: 'B: the program says that it is returned; it is paid' }],
    });
  });

  it('leaves the run that had ended before, and one that has read nothing since, to say paid', () => {
    for (const status of ['Returned', 'Completed'])
      for (const id of ['truth-paid', 'truth-failed', 'truth-unknown'])
        expect(verdict(id, later(status, 'paid'))).not.toBe('failed');
    expect(verdict('write-settled', later('Returned', 'unknown'))).toBe('passed');
  });
});

describe('the check of what came back (behaviour 10.21.30)', () => {
  const again = (ids: string[], key: string) => pay(9, 21_000, key, { ids, body: bodyFor(ids) });

  it('passes for a later run that pays nothing', () => {
    expect(verdict('write-returned', later('Returned', 'returned'))).toBe('passed');
  });

  it('fails for a second payment, also one that came back or whose program says so', () => {
    const { calls, batches, runs } = later('Returned', 'returned');
    expect(
      judge('write-returned', { calls: [...calls, again(['B'], 'k2')], batches: [...batches, batch(2, ['B'])], runs }),
    ).toMatchObject({
      seen: [{ says: 'B came back and was paid again, which no file asked for', calls: [1, 9] }],
    });
  });

  it('is left to write-once where a program pays again whatever was paid', () => {
    const { calls, batches, runs } = later('Returned', 'returned');
    const all = { calls: [...calls, again(['A', 'B'], 'k2')], batches: [...batches, batch(2)], runs };
    expect([verdict('write-returned', all), verdict('write-once', all)]).toEqual(['not exercised', 'failed']);
  });
});
