import { describe, expect, it } from 'vitest';
import type { Outcome } from '#server/programs/checks/evidence.ts';
import { batch, judge, pay, read, run, verdict, webhook } from './madeEvidence.ts';

const calls = [pay(1, 0, 'k1'), read(2, 2000)];
const lost = { status: 0, fault: 'answerLost' };
const saying = (a: Outcome, b: Outcome = a) => [run(0, 9000, { result: { A: a, B: b } })];

describe('the check of “paid”', () => {
  it.each(['Completed', 'PaymentFileAvailable'])('passes for a payment that is %s', (status) => {
    expect(verdict('truth-paid', { calls, batches: [batch(1, ['A', 'B'], status)], runs: saying('paid') })).toBe(
      'passed',
    );
  });

  it.each(['Failed', 'Rejected', 'Processing', 'Returned'])('fails for a payment that is %s', (status) => {
    const batches = [batch(1, ['A']), batch(2, ['B'], status)];
    expect(judge('truth-paid', { calls, batches, runs: saying('paid') })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: expect.stringContaining('B: the program says that it is paid') as unknown, calls: [1] }],
    });
  });

  it('fails for exit status 0 without a result file if an invoice is not paid', () => {
    expect(verdict('truth-paid', { calls, batches: [batch(1, ['A'])], runs: [run()] })).toBe('failed');
    expect(verdict('truth-paid', { calls, batches: [batch(1)], runs: [run()] })).toBe('passed');
  });

  it('fails for exit status 0 of an instance that ended before the service had answered the other one', () => {
    const late = [pay(1, 0, 'k1', { ms: 1500 }), read(2, 2000)];
    const both = (to: number) => ({ calls: late, batches: [batch(1)], runs: [run(), run(0, to)] });
    expect(judge('truth-paid', both(300))).toMatchObject({
      verdict: 'failed',
      seen: [
        {
          says: expect.stringMatching(
            /^A: run 2 says by its exit status that it is paid; it was paid later/,
          ) as unknown,
          mend: expect.stringContaining('another status than 0') as unknown,
        },
        {},
      ],
    });
    expect(verdict('truth-paid', both(1800))).toBe('passed');
  });

  it('is not exercised by a program that was ended from outside', () => {
    const runs = [run(0, 9000, { ended: 'limit', exitStatus: null })];
    expect(verdict('truth-paid', { calls, batches: [], runs })).toBe('not exercised');
  });
});

describe('the check of “failed”', () => {
  it('passes for a failed, a refused and an unsent payment', () => {
    const batches = [batch(1, ['A'], 'Failed')];
    expect(verdict('truth-failed', { calls, batches, runs: saying('failed') })).toBe('passed');
  });

  it('fails for a payment that is made, or may still be', () => {
    expect(verdict('truth-failed', { calls, batches: [batch(1)], runs: saying('failed') })).toBe('failed');
    expect(
      verdict('truth-failed', { calls, batches: [batch(1, ['A', 'B'], 'Received')], runs: saying('failed') }),
    ).toBe('failed');
  });
});

describe('the check of “unknown”', () => {
  const noResponse = [pay(1, 0, 'k1', lost)];

  it('passes for an unknown outcome after a lost response', () => {
    expect(verdict('truth-unknown', { calls: noResponse, batches: [batch(1)], runs: saying('unknown') })).toBe(
      'passed',
    );
    const runs = [run(0, 9000, { exitStatus: 1 })];
    expect(verdict('truth-unknown', { calls: noResponse, batches: [batch(1)], runs })).toBe('passed');
  });

  it.each(['paid', 'failed'] as const)('fails for a guess of %s after a lost response', (outcome) => {
    expect(verdict('truth-unknown', { calls: noResponse, batches: [batch(1)], runs: saying(outcome) })).toBe('failed');
  });

  it.each([
    ['a repetition', [...noResponse, pay(2, 900, 'k1')], []],
    ['reading the batch', [...noResponse, read(2, 900)], []],
    ['a webhook', noResponse, [webhook(undefined, 200)]],
  ])('is not exercised by “paid” where %s says so', (_, made, webhooks) => {
    expect(verdict('truth-unknown', { calls: made, webhooks, batches: [batch(1)], runs: saying('paid') })).toBe(
      'not exercised',
    );
  });

  it('allows “failed” after 503 and 422, which say that nothing was done', () => {
    const made = [503, 422].map((status, index) => pay(index + 1, index * 900, 'k1', { status, isDone: false }));
    expect(verdict('truth-unknown', { calls: made, runs: saying('failed') })).toBe('not exercised');
  });

  it('fails for “unknown” where the program has read the outcome', () => {
    expect(judge('truth-unknown', { calls, batches: [batch(1)], runs: saying('paid', 'unknown') })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'B: the program says that it is unknown; it has read that it is paid' }],
    });
  });

  it('passes for “unknown” of a batch that had not ended when it was read last', () => {
    const early = read(2, 900, { response: { headers: {}, body: '{"data":{"status":"Processing"}}' } });
    expect(
      verdict('truth-unknown', { calls: [pay(1, 0, 'k1'), early], batches: [batch(1)], runs: saying('unknown') }),
    ).toBe('passed');
  });

  it('takes a status other than 0 for “not all are paid”, so it passes where one payment failed', () => {
    const batches = [batch(1, ['A']), batch(1, ['B'], 'Failed')];
    expect(verdict('truth-unknown', { calls, batches, runs: [run(0, 9000, { exitStatus: 1 })] })).toBe('passed');
    expect(verdict('truth-unknown', { calls, batches: [batch(1)], runs: [run(0, 9000, { exitStatus: 1 })] })).toBe(
      'failed',
    );
  });
});

it('an exit status that says “not all are paid” is right while the program has not read each invoice, also if all are paid', () => {
  const sent = [pay(1, 0, 'k1', { ...lost, ids: ['A'] }), pay(2, 500, 'k2', { ids: ['B'] })];
  const readB = read(3, 2000, { path: '/v3/batchpayments/batch-2' });
  const both = { batches: [batch(1, ['A']), batch(2, ['B'])], runs: [run(0, 9000, { exitStatus: 1 })] };
  expect(verdict('truth-unknown', { calls: [...sent, readB], ...both })).toBe('passed');
  expect(verdict('truth-unknown', { calls: [...sent, readB, read(4, 3000)], ...both })).toBe('failed');
  const webhooks = [webhook('duplicate', 204)];
  expect(verdict('webhook-duplicate', { calls: [...sent, readB], ...both, webhooks })).toBe('passed');
});

describe('a statement of a run before another one', () => {
  const runs = (outcome: Outcome) => [
    run(0, 900, { exitStatus: 1, result: { A: outcome, B: outcome } }),
    run(2000, 9000, { result: { A: 'paid', B: 'paid' } }),
  ];
  const paidLater = [batch(1)].map((each) => ({ ...each, at: each.at + 2500 }));
  const later = [pay(1, 2500, 'k1'), read(2, 4000)];

  it('is compared with what was true when the other one began', () => {
    expect(verdict('truth-failed', { calls: later, batches: paidLater, runs: runs('failed') })).toBe('passed');
    expect(verdict('truth-unknown', { calls: later, batches: paidLater, runs: runs('unknown') })).toBe('passed');
    expect(verdict('truth-paid', { calls: later, batches: paidLater, runs: runs('paid') })).toBe('failed');
  });

  it('is a guess if only the later run had a response', () => {
    const made = [pay(1, 0, 'k1', lost), ...later];
    expect(verdict('truth-unknown', { calls: made, batches: [batch(1)], runs: runs('paid') })).toBe('failed');
  });
});

describe('the check of the result file', () => {
  it('fails for a file that is not as documented, and is not exercised without one', () => {
    const says = 'The result file is not JSON';
    expect(judge('truth-result', { runs: [run(0, 9000, { result: says })] })).toEqual({
      verdict: 'failed',
      seen: [{ says, calls: [] }],
    });
    expect(verdict('truth-result', { runs: saying('paid') })).toBe('passed');
    expect(verdict('truth-result', {})).toBe('not exercised');
  });
});

describe('the check that the program ends', () => {
  it('fails for a run that the limit has ended, and for nothing else', () => {
    expect(verdict('truth-ends', { runs: [run(0, 60_000, { ended: 'limit', exitStatus: null })] })).toBe('failed');
    expect(verdict('truth-ends', { runs: [run()] })).toBe('passed');
    expect(verdict('truth-ends', { runs: [run(0, 900, { ended: 'killed', exitStatus: null })] })).toBe('not exercised');
  });

  it.each([
    ['noBody', 'the body of the response'],
    ['latency', 'the response'],
  ])('names the call for which such a run still waits, and the time-out that is missing: %s', (fault, until) => {
    const runs = [run(0, 60_000, { ended: 'limit', exitStatus: null })];
    const held = pay(1, 500, 'k1', { status: 0, fault });
    const after = (ms: number) => judge('truth-ends', { calls: [{ ...held, ms }], runs });
    const mend = expect.stringContaining('time-out') as unknown;
    expect(after(59_500)).toMatchObject({ seen: [{ says: `A run was ended after 60 s, while it waited for ${until} to POST /v3/batchpayments`, calls: [1], mend }] }); // prettier-ignore
    expect(after(5000)).toMatchObject({ seen: [{ says: 'A run was ended after 60 s', calls: [] }] });
  });

  it('does not judge a program whose batch never ends', () => {
    const runs = [run(0, 30_000, { ended: 'limit' as const, exitStatus: null })];
    expect(verdict('truth-ends', { scenario: 'endless-batch', runs })).toBe('not exercised');
    const again = [...runs, run(31_000, 91_000, { ended: 'limit' as const, exitStatus: null })];
    expect(verdict('truth-ends', { scenario: 'endless-batch', runs: again })).toBe('failed');
  });
});

describe('a result that says paid', () => {
  const says = [run(0, 3000, { result: { A: 'paid', B: 'paid' } })];
  const processing = { response: { headers: {}, body: '{"data":{"status":"Processing","payments":[]}}' } };

  it.each([
    ['had read a status that is not final', [read(2, 1000, processing)]],
    ['had read nothing', []],
    ['read the final status only afterwards', [read(2, 1000, processing), read(3, 4000)]],
  ])('is premature if the program %s', (_, reads) => {
    expect(verdict('truth-paid', { calls: [pay(1, 0, 'k1'), ...reads], batches: [batch(1)], runs: says })).toBe(
      'failed',
    );
  });

  it('is right if the program had read it', () => {
    expect(verdict('truth-paid', { calls: [pay(1, 0, 'k1'), read(2, 2000)], batches: [batch(1)], runs: says })).toBe(
      'passed',
    );
  });
});
