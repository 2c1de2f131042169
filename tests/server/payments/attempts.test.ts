import { describe, expect, it } from 'vitest';
import type { BatchRequest, Payment } from '#contract/payment.ts';
import { testConsole } from '#tests/support/console.ts';
import { bare, batch, consoleWith, lost, making, payment } from '#tests/support/consoleWithPayments.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { executionDateAfter } from '#tests/support/executionDate.ts';
import { answering } from '#tests/support/fakeUpstream.ts';
import { creditor } from '#tests/support/fixtures.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('An invoice with an unknown payment outcome', () => {
  it('is not paid under another key, whatever else of the batch differs, unless the user confirms a second payment (threat 3.18)', async () => {
    const { server, sent, service } = await consoleWith(lost);
    await server.refused('createBatch', { body: batch, key: 'key-1' });
    service.scripts[endpoints.batches] = making();
    const body: BatchRequest = {
      ...batch,
      requestedExecutionDateTime: executionDateAfter(1),
      additionalData: { approval: 'RUN-002' },
      debtor: { debtorId: 'debtor-2' },
      subscriptionId: 'subscription-2',
      fileFormatId: 'format-1',
      payments: [{ ...payment!, remittanceInformation: { reference: 'invoice-2' } }, payment!],
    };
    const problem = await server.refused('createBatch', { body, key: 'key-2' });
    expect(problem).toMatchObject({ status: 409, code: 'paid-already', outcome: 'not-sent' });
    expect(problem.errors).toMatchObject([{ path: 'payments.1' }]);
    expect(sent()).toHaveLength(1);
    await server.done('createBatch', { body, key: 'key-2', query: { again: 'true' } });
    expect(sent()).toHaveLength(2);
  });

  it('is recognised by its amount after a restart, and resent with the same body', async () => {
    const { server, sent, open, service } = await consoleWith(lost);
    await server.refused('createBatch', { body: batch, key: 'key-1' });
    const restarted = await open();
    service.scripts[endpoints.batches] = making();
    const other = { ...batch, payments: [bare] };
    expect(await restarted.refused('createBatch', { body: other, key: 'key-2' })).toMatchObject({
      code: 'paid-already',
    });
    const reversed = Object.fromEntries(Object.entries(batch).reverse()) as BatchRequest; // the same members
    await restarted.done('createBatch', { body: reversed, key: 'key-1' });
    const [first, second, ...more] = sent();
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-idempotency-key']).toBe(first?.headers['x-idempotency-key']);
    expect(more).toEqual([]);
  });

  it('is not resent under its own key after the user paid it under another key', async () => {
    const { server, sent, service } = await consoleWith(lost);
    await server.refused('createBatch', { body: batch, key: 'key-1' });
    service.scripts[endpoints.batches] = making();
    await server.done('createBatch', { body: batch, key: 'key-2', query: { again: 'true' } });
    expect(await server.refused('createBatch', { body: batch, key: 'key-1' })).toMatchObject({
      code: 'paid-already',
      outcome: 'unknown',
    });
    expect(sent()).toHaveLength(2);
  });

  it('needs confirmation again for a key whose payment was refused', async () => {
    const { server, sent, service } = await consoleWith(making());
    await server.done('createBatch', { body: batch, key: 'key-1' });
    service.scripts[endpoints.batches] = answering({ title: 'no', code: 'No' }, 422);
    await server.refused('createBatch', { body: batch, key: 'key-2', query: { again: 'true' } });
    service.scripts[endpoints.batches] = making();
    expect(await server.refused('createBatch', { body: batch, key: 'key-2' })).toMatchObject({
      code: 'paid-already',
      outcome: 'not-sent',
    });
    expect(sent()).toHaveLength(2);
  });

  it('is resent under the key of a confirmed second payment without confirmation', async () => {
    const { server, sent, service } = await consoleWith(lost);
    await server.refused('createBatch', { body: batch, key: 'key-1' });
    await server.refused('createBatch', { body: batch, key: 'key-2', query: { again: 'true' } });
    service.scripts[endpoints.batches] = making();
    await server.done('createBatch', { body: batch, key: 'key-2' });
    expect(sent()).toHaveLength(3);
  });
});

describe('The key of a payment', () => {
  it.each([
    ['a file', { ...batch, fileFormatId: 'f' }, 10 * minute],
    ['electronic', batch, 14 * day],
  ])(
    'whose response was lost is not sent again once the service may have forgotten it: %s (threat 3.17)',
    async (_, body, keptFor) => {
      const { server, service, sent, time } = await consoleWith(lost);
      await server.refused('createBatch', { body, key: 'key' });
      service.scripts[endpoints.batches] = making();
      time.now += keptFor;
      for (let turn = 0; turn < 2; turn += 1)
        expect(await server.refused('createBatch', { body, key: 'key' })).toMatchObject({
          code: 'outcome-unknown',
          status: 409,
        });
      expect(sent()).toHaveLength(1);
    },
  );

  it('has the stored response weeks afterwards, also after a restart', async () => {
    const { server, open, sent, time } = await consoleWith(making());
    const first = await server.done('createBatch', { body: batch, key: 'key' });
    time.now += 30 * day;
    expect(await (await open()).done('createBatch', { body: batch, key: 'key' })).toEqual(first);
    expect(sent()).toHaveLength(1);
  });
});

// Which spellings are the same is a table of tests/server/writes/sameInvoice.test.ts.
describe('An invoice to a stored creditor', () => {
  const [id, account] = ['A1b2C3d4-0000-4000-8000-000000000001', 'GB29 NWBK 6016 1331 9268 19'];
  const to = (more: Partial<Payment>): Payment => ({ ...payment!, creditor: { name: 'P. and S.' }, ...more });
  const byId = to({ creditor: { name: 'Paper & Sons', creditorId: ` ${id.toUpperCase()}` } });
  const byAccount = to({ creditorAccount: { identification: account } });
  const paying = (...payments: Payment[]): BatchRequest => ({ ...batch, payments });

  async function withCreditor() {
    const started = await consoleWith(making());
    const has = (creditorAccountidentification: string) =>
      started.server.store.creditors.put(id, {
        ...creditor,
        creditorId: id,
        creditorname: 'Paper & Sons',
        subscriptionId: 'subscription-1',
        creditorAccountidentification,
        creditorAccountSecondaryIdentification: '',
      });
    await has(account);
    return { ...started, has };
  }

  it.each([
    ['its id and then by its account', byId, byAccount],
    ['its account and then by its id', byAccount, byId],
  ])('is paid once by %s, also within one batch, unless the user wants it twice (threat 3.18)', async (_, one, two) => {
    const { server, sent } = await withCreditor();
    const problem = await server.refused('createBatch', { body: paying(one, two) });
    expect(problem).toMatchObject({ status: 400, code: 'invalid-request', outcome: 'not-sent' });
    expect(problem.errors).toEqual([
      { path: 'payments.1', message: 'invoice-1 is for the same invoice as payments.0' },
    ]);
    await server.done('createBatch', { body: paying(one) });
    expect(await server.refused('createBatch', { body: paying(two) })).toMatchObject({ code: 'paid-already' });
    await server.done('createBatch', { body: paying(one, two), query: { again: 'true' } });
    expect(sent()).toHaveLength(2);
  });

  it('is paid once by its account and, once that has changed, by its id', async () => {
    const { server, sent, has } = await withCreditor();
    await server.done('createBatch', { body: paying(byAccount) });
    await has('55779911');
    expect(await server.refused('createBatch', { body: paying(byId) })).toMatchObject({ code: 'paid-already' });
    expect(sent()).toHaveLength(1);
  });
});

it('A payer is the same at another address of the service: its invoice stays paid, and a lost payment is repeated under its key (threat 3.15, 3.18)', async () => {
  const folder = temporaryFolder();
  const { server, service, sent } = await consoleWith(lost, folder);
  await server.refused('createBatch', { body: batch, key: 'key' });
  service.scripts[endpoints.batches] = making();
  const other = await testConsole({ upstreamUrl: service.url.replace('127.0.0.1', 'LocalHost'), folder });
  expect(await other.refused('createBatch', { body: batch, key: 'another' })).toMatchObject({ code: 'paid-already' });
  await other.done('createBatch', { body: batch, key: 'key' });
  expect(await other.refused('createBatch', { body: batch, key: 'another' })).toMatchObject({ code: 'paid-already' });
  expect(new Set(sent().map(({ headers }) => headers['x-idempotency-key'])).size).toBe(1);
});

describe('An invoice that a batch lists twice', () => {
  it('is reported with at most 20 of the payments concerned', async () => {
    const { server } = await consoleWith(making());
    const payments = Array.from({ length: 500 }, () => payment!);
    const problem = await server.refused('createBatch', { body: { ...batch, payments } });
    expect(problem.detail).toContain('499 of 500');
    expect(problem.errors).toHaveLength(20);
  });
});

describe('Numbers in a batch’s additional data', () => {
  it('keep all digits, also in a repeat, and another digit conflicts with the key', async () => {
    const { server, service, sent } = await consoleWith(lost);
    const post = (digits: string) =>
      fetch(`${server.url}/api/batchpayments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
        body: JSON.stringify({ ...batch, additionalData: { run: 0 } }).replace('"run":0', `"run":${digits}`),
      });
    await post('12345678901234567890.10');
    service.scripts[endpoints.batches] = making();
    expect((await post('12345678901234567890.11')).status).toBe(409);
    expect((await post('"12345678901234567890.10"')).status).toBe(409);
    expect((await post('12345678901234567890.10')).status).toBe(200);
    expect(sent()).toHaveLength(2);
    for (const { body } of sent()) expect(body).toContain(String.raw`\"run\":12345678901234567890.10`);
  });
});
