import { describe, expect, it } from 'vitest';
import { batch, judge, pay, run, verdict } from './madeEvidence.ts';

const lost = { status: 0, fault: 'answerLost' };
const late = { status: 0, fault: 'latency' };

describe('the check that each invoice is paid when nothing fails', () => {
  const calls = [pay(1, 0, 'k1')];

  it('passes for one batch or several', () => {
    expect(verdict('write-paid', { calls, batches: [batch(1)] })).toBe('passed');
    expect(verdict('write-paid', { calls, batches: [batch(1, ['A']), batch(2, ['B'])] })).toBe('passed');
  });

  it.each([
    ['an invoice without a payment', [batch(1, ['A'])], 'B is in no batch'],
    ['a failed payment', [batch(1, ['A']), batch(2, ['B'], 'Rejected')], 'The payment of B is Rejected'],
    ['two payments', [batch(1), batch(2, ['B'])], 'B was paid 2 times'],
  ])('fails for %s', (_, batches, says) => {
    expect(judge('write-paid', { calls, batches })).toMatchObject({ verdict: 'failed', seen: [{ says }] });
  });

  it('fails for another amount', () => {
    const paid = batch(1);
    const payments = paid.payments.map((each) => ({ ...each, amount: '10.00' }));
    expect(judge('write-paid', { calls, batches: [{ ...paid, payments }] })).toMatchObject({
      seen: [{ says: 'B was paid with 10.00 GBP instead of 20.50 GBP' }],
    });
  });

  it('is not exercised in another situation', () => {
    expect(verdict('write-paid', { scenario: 'lost-response', calls })).toBe('not exercised');
  });
});

describe('the check after a lost response', () => {
  it('fails for a second batch, naming the calls that made both', () => {
    const calls = [pay(1, 0, 'k1', lost), pay(2, 900, 'k2')];
    expect(judge('write-lost-response', { calls, batches: [batch(1, ['A']), batch(2, ['A'])] })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'A was paid 2 times', calls: [1, 2] }],
    });
  });

  it.each([
    ['a repetition under the same key', [pay(1, 0, 'k1', lost), pay(2, 900, 'k1')], [batch(1)]],
    ['a program that stops', [pay(1, 0, 'k1', lost)], [batch(1)]],
    [
      'a new batch after the first one failed',
      [pay(1, 0, 'k1', lost), pay(2, 900, 'k2')],
      [batch(1, ['A', 'B'], 'Failed'), batch(2)],
    ],
  ])('passes for %s', (_, calls, batches) => {
    expect(verdict('write-lost-response', { calls, batches })).toBe('passed');
  });

  it('is not exercised where the service did nothing', () => {
    expect(verdict('write-lost-response', { calls: [pay(1, 0, 'k1', { status: 503, isDone: false })] })).toBe(
      'not exercised',
    );
    expect(verdict('write-lost-response', { calls: [pay(1, 0, 'k1', late)] })).toBe('not exercised');
  });
});

describe('the check after a time-out', () => {
  it('fails for a second batch', () => {
    const calls = [pay(1, 0, 'k1', late), pay(2, 5000, 'k2')];
    expect(verdict('write-timeout', { calls, batches: [batch(1), batch(2)] })).toBe('failed');
  });

  it('passes for one batch, and is not exercised where the program waited for the response', () => {
    const calls = [pay(1, 0, 'k1', late), pay(2, 5000, 'k1')];
    expect(verdict('write-timeout', { calls, batches: [batch(1)] })).toBe('passed');
    expect(verdict('write-timeout', { calls: [pay(1, 0, 'k1', { fault: 'latency' })], batches: [batch(1)] })).toBe(
      'not exercised',
    );
  });
});

describe('the check after a restart', () => {
  const runs = [run(0, 1000, { ended: 'killed', exitStatus: null }), run(2000)];
  const calls = [pay(1, 500, 'k1', { status: 0, fault: 'noBody' }), pay(2, 2500, 'k2')];

  it('fails for a second batch of the second run', () => {
    expect(verdict('write-restart', { calls, runs, batches: [batch(1), batch(2)] })).toBe('failed');
    expect(verdict('write-restart', { calls, runs, batches: [batch(1)] })).toBe('passed');
  });

  it('is alone in judging the call that was under way when the program was killed', () => {
    expect(verdict('write-timeout', { calls, runs, batches: [batch(1), batch(2)] })).toBe('not exercised');
    expect(verdict('write-lost-response', { calls, runs, batches: [batch(1), batch(2)] })).toBe('not exercised');
  });

  it('is not exercised where the first run was not killed, or had not paid', () => {
    expect(verdict('write-restart', { calls, runs: [run(0, 1000), run(2000)], batches: [batch(1), batch(2)] })).toBe(
      'not exercised',
    );
    expect(verdict('write-restart', { calls: [pay(2, 2500, 'k2')], runs, batches: [batch(2)] })).toBe('not exercised');
  });
});

describe('the check of two instances', () => {
  const runs = [run(0), run(10)];

  it('fails for a batch of each, passes where one of them paid', () => {
    const calls = [pay(1, 500, 'k1'), pay(2, 510, 'k2')];
    expect(verdict('write-instances', { calls, runs, batches: [batch(1), batch(2)] })).toBe('failed');
    expect(verdict('write-instances', { calls: calls.slice(0, 1), runs, batches: [batch(1)] })).toBe('passed');
    expect(verdict('write-instances', { calls, runs: [run(0, 600), run(700)], batches: [batch(1)] })).toBe(
      'not exercised',
    );
  });
});

describe('the check that no invoice is paid twice', () => {
  const twice = [batch(1, ['A', 'B'], 'PartiallyCompleted'), batch(2, ['A'])];

  it.each(['works', 'payment-fails', 'unknown-status', 'next-invoices', 'conflict'])(
    'fails for a second payment in any scenario: %s',
    (scenario) => {
      const calls = [pay(1, 0, 'k1'), pay(2, 900, 'k2', { ids: ['A'] })];
      expect(judge('write-once', { scenario, calls, batches: twice.map((each) => ({ ...each })) })).toMatchObject({
        verdict: 'failed',
        seen: [{ says: 'A was paid 2 times', calls: [1, 2] }],
      });
    },
  );

  it('passes for a payment anew after the first one failed, and is not exercised without invoices', () => {
    const anew = [batch(1, ['A'], 'Failed'), batch(2, ['A']), batch(3, ['B'])];
    expect(verdict('write-once', { batches: anew })).toBe('passed');
    expect(verdict('write-once', { batches: anew, invoices: [] })).toBe('not exercised');
  });

  it('tells invoices of the same creditor and amount apart by their references, or else by their number', () => {
    const alike = ['A', 'B'].map((id) => ({
      ...{ id, reference: id, creditorId: 'c', creditorName: 'C', amount: '0.10', currency: 'GBP' },
    }));
    const paying = (number: number, references: readonly string[]) => ({
      ...batch(number),
      payments: references.map((reference, index) => ({
        ...{ paymentId: `${number}-${index}`, status: 'Completed', amount: '0.1', currency: 'GBP', creditorId: 'c' },
        reference,
      })),
    });
    const of = (...batches: ReturnType<typeof paying>[]) => verdict('write-once', { invoices: alike, batches });
    expect(of(paying(1, ['A']), paying(2, ['B']))).toBe('passed');
    expect(of(paying(1, ['A']), paying(2, ['A']))).toBe('failed');
    expect(of(paying(1, ['']), paying(2, ['']))).toBe('passed');
    expect(of(paying(1, ['', '']), paying(2, ['']))).toBe('failed');
  });
});

describe('the check that an interrupted payment is made in the end', () => {
  const killed = run(0, 900, { ended: 'killed', exitStatus: null });

  it('fails if no later run pays, and passes if one does', () => {
    const runs = [killed, run(1000, 5000, { exitStatus: 1 }), run(6000, 9000, { exitStatus: 1 })];
    expect(judge('write-settled', { scenario: 'killed-early', runs, batches: [batch(1, ['A'])] })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'B is not paid after 3 runs' }],
    });
    expect(verdict('write-settled', { scenario: 'killed', runs, batches: [batch(1)] })).toBe('passed');
    expect(verdict('write-settled', { runs: [run()], batches: [] })).toBe('not exercised');
  });
});
