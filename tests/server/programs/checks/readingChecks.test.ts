import { describe, expect, it } from 'vitest';
import { closedUnanswered } from '#server/sandbox/webhooks/attemptOutcome.ts';
import { batch, call, judge, pay, read, run, verdict, webhook } from './madeEvidence.ts';

const paid = { A: 'paid', B: 'paid' } as const;

describe.each([
  ['reading-unknown-members', 'extraMembers'],
  ['reading-null-members', 'nullMembers'],
])('the check %s', (id, fault) => {
  const calls = [pay(1, 0, 'k1', { fault }), read(2, 2000, { fault })];
  const batches = [batch(1)];

  it('passes for a program that pays and reports as usual', () => {
    expect(verdict(id, { calls, batches, runs: [run(0, 9000, { result: paid })] })).toBe('passed');
    expect(verdict(id, { calls, batches })).toBe('passed');
  });

  it.each([
    ['crashes', run(0, 9000, { exitStatus: 1 })],
    ['takes the response for a failure', run(0, 9000, { result: { A: 'failed', B: 'failed' } })],
    ['cannot say what is paid', run(0, 9000, { exitStatus: 1, result: {} })],
  ])('fails for a program that %s', (_, ended) => {
    expect(verdict(id, { calls, batches, runs: [ended] })).toBe('failed');
  });

  it('passes for a program that does not read and says unknown, or that was ended by the limit', () => {
    const unread = calls.filter(({ operation }) => operation !== 'batch');
    const unsure = run(0, 9000, { exitStatus: 1, result: { A: 'unknown', B: 'unknown' } });
    expect(verdict(id, { calls: unread, batches, runs: [unsure] })).not.toBe('failed');
    expect(verdict(id, { calls, batches, runs: [run(0, 9000, { ended: 'limit', exitStatus: null })] })).toBe('passed');
  });

  it('is not exercised without such a response, or by a program that pays in no situation', () => {
    expect(verdict(id, { calls: [pay(1, 0, 'k1')], batches })).toBe('not exercised');
    expect(verdict(id, { calls, batches, works: false, runs: [run(0, 9000, { exitStatus: 1 })] })).toBe(
      'not exercised',
    );
  });
});

describe('the check of an unknown status', () => {
  const fault = 'unknownStatus';
  const calls = [pay(1, 0, 'k1'), read(2, 2000, { fault })];
  const batches = [batch(1)];
  const saying = (outcome: 'paid' | 'failed' | 'unknown') => [run(0, 9000, { result: { A: outcome, B: outcome } })];

  it('passes for a program that reads on until the batch is completed', () => {
    expect(verdict('reading-unknown-status', { calls: [...calls, read(3, 4000)], batches, runs: saying('paid') })).toBe(
      'passed',
    );
  });

  it('passes for a program that says unknown in its file, or by its status after it has read on', () => {
    expect(verdict('reading-unknown-status', { calls, batches, runs: saying('unknown') })).toBe('passed');
    const twice = [...calls, read(3, 4000, { fault })];
    expect(verdict('reading-unknown-status', { calls: twice, batches, runs: [run(0, 9000, { exitStatus: 3 })] })).toBe(
      'passed',
    );
  });

  it('fails for a program that crashes at it', () => {
    expect(verdict('reading-unknown-status', { calls, batches, runs: [run(0, 9000, { exitStatus: 1 })] })).toBe(
      'failed',
    );
  });

  it('fails for a program that takes it for a success or a failure', () => {
    expect(verdict('reading-unknown-status', { calls, batches, runs: saying('paid') })).toBe('failed');
    expect(verdict('reading-unknown-status', { calls, batches, runs: saying('failed') })).toBe('failed');
  });
});

describe('the check of polls', () => {
  const polls = (...at: number[]) => at.map((each, index) => read(index + 1, each));

  it('fails for several readings of a batch within a second', () => {
    expect(judge('reading-polls', { calls: polls(0, 200, 400) })).toMatchObject({
      verdict: 'failed',
      seen: [{ calls: [1, 2, 2, 3] }],
    });
  });

  it.each([
    ['one reading each second', polls(0, 1002, 2001)],
    ['one reading that comes early', polls(0, 1002, 1300)],
    [
      'readings of different batches',
      [
        ...polls(0, 1000),
        read(3, 100, { path: '/v3/batchpayments/2' }),
        read(4, 1100, { path: '/v3/batchpayments/2' }),
      ],
    ],
    ['repetitions of a failed reading', [read(1, 0, { status: 500 }), read(2, 100, { status: 0 }), read(3, 300)]],
    [
      'readings for a new link',
      [
        read(1, 0),
        call(2, 50, { operation: 'paymentFile', status: 410 }),
        read(3, 100),
        call(4, 150, { operation: 'paymentFile', status: 410 }),
        read(5, 200),
      ],
    ],
  ])('passes for %s', (_, calls) => {
    expect(verdict('reading-polls', { calls })).toBe('passed');
  });

  it('passes for readings because of a webhook', () => {
    const webhooks = [webhook(undefined, 200, { at: read(1, 150).at })];
    expect(verdict('reading-polls', { calls: polls(0, 200, 400), webhooks })).toBe('passed');
  });

  it.each([
    ['is answered later', 200, 'accepted with 200', 300],
    ['the program does not live to answer', 0, closedUnanswered, 40],
    ['is not answered in time', 0, 'no answer within 10 s', 10_000],
  ])('passes for readings because of a webhook that %s', (_, status, outcome, ms) => {
    const webhooks = [webhook(undefined, status, { at: read(1, 150).at, outcome, ms })];
    expect(verdict('reading-polls', { calls: polls(0, 200, 400, 600), webhooks })).toBe('passed');
  });

  it('fails for fast readings beside a webhook that nobody took', () => {
    const webhooks = [webhook(undefined, 0, { at: read(1, 150).at, outcome: 'connection refused', ms: 1 })];
    expect(verdict('reading-polls', { calls: polls(0, 200, 400), webhooks })).toBe('failed');
  });

  it('is not exercised by one reading', () => {
    expect(verdict('reading-polls', { calls: polls(0) })).toBe('not exercised');
  });
});

describe('the check of links to files', () => {
  const expired = call(2, 100, { operation: 'paymentFile', path: '/files/batch-1', status: 410 });

  it('passes where the batch is read again, and fails where it is not', () => {
    expect(verdict('reading-file-link', { calls: [read(1, 0), expired, read(3, 200)] })).toBe('passed');
    expect(verdict('reading-file-link', { calls: [read(1, 0), expired, { ...expired, number: 3 }] })).toBe('failed');
    expect(verdict('reading-file-link', { calls: [read(1, 0)] })).toBe('not exercised');
    expect(verdict('reading-file-link', { calls: [read(1, 0), expired], runs: [] })).toBe('not exercised');
    expect(verdict('reading-file-link', { calls: [read(1, 0), expired, read(3, 200)], runs: [] })).toBe('passed');
  });
});
