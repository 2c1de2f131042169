import { describe, expect, it } from 'vitest';
import { endpoints, header } from '#server/upstream/wire.ts';
import { timeUntilExecution } from '#server/sandbox/payment/executionTime.ts';
import { testSandbox } from '../harness.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

async function ready() {
  const sandbox = await testSandbox();
  const who = await sandbox.authorised();
  const { subscriptionId } = who;
  const at = (ahead: number) => `${new Date(sandbox.clock.now() + ahead).toISOString().slice(0, 10)}T00:00:00Z`;
  const payments = [{ instructedAmount: { amount: '120.50', currency: 'GBP' }, creditor: { name: 'Example Ltd' } }];
  const post = async (requestedExecutionDateTime: string, more: object = {}, headers = {}) => {
    const data = { externalId: 'b-1', subscriptionId, requestedExecutionDateTime, payments, ...more };
    // A token does not outlive the days that pass.
    const token = await sandbox.tokenOf(who);
    return sandbox.call('POST', endpoints.batches, { token, body: { data }, headers });
  };
  const pass = async (ms: number) => {
    sandbox.clock.increment(ms);
    await sandbox.settled();
  };
  const statusOf = async (batchId: string) => {
    const token = await sandbox.tokenOf(who);
    return (await sandbox.call('GET', `${endpoints.batches}/${batchId}`, { token })).body.data.status;
  };
  return { sandbox, at, post, pass, statusOf };
}

describe('The execution date of a batch', () => {
  it.each([
    ['past', -2 * day, 'is in the past: the first day that can be chosen is'],
    ['long past', -1000 * day, 'is in the past'],
    ['more than a year away', 368 * day, 'is more than a year away: the last day that can be chosen is'],
  ])('is refused if it is %s, electronically and in a file (behaviour 9.13)', async (_, ahead, sentence) => {
    const { at, post } = await ready();
    for (const more of [{}, { subscriptionId: undefined, fileFormatId: 'lines' }]) {
      const { status, body } = await post(at(ahead), more);
      expect([status, body.errors[0]?.path]).toEqual([400, 'data.requestedExecutionDateTime']);
      expect(body.errors[0]?.message).toContain(sentence);
    }
  });

  it.each([
    '2026-11-26T00:00:00+01:00',
    '9999-12-31T00:00:00Z',
    '2026-11-26T24:00:00Z',
    '2026-11-26',
    '10000-01-01T00:00:00Z',
  ])('is refused alike electronically and in a file: %s (wire 5.3.7)', async (date) => {
    const { post } = await ready();
    const answers = [await post(date), await post(date, { subscriptionId: undefined, fileFormatId: 'lines' })];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers[0]?.body.errors).toEqual(answers[1]?.body.errors);
  });

  it('is not reached before it by the sandbox’s clock, and then the batch is completed (behaviour 9.14)', async () => {
    const { at, post, pass, statusOf } = await ready();
    const { batchId } = (await post(at(40 * day))).body.data;
    for (let waited = 0; waited < 39; waited += 1) await pass(day);
    expect(await statusOf(batchId)).toBe('Processing');
    await pass(day);
    expect(await statusOf(batchId)).toBe('Completed');
  });

  it('is reached when the fault lab moves the clock there, or advances the batch by hand (behaviour 9.14)', async () => {
    const { sandbox, at, post, pass, statusOf } = await ready();
    const ids: string[] = [];
    for (const externalId of ['b-1', 'b-2']) ids.push((await post(at(30 * day), { externalId })).body.data.batchId);
    for (let step = 0; step < 3; step += 1) await pass(1000);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['Processing', 'Processing']);
    await sandbox.lab('POST', `/batches/${ids[0]}/step`);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['Completed', 'Processing']);
    await sandbox.lab('PATCH', '/clock', { move: 31 * day });
    await pass(1000);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['Completed', 'Completed']);
    expect((await post(at(0))).body.errors[0]?.message).toContain('is in the past');
    expect((await post(at(31 * day))).status).toBe(201);
  });

  it('is not looked at again when a call is repeated under its key', async () => {
    const { at, post, pass } = await ready();
    const date = at(0);
    const headers = { [header.idempotency]: 'key' };
    const first = await post(date, {}, headers);
    await pass(3 * day);
    expect((await post(date, {}, headers)).body.data).toEqual(first.body.data);
    expect((await post(date, {}, { [header.idempotency]: 'another' })).status).toBe(400);
  });

  it.each([
    ['2026-11-27T00:00:00Z', [], '2026-11-26T23:00:00Z', hour],
    ['2026-11-27T00:00:00Z', ['GB'], '2026-11-26T23:00:00Z', hour],
    ['2026-07-02T00:00:00Z', ['GB'], '2026-07-01T23:00:00Z', 0],
    ['2026-11-27T00:00:00Z', ['AU'], '2026-11-26T13:00:00Z', 0],
    ['2026-11-27T00:00:00Z', ['AU'], '2026-11-26T12:59:59Z', 1000],
    ['2026-11-27T00:00:00Z', ['US', 'CA'], '2026-11-26T20:00:00Z', 4 * hour],
    ['2026-11-27T00:00:00Z', ['AU'], '2026-11-28T00:00:00Z', 0],
  ])('%s is reached for a provider in %j, seen from %s, in %i ms (wire 12.3)', (date, countries, now, wait) =>
    expect(timeUntilExecution(date, countries, Date.parse(now))).toBe(wait),
  );
});
