import { describe, expect, it } from 'vitest';
import { schemes } from '#rules/bankingDays.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { timeUntilExecution } from '#server/sandbox/payment/executionTime.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints, header } from '#server/upstream/wire.ts';

const hour = 60 * 60_000;
/** Pays by Bacs, and authorises by itself. */
const providerId = 'f1eb5d43-a061-41c5-b4f9-9031b28de006';
const scheme = (name: string) => schemes.find((each) => each.name === name)!; // the tests name those that exist

/** A sandbox whose clock stands at a time, with what pays from a company's account. */
async function at(now: string, options: { everyDay?: boolean } = { everyDay: false }) {
  const sandbox = await createSandbox({ seed: 1, now, ...options });
  const { token, organisationId } = await sandbox.prepare('company');
  const { applicationId, apiKey, controlToken } = sandbox.credentials;
  const headers = {
    [header.application]: applicationId,
    [header.apiKey]: apiKey,
    [header.interaction]: '7d6f5c1e-0000-4000-8000-000000000001',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const post = async (path: string, data: object) => {
    const answer = await sandbox.fetch(path, { method: 'POST', headers, body: JSON.stringify({ data }) });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { data: { subscriptionId: string } }).data; // of a subscription
  };
  const additionalData = JSON.stringify({ sortCode: '112233', accountNumber: '12345678' });
  const { subscriptionId } = await post(pathOf('createSubscription', organisationId), { providerId, additionalData });
  await sandbox.clock.advance(1000);
  const payment = {
    instructedAmount: { amount: '1.50', currency: 'GBP' },
    creditorAgent: { identification: '112233' },
    creditorAccount: { identification: '12345678' },
    creditor: { name: 'Alder Ltd' },
  };
  const pay = async (day: string) => {
    const data = {
      externalId: day,
      subscriptionId,
      requestedExecutionDateTime: `${day}T00:00:00Z`,
      payments: [payment],
    };
    await post(endpoints.batches, data);
  };
  const statuses = async () => (await sandbox.batches()).map(({ status }) => status);
  const lab = (method: string, path: string, body?: object) =>
    sandbox.fetch(`/sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  return { sandbox, pay, statuses, lab };
}

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
