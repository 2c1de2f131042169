import { describe, expect, it } from 'vitest';
import { closedUnanswered } from '#server/sandbox/webhooks/attemptOutcome.ts';
import type { Outcome } from '#server/programs/checks/evidence.ts';
import { isLeftAlone, openInvoices } from '#server/programs/checks/settled.ts';
import { batch, call, judge, pay, read, run, verdict, webhook, evidence } from './madeEvidence.ts';

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

describe('the check of answers to webhooks', () => {
  it.each([
    ['passed', webhook(undefined, 204)],
    ['failed', webhook(undefined, 500)],
    ['failed', webhook(undefined, 200, { ms: 10_500 })],
    ['failed', webhook(undefined, 0, { ms: 10_000 })],
    ['not exercised', webhook(undefined, 0)],
    ['not exercised', webhook('badSignature', 401)],
  ])('has %s for %j', (expected, delivered) => {
    expect(verdict('webhook-answered', { webhooks: [delivered] })).toBe(expected);
  });
});

describe.each([
  ['webhook-forged', 'badSignature'],
  ['webhook-altered', 'alteredBody'],
  ['webhook-old', 'oldTimestamp'],
])('the check %s', (id, fault) => {
  it.each([
    ['failed', 200],
    ['failed', 204],
    ['passed', 401],
    ['passed', 400],
    ['not exercised', 0],
  ])('has %s for an answer of %i', (expected, status) => {
    expect(verdict(id, { webhooks: [webhook(fault, status), webhook(undefined, 200)] })).toBe(expected);
  });
});

describe('the check of unknown types', () => {
  it('fails for a refused webhook, passes for an acknowledged one', () => {
    expect(verdict('webhook-unknown-type', { webhooks: [webhook('unknownType', 422)] })).toBe('failed');
    expect(verdict('webhook-unknown-type', { webhooks: [webhook('unknownType', 202)] })).toBe('passed');
  });
});

describe.each([
  ['webhook-duplicate', 'duplicate'],
  ['webhook-order', 'reorder'],
])('the check %s', (id, fault) => {
  const after = (outcome: 'paid' | 'unknown', status = 200, works = true) => ({
    webhooks: [webhook(fault, status)],
    batches: [batch(1)],
    works,
    runs: [run(0, 5000, { result: { A: outcome, B: 'paid' as const } })],
  });

  it('fails for a refusal, and for a result that differs from what is paid', () => {
    expect(verdict(id, after('paid', 409))).toBe('failed');
    const calls = [read(1, 4000)];
    expect(judge(id, { ...after('unknown'), calls })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'Afterwards the program says that A is unknown' }],
    });
    // Reading is optional.
    expect(verdict(id, after('unknown'))).toBe('passed');
  });

  it('passes for the right result, and ignores the result of a program that pays in no situation', () => {
    expect(verdict(id, after('paid'))).toBe('passed');
    expect(verdict(id, after('unknown', 200, false))).toBe('passed');
  });
});

describe('genuine webhooks in another form', () => {
  it.each([
    ['webhook-bytes', 'blanks'],
    ['webhook-bytes', 'escapes'],
    ['webhook-bytes', 'memberOrder'],
    ['webhook-signatures', 'secondSignature'],
  ])('%s fails for a program that refuses them: %s', (id, fault) => {
    expect(verdict(id, { webhooks: [webhook(fault, 401)] })).toBe('failed');
    expect(verdict(id, { webhooks: [webhook(fault, 204)] })).toBe('passed');
    expect(verdict('webhook-answered', { webhooks: [webhook(fault, 401)] })).toBe('not exercised');
  });

  it.each([
    ['webhook-forged', 'noSignature'],
    ['webhook-old', 'futureTimestamp'],
  ])('%s fails for a program that accepts what it must not: %s', (id, fault) => {
    expect(verdict(id, { webhooks: [webhook(fault, 204)] })).toBe('failed');
    expect(verdict(id, { webhooks: [webhook(fault, 400)] })).toBe('passed');
  });

  it('webhook-hint fails for a program that says paid or failed because a webhook says so', () => {
    const paidBatch = { webhooks: [webhook('misleading', 204)], batches: [batch(1)] };
    const failedBatch = { webhooks: [webhook('misleading', 204)], batches: [batch(1, ['A', 'B'], 'Failed')] };
    const says = (outcome: 'paid' | 'failed' | 'unknown') => [run(0, 5000, { result: { A: outcome, B: outcome } })];
    expect(verdict('webhook-hint', { ...failedBatch, runs: says('paid') })).toBe('failed');
    expect(verdict('webhook-hint', { ...failedBatch, runs: says('failed') })).toBe('passed');
    expect(verdict('webhook-hint', { ...failedBatch, runs: says('unknown') })).toBe('passed');
    expect(verdict('webhook-hint', { ...paidBatch, runs: says('failed') })).toBe('failed');
    expect(verdict('webhook-hint', { ...paidBatch, runs: says('paid') })).toBe('passed');
  });
});

describe('a connection that the program closes without an answer', () => {
  const dropped = (fault: string, to: number, more: object) => ({
    webhooks: [webhook(fault, 0, { isClosed: true })],
    runs: [run(0, to, more)],
  });
  const crash = { exitStatus: 1 };

  it('fails the check of the genuine webhook if the program goes on, or ended by it', () => {
    expect(verdict('webhook-unknown-type', dropped('unknownType', 5000, {}))).toBe('failed');
    expect(verdict('webhook-unknown-type', dropped('unknownType', 600, crash))).toBe('failed');
    expect(verdict('webhook-unknown-type', dropped('unknownType', 600, { ...crash, result: {} }))).toBe(
      'not exercised',
    );
    expect(verdict('webhook-unknown-type', { webhooks: [webhook('unknownType', 0)], runs: [run(0, 5000)] })).toBe(
      'not exercised',
    );
  });

  it('refuses a forged webhook, unless the program ended by it', () => {
    const judged = (to: number, more: object) => judge('webhook-forged', dropped('badSignature', to, more));
    expect(judged(600, crash)).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'batchUpdated (msg_1) ended the program, with status 1' }],
    });
    expect(judged(600, { exitStatus: null })).toMatchObject({ verdict: 'failed' });
    expect(judged(600, { exitStatus: 0 }).verdict).toBe('not exercised');
    expect(judged(600, { ...crash, ended: 'killed' }).verdict).toBe('not exercised');
    expect(judged(5000, crash).verdict).toBe('not exercised');
  });
});
