import { describe, expect, it } from 'vitest';
import { batch, judge, read, run, verdict, webhook } from './madeEvidence.ts';

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
