import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { timeUntilExecution } from '#server/sandbox/payment/executionTime.ts';
import { schemes } from '#rules/bankingDays.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { testSandbox } from '../harness.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { payingByBacs as at } from './payingByBacs.ts';

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

const scheme = (name: string) => schemes.find((each) => each.name === name)!; // the tests name those that exist

describe('A batch for a day on which its scheme does not process', () => {
  it('stays Processing until the next day of the sandbox’s clock on which it does (behaviour 9.14)', async () => {
    const { sandbox, pay, statuses } = await at('2026-12-26T12:00:00Z');
    await pay('2026-12-27');
    await sandbox.clock.advance(2.5 * 24 * hour - 1001);
    expect(await statuses()).toEqual(['Processing']);
    await sandbox.clock.advance(1);
    expect(await statuses()).toEqual(['Completed']);
    await sandbox.close();
  });

  it('is not delayed on a day on which it does process, nor with payments on every day (behaviour 9.14)', async () => {
    for (const [now, day, options] of [
      ['2026-12-24T12:00:00Z', '2026-12-24', { everyDay: false }],
      ['2026-12-26T12:00:00Z', '2026-12-26', { everyDay: true }],
      ['2026-12-26T12:00:00Z', '2026-12-26', {}],
    ] as const) {
      const { sandbox, pay, statuses } = await at(now, options);
      await pay(day);
      await sandbox.clock.advance(2000);
      expect(await statuses(), now).toEqual(['Completed']);
      await sandbox.close();
    }
  });

  it('is processed at once after the lab has had payments processed on every day, until the clock is reset', async () => {
    const { sandbox, pay, statuses, lab } = await at('2026-12-26T12:00:00Z');
    expect((await lab('PATCH', '/clock', { everyDay: true })).status).toBe(200);
    expect(await (await lab('GET', '/clock')).json()).toMatchObject({ data: { everyDay: true, still: true } });
    await pay('2026-12-26');
    await sandbox.clock.advance(2000);
    expect(await statuses()).toEqual(['Completed']);
    await lab('PATCH', '/clock', { everyDay: false });
    expect(await (await lab('GET', '/clock')).json()).not.toHaveProperty('data.everyDay');
    await sandbox.close();
  });

  it('is processed as the lab has it by then, also where it waits already (behaviour 9.14)', async () => {
    const { sandbox, pay, statuses, lab } = await at('2026-12-26T12:00:00Z');
    await pay('2026-12-26');
    await sandbox.clock.advance(2000);
    expect(await statuses()).toEqual(['Processing']);
    await lab('PATCH', '/clock', { everyDay: true });
    await sandbox.clock.advance(0);
    expect(await statuses()).toEqual(['Completed']);
    await pay('2026-12-27');
    await sandbox.clock.advance(2000);
    await lab('PATCH', '/clock', { everyDay: false });
    await sandbox.clock.advance(24 * hour);
    expect(await statuses()).toContain('Processing');
    await sandbox.close();
  });

  it('is advanced by hand on any day', async () => {
    const { sandbox, pay, statuses, lab } = await at('2026-12-26T12:00:00Z');
    await pay('2026-12-26');
    await sandbox.clock.advance(2000);
    const [batch] = await sandbox.batches();
    await lab('POST', `/batches/${batch?.batchId}/step`);
    expect(await statuses()).toEqual(['Completed']);
    await sandbox.close();
  });

  it('does not delay the situations that tests prepare', async () => {
    const sandbox = await createSandbox({ now: '2026-12-26T12:00:00Z', clock: 'stopped', everyDay: false });
    await sandbox.prepare('batch-partly-failed');
    expect((await sandbox.batches()).map(({ status }) => status)).toEqual(['PartiallyCompleted']);
    await sandbox.close();
  });
});

describe('The time until a batch is executed', () => {
  it.each([
    ['Bacs', ['GB'], '2026-12-27T00:00:00Z', '2026-12-26T12:00:00Z', 60 * hour],
    ['Bacs', ['GB'], '2026-12-24T00:00:00Z', '2026-12-24T12:00:00Z', 0],
    ['Bacs', ['GB'], '2026-12-24T00:00:00Z', '2026-12-25T12:00:00Z', 84 * hour],
    ['RITS', ['AU'], '2026-12-26T00:00:00Z', '2026-12-26T00:00:00Z', 61 * hour],
    ['EFT', ['ZA'], '2026-11-28T00:00:00Z', '2026-11-28T12:00:00Z', 0],
    ['FedACH', ['US'], '2026-11-28T00:00:00Z', '2026-11-28T12:00:00Z', 36 * hour],
  ])('by %s in %j for %s, seen from %s, is %i ms (wire 12.3)', (name, countries, date, now, wait) =>
    expect(timeUntilExecution(date, countries, Date.parse(now), scheme(name))).toBe(wait),
  );
});

it('each transfer of the sandbox’s providers and each of its files names what carries it', () => {
  const instruments = catalogue.localInstruments().map(({ name }) => name);
  const formats = catalogue.fileFormatsFor().map(({ name }) => name);
  const unknown = [...instruments, ...formats].filter((name) => !schemes.some(({ means, currency }) => currency !== 'EUR' && means.test(name))); // prettier-ignore
  expect(new Set(unknown)).toEqual(new Set(['Faster Payments', 'Cheque', 'Virements internationaux, 320 colonnes', 'Auslandsüberweisungen, 320 Spalten'])); // prettier-ignore
});
