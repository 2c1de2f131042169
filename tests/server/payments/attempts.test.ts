import { describe, expect, it } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { answering } from '#tests/support/fakeUpstream.ts';
import { bare, batch, consoleWith, lost, making, payment } from '#tests/support/consoleWithPayments.ts';
import { executionDateAfter } from '#tests/support/executionDate.ts';

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

  it('is resent under its own key with exactly the same body', async () => {
    const { server, sent, service } = await consoleWith(lost);
    await server.refused('createBatch', { body: batch, key: 'key-1' });
    service.scripts[endpoints.batches] = making();
    const reversed = Object.fromEntries(Object.entries(batch).reverse()) as BatchRequest; // the same members
    await server.done('createBatch', { body: reversed, key: 'key-1' });
    const [first, second] = sent();
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-idempotency-key']).toBe(first?.headers['x-idempotency-key']);
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
    await restarted.done('createBatch', { body: batch, key: 'key-1' });
    const [first, second, ...more] = sent();
    expect(second?.body).toBe(first?.body);
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

describe('The payment of an invoice', () => {
  it('under another key is refused if it is paid, unless the service says that its batch has failed', async () => {
    const { server, service, sent } = await consoleWith(making());
    const { batchId } = (await server.done('createBatch', { body: batch })).data;
    expect(await server.refused('createBatch', { body: batch })).toMatchObject({ code: 'paid-already' });
    expect(sent()).toHaveLength(1);
    service.scripts[`${endpoints.batches}/`] = answering({ data: { batchId, status: 'Failed' } });
    await server.done('getBatch', { params: { batchId } });
    await server.done('createBatch', { body: batch });
  });
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
