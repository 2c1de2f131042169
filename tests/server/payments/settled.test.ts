import { describe, expect, it } from 'vitest';
import { batch, consoleWith, lost, making, payment } from '#tests/support/consoleWithPayments.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { eventually } from '#tests/support/eventually.ts';
import { answering, type Script } from '#tests/support/fakeUpstream.ts';
import { endpoints } from '#tests/support/endpoints.ts';

const batchId = 'batch-of-the-service';
const webhook = { type: 'batchUpdated', resource: { id: batchId, type: 'BatchPayment' } };

/** The service's answers for batches: a POST loses its response, a GET returns `read`. */
const losing =
  (read: object): Script =>
  (response, asked) =>
    asked.method === 'POST' ? lost(response, asked) : answering({ data: { batchId, ...read } })(response, asked);

async function consoleThatLost(read: object, body = batch) {
  const opened = await consoleWith(losing(read));
  await opened.server.refused('createBatch', { body, key: 'key-1' });
  const pending = async () => (await opened.server.done('getFacts')).pendingPayments;
  const notify = () => deliver(opened.server.url, JSON.stringify(webhook));
  return { ...opened, pending, notify };
}

describe('A payment whose response was lost', () => {
  it('is listed in the facts with what was sent and why no response is known', async () => {
    const { pending } = await consoleThatLost({ status: 'Processing' });
    expect(await pending()).toMatchObject([
      {
        key: 'key-1',
        externalId: 'e',
        kind: 'electronic',
        payments: 1,
        amount: '120.50 GBP',
        isRepeatable: true,
        lost: expect.stringContaining('The connection closed') as string,
      },
    ]);
  });

  it('is settled by a webhook about a batch with its externalId; its invoices are paid (behaviour 4.37)', async () => {
    const { server, sent, notify, pending } = await consoleThatLost({ externalId: 'e', status: 'Processing' });
    expect((await notify()).status).toBe(204);
    expect(await pending()).toMatchObject([
      { key: 'key-1', isRepeatable: false, settled: { batchId, status: 'Processing', by: 'webhook' } },
    ]);
    const { batches, settings } = await server.done('getFacts');
    expect([batches, settings.batchId]).toEqual([1, batchId]);
    expect(await server.refused('createBatch', { body: batch, key: 'key-2' })).toMatchObject({
      code: 'paid-already',
      errors: [{ message: expect.stringContaining(`in batch ${batchId}`) as string }],
    });
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is settled by reading a batch with its externalId', async () => {
    const { server, pending } = await consoleThatLost({ externalId: 'e', status: 'Completed' });
    await server.done('getBatch', { params: { batchId } });
    expect(await pending()).toMatchObject([{ settled: { batchId, status: 'Completed', by: 'read' } }]);
  });

  it('is settled by a later reading, if earlier ones since it was sent did not name it', async () => {
    const read: { status: string; externalId?: string } = { status: 'Processing' };
    const { server, pending } = await consoleThatLost(read);
    await server.done('getBatch', { params: { batchId } });
    expect(await pending()).toMatchObject([{ isRepeatable: true }]);
    read.externalId = 'e';
    await server.done('getBatch', { params: { batchId } });
    expect(await pending()).toMatchObject([{ settled: { batchId, by: 'read' } }]);
  });

  it('is not resent once it is settled, and its repeat names the batch, also after the service has forgotten its key (behaviour 4.37)', async () => {
    const { server, sent, notify, time } = await consoleThatLost({ externalId: 'e', status: 'Processing' });
    await notify();
    time.now += 48 * 60 * 60_000;
    expect((await server.done('createBatch', { body: batch, key: 'key-1' })).data.batchId).toBe(batchId);
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is settled by the response to its repeat under the same key', async () => {
    const { server, service, pending } = await consoleThatLost({});
    service.scripts[endpoints.batches] = making();
    const { data } = await server.done('createBatch', { body: batch, key: 'key-1' });
    expect(await pending()).toMatchObject([{ settled: { batchId: data.batchId, by: 'response' } }]);
  });

  it.each([
    ['another externalId', { externalId: 'f', status: 'Processing' }],
    ['no externalId', { status: 'Processing' }],
    ['its externalId and another subscription', { externalId: 'e', subscriptionId: 'other', status: 'Processing' }],
  ])('is not settled by a batch with %s (behaviour 4.37)', async (_, read) => {
    const { notify, pending } = await consoleThatLost(read);
    await notify();
    expect((await pending()).map(({ settled }) => settled)).toEqual([undefined]);
  });

  it('is not settled by the batch of another attempt with the same externalId', async () => {
    const { server, service, pending } = await consoleThatLost({ externalId: 'e', status: 'Processing' });
    const other = { ...payment!, remittanceInformation: { reference: 'invoice-2' } };
    service.scripts[endpoints.batches] = answering({ data: { batchId, status: 'Received' } }, 201);
    await server.done('createBatch', { body: { ...batch, payments: [other] }, key: 'key-2' });
    service.scripts[endpoints.batches] = losing({ externalId: 'e', status: 'Processing' });
    await server.done('getBatch', { params: { batchId } });
    expect((await pending()).map(({ key, settled }) => [key, settled])).toEqual([['key-1', undefined]]);
  });

  it('is not settled if another one with an unknown outcome has the same externalId', async () => {
    const { server, notify, pending } = await consoleThatLost({ externalId: 'e', status: 'Processing' });
    const other = { ...payment!, remittanceInformation: { reference: 'invoice-2' } };
    await server.refused('createBatch', { body: { ...batch, payments: [other] }, key: 'key-2' });
    await notify();
    expect((await pending()).flatMap(({ settled }) => settled ?? [])).toEqual([]);
  });

  it('is not settled by a batch that has failed: an earlier one may have the same externalId (behaviour 4.58)', async () => {
    const { server, notify, pending } = await consoleThatLost({ externalId: 'e', status: 'REJECTED' });
    await notify();
    expect((await pending()).map(({ settled }) => settled)).toEqual([undefined]);
    expect(await server.refused('createBatch', { body: batch, key: 'key-2' })).toMatchObject({ code: 'paid-already' });
  });

  it.each(['webhook', 'reading'])(
    'keeps its invoices paid if the batch that settled it by a %s fails, because another program may have its externalId (behaviour 4.58)',
    async (by) => {
      const { server, service, notify } = await consoleThatLost({ externalId: 'e', status: 'Processing' });
      await (by === 'webhook' ? notify() : server.done('getBatch', { params: { batchId } }));
      service.scripts[endpoints.batches] = losing({ externalId: 'e', status: 'Failed' });
      const { staysPaid } = await server.done('getBatch', { params: { batchId } });
      const reason = expect.stringContaining('is this payment’s by its externalId alone') as string;
      expect(staysPaid).toMatchObject([{ reason, invoices: ['invoice-1'] }]);
      expect(await server.refused('createBatch', { body: batch, key: 'key-2' })).toMatchObject({
        code: 'paid-already',
      });
    },
  );

  it('is returned as sent by GET for its key, and an unknown key answers 404', async () => {
    const { server } = await consoleThatLost({});
    expect((await server.done('getPaymentAttempt', { params: { key: 'key-1' } })).data).toEqual(batch);
    expect(await server.refused('getPaymentAttempt', { params: { key: 'other' } })).toMatchObject({ status: 404 });
  });

  it('succeeds if a webhook named its batch before the response was lost', async () => {
    const { server, service } = await consoleWith(making());
    service.scripts[endpoints.batches] = async (response, asked) => {
      if (asked.method === 'GET')
        return answering({ data: { batchId, externalId: 'e', status: 'Processing' } })(response, asked);
      await deliver(server.url, JSON.stringify(webhook));
      return lost(response, asked);
    };
    expect((await server.done('createBatch', { body: batch, key: 'key-1' })).data.batchId).toBe(batchId);
    expect((await server.done('getFacts')).pendingPayments).toMatchObject([{ settled: { batchId, by: 'webhook' } }]);
  });
});

describe('A payment whose response is pending', () => {
  it('is settled by its webhook, and its response, which a repeat under its key gets too, counts more', async () => {
    const { server, service, sent } = await consoleWith(making());
    let answerNow = () => {};
    const held = new Promise<void>((resolve) => (answerNow = resolve));
    service.scripts[endpoints.batches] = async (response, asked) => {
      if (asked.method === 'GET')
        return answering({ data: { batchId, externalId: 'e', status: 'Processing' } })(response, asked);
      await held;
      return answering({ data: { batchId, status: 'Received' } }, 201)(response, asked);
    };
    const first = server.done('createBatch', { body: batch, key: 'key-1' });
    await eventually(() => expect(sent()).not.toEqual([]));
    await deliver(server.url, JSON.stringify(webhook));
    const { externalId: _, ...unnamed } = batch;
    const { data } = await server.done('preparePayment', { body: unnamed });
    expect(data.covered).toMatchObject([{ index: 0, state: 'paid', batchId }]);
    const second = server.done('createBatch', { body: batch, key: 'key-1' });
    answerNow();
    expect((await Promise.all([first, second])).map((each) => each.data.batchId)).toEqual([batchId, batchId]);
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await server.done('getFacts')).pendingPayments).toEqual([]);
  });
});

describe('The payments that the facts list', () => {
  const another = (externalId: string) => ({
    ...batch,
    externalId,
    payments: [{ ...payment!, remittanceInformation: { reference: externalId } }],
  });

  it('hold one whose response is awaited once that takes longer than two minutes', async () => {
    let release: () => void = () => undefined;
    const { server, sent, time } = await consoleWith(async (response, asked) => {
      await new Promise<void>((resolve) => (release = resolve));
      await answering({ data: { batchId, status: 'Received' } }, 201)(response, asked);
    });
    const pending = async () => (await server.done('getFacts')).pendingPayments.map(({ key }) => key);
    const paying = server.done('createBatch', { body: batch, key: 'key-1' });
    await eventually(() => expect(sent()).toHaveLength(1));
    expect(await pending()).toEqual([]);
    time.now += 2 * 60_000;
    expect(await pending()).toEqual([]);
    time.now += 1;
    expect(await pending()).toEqual(['key-1']);
    release();
    expect((await paying).data.batchId).toBe(batchId);
    expect(await pending()).toEqual([]);
  });

  it('hold a settled one for ten minutes', async () => {
    const { server, pending, time } = await consoleThatLost({ externalId: 'e', status: 'Completed' });
    await server.done('getBatch', { params: { batchId } });
    time.now += 10 * 60_000 - 1;
    expect(await pending()).toMatchObject([{ key: 'key-1', settled: { by: 'read' } }]);
    time.now += 1;
    expect(await pending()).toEqual([]);
  });

  it('are in the order in which they were sent, the latest first, with at most ten settled ones', async () => {
    const names = Array.from({ length: 13 }, (_, each) => `e-${each + 1}`);
    const found = { externalId: '' };
    const { server, time } = await consoleWith((response, asked) =>
      asked.method === 'POST'
        ? lost(response, asked)
        : answering({ data: { batchId: `batch-${found.externalId}`, ...found, status: 'Completed' } })(response, asked),
    );
    for (const name of names) {
      time.now += 1000;
      await server.refused('createBatch', { body: another(name), key: `key-${name}` });
    }
    for (const name of names.slice(0, 11)) {
      found.externalId = name;
      time.now += 1000;
      await server.done('getBatch', { params: { batchId: `batch-${name}` } });
    }
    const listed = (await server.done('getFacts')).pendingPayments;
    expect(listed.map(({ key }) => key)).toEqual(
      names
        .slice(1)
        .toReversed()
        .map((name) => `key-${name}`),
    );
    expect(listed.map(({ settled }) => settled?.batchId)).toEqual([
      undefined,
      undefined,
      ...names
        .slice(1, 11)
        .toReversed()
        .map((name) => `batch-${name}`),
    ]);
  });
});
