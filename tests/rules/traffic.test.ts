import { describe, expect, it } from 'vitest';
import { hasFailed } from '#rules/timeline.ts';
import { lastHour, stripOf, type Moment } from '#rules/traffic.ts';

const now = Date.parse('2026-11-29T17:00:30.000Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
const call = (seconds: number, more: Partial<Moment> = {}): Moment => ({
  id: String(seconds),
  kind: 'service',
  at: ago(seconds),
  ms: 20,
  status: 200,
  signature: '',
  ...more,
});
const webhook = (seconds: number, more: Partial<Moment> = {}) =>
  call(seconds, { kind: 'webhook', status: 204, signature: 'valid', ms: 0, ...more });

it.each([
  ['no answer', call(0, { status: 0 }), true],
  ['404', call(0, { status: 404 }), true],
  ['503', call(0, { status: 503 }), true],
  ['304', call(0, { status: 304 }), false],
  ['a webhook that is signed and taken', webhook(0), false],
  ['a webhook with another signature, although it was answered with 204', webhook(0, { signature: 'invalid' }), true],
  ['a webhook that was refused', webhook(0, { status: 401 }), true],
])('%s: a failure is %s', (_, moment, failed) => {
  expect(hasFailed(moment)).toBe(failed);
});

describe('the last hour', () => {
  it('counts calls of console and programs by whole minutes, with those that failed', () => {
    const { calls, begin } = lastHour(
      [call(10), call(40, { kind: 'program', status: 500 }), call(45), call(3599), webhook(5)],
      now,
      true,
    );
    expect([calls.total, calls.failed, calls.bins.length]).toEqual([3, 1, 60]);
    expect(calls.bins.at(-1)).toMatchObject({ from: Date.parse('2026-11-29T17:00:00.000Z'), total: 1, failed: 0 });
    expect(calls.bins.at(-2)).toMatchObject({ total: 2, failed: 1 });
    expect(new Date(begin).toISOString()).toBe('2026-11-29T16:01:00.000Z');
  });

  it('has a median from five answers on, and leaves out calls without an answer', () => {
    const ms = [10, 20, 30, 40];
    const some = ms.map((each) => call(each, { ms: each }));
    expect(lastHour([...some, call(1, { ms: 9000, status: 0 })], now, true).latency).toMatchObject({
      all: undefined,
      highest: { ms: 40 },
    });
    expect(lastHour([...some, call(1, { ms: 2000 })], now, true).latency.all).toEqual({ median: 30, p95: 2000 });
  });

  it('keeps gaps between latencies as gaps', () => {
    const { bins } = lastHour([call(10), call(1800)], now, true).latency;
    expect(bins.filter(({ value }) => value !== undefined)).toHaveLength(2);
    expect(bins).toHaveLength(20);
  });

  it('has a mark for each webhook, and tells those that failed', () => {
    const { webhooks } = lastHour([webhook(1), webhook(2, { signature: 'invalid' }), webhook(200)], now, true);
    expect([webhooks.total, webhooks.failed]).toEqual([3, 1]);
    expect(webhooks.bins.at(-1)?.failed).toEqual([false, true]);
  });

  it('begins where the stored entries begin if older ones are not stored, and says so', () => {
    expect(lastHour([call(600)], now, false).since).toBe(now - 600_000);
    expect(lastHour([call(600)], now, true).since).toBeUndefined();
    expect(lastHour([], now, false).since).toBeUndefined();
    expect(lastHour([call(7200), call(10)], now, false).since).toBeUndefined();
  });
});

describe('the strip of traffic', () => {
  it('shows ten minutes up to now, and the whole session if that is shorter', () => {
    const long = stripOf([call(3000), call(60), call(50, { status: 500 })], now);
    expect([long?.length, (long?.to ?? 0) - (long?.from ?? 0)]).toEqual([4000, 604_000]);
    expect(long?.bins.reduce((sum, { total }) => sum + total, 0)).toBe(2);
    expect(long?.bins.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
    const short = stripOf([call(120), call(1)], now);
    expect((short?.to ?? 0) - (short?.from ?? 0)).toBeLessThan(130_000);
    expect(short?.bins.reduce((sum, { total }) => sum + total, 0)).toBe(2);
  });

  it('ends at the latest moment if nothing happened in the last ten minutes', () => {
    const strip = stripOf([call(7200), call(7300)], now);
    expect(strip?.bins.reduce((sum, { total }) => sum + total, 0)).toBe(2);
  });

  it('is absent without moments', () => {
    expect(stripOf([], now)).toBeUndefined();
  });
});
