import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { batchAnswers } from '#server/companies/records.ts';
import { batchId, consoleThatPaid, paymentOf, serviceThat } from '#tests/support/consoleThatPaid.ts';
import { batch, consoleWith, lost } from '#tests/support/consoleWithPayments.ts';
import { answering, type Script } from '#tests/support/fakeUpstream.ts';

const silences: Record<string, Script> = {
  'answers 404': answering({ title: 'Gone', status: 404, code: 'No' }, 404),
  'does not answer': lost,
  'answers another batch': answering({ data: { batchId: 'another', status: 'Failed' } }),
  'answers no status': answering({ data: { batchId } }),
};

describe('A setting that a user writes', () => {
  it('frees no invoice, whatever status it gives the batch (behaviour 4.45; threat 2.9)', async () => {
    const { server, freed, sent } = await consoleThatPaid();
    const status = 'Ｆａｉ-led ';
    for (const value of [[{ batchId, status }], [], [{ batchId, status, kind: 'file' }]])
      await server.call('setSetting', { body: { key: 'postedBatches', value: JSON.stringify(value) } });
    await server.done('setSetting', { body: { key: 'batchId', value: batchId } });
    expect(await freed()).toEqual([]);
    expect(await server.refused('createBatch', { body: batch })).toMatchObject({ code: 'paid-already' });
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each(Object.keys(silences))(
    'before the batch exists frees no invoice if the service then %s (behaviour 4.45)',
    async (silence) => {
      const { script, now } = serviceThat();
      const { server } = await consoleWith(script);
      // A record as an earlier version, or a restored backup, may hold it.
      const record = { batchId, status: 'Failed', amount: '', kind: 'electronic', postedAt: '' } as const;
      await server.store.batches.put(batchId, record);
      await server.done('createBatch', { body: batch });
      now.script = silences[silence]!;
      await server.call('getBatch', { params: { batchId } });
      await server.call('setSetting', { body: { key: 'postedBatches', value: JSON.stringify([record]) } });
      expect(await server.refused('createBatch', { body: batch })).toMatchObject({ code: 'paid-already' });
    },
  );

  it('that removes the batch by which a payment was settled does not let its key be sent again (behaviour 4.45)', async () => {
    const { script, says } = serviceThat(lost);
    const { server, sent } = await consoleWith(script);
    await server.refused('createBatch', { body: batch, key: 'key-1' });
    says({ externalId: 'e', status: 'Completed' });
    await server.done('getBatch', { params: { batchId } });
    await server.done('setSetting', { body: { key: 'postedBatches', value: '[]' } });
    expect((await server.done('createBatch', { body: batch, key: 'key-1' })).data).toEqual({
      batchId,
      status: 'Completed',
    });
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await server.done('getFacts')).pendingPayments).toMatchObject([{ settled: { status: 'Completed' } }]);
  });
});

describe('An answer that a batch failed', () => {
  const data = { batchId, status: 'Failed' };
  const reason = (words: string) => [
    {
      reason: `The service says ${words} of these payments; paying one again asks for your confirmation.`,
      count: 1,
      invoices: ['invoice-1'],
    },
  ];

  it.each<[string, object, Record<string, string>?]>([
    ['has the header content-location', { data }, { 'content-location': '/v3/batchpayments/other' }],
    ['has the member transactions', { data, transactions: ['Completed'] }],
  ])('frees no invoice and says why if it %s (behaviour 4.58; threat 3.27)', async (flaw, answer, headers = {}) => {
    const { server, freed, now, read } = await consoleThatPaid();
    now.script = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
    expect((await read()).staysPaid).toEqual(reason(`Failed, but its answer ${flaw},`));
    expect(await freed()).toEqual([]);
    await server.done('createBatch', { body: batch, query: { again: 'true' } });
  });

  it.each<[string, object, Record<string, string>?]>([
    ['names another company', { data: { ...data, companyId: 'another' } }],
    ['names another organisation beside the data', { organisationId: 'another', data }],
    ['has the interaction id of another request', { data }, { 'x-fapi-interaction-id': randomUUID() }],
  ])('is refused if it %s (threat 3.27)', async (_, answer, headers = {}) => {
    const { server, freed, now } = await consoleThatPaid();
    now.script = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
    expect(await server.refused('getBatch', { params: { batchId } })).toMatchObject({ code: 'upstream-invalid' });
    expect(await freed()).toEqual([]);
  });

  it.each(['Failed', 'Processing'])(
    'says that it is about another payment if it has the externalId of another one, with the status %s: the service may have returned one id to two writes (behaviour 4.58; threat 3.30)',
    async (status) => {
      const { freed, says, read } = await consoleThatPaid();
      for (const [name, other] of Object.entries({ externalId: 'f', subscriptionId: 'subscription-2' })) {
        says({ status, externalId: 'e', [name]: other });
        expect((await read()).staysPaid).toEqual(reason(`${status}, but has another ${name} than was sent,`));
        expect(await freed()).toEqual([]);
      }
    },
  );

  it('partly frees no invoice, and keeps what the service says of each payment (behaviour 4.38, 4.46)', async () => {
    const all = [paymentOf('INV-1', '1.00'), paymentOf('INV-2', '2.00')];
    const { server, freed, now, read } = await consoleThatPaid(all);
    now.script = answering({
      data: {
        batchId,
        status: 'PartiallyCompleted',
        payments: all.map((each, index) => ({ ...each, status: ['Failed', 'Completed'][index] })),
      },
      error: { detail: [{ target: 'creditorAccount', message: 'account closed', index: 0 }] },
    });
    expect((await read()).staysPaid).toMatchObject([{ count: 1, invoices: ['INV-1'] }]);
    expect(await freed()).toEqual([]);
    expect((await server.store.records(batchAnswers).get(batchId))?.says).toEqual([
      { reference: 'INV-1', status: 'Failed', words: 'account closed' },
    ]);
    await server.done('createBatch', { body: { ...batch, payments: all.slice(0, 1) }, query: { again: 'true' } });
  });
});

describe('A batch that failed', () => {
  it.each(['Failed', 'Completed'])(
    'or ended as %s before a payment was sent does not settle that one, however often it is read afterwards (behaviour 4.58)',
    async (status) => {
      const { script, says } = serviceThat(lost);
      const { server, sent, time } = await consoleWith(script);
      const read = () => server.done('getBatch', { params: { batchId } });
      says({ externalId: 'e', status, payments: batch.payments });
      await read();
      time.now += 1;
      await server.refused('createBatch', { body: batch, key: 'key-1' });
      for (let times = 0; times < 3; times += 1) {
        time.now += 1;
        await read();
      }
      expect((await server.done('getFacts')).pendingPayments).toMatchObject([{ key: 'key-1', isRepeatable: true }]);
      const body = { ...batch, externalId: 'second' };
      expect(await server.refused('createBatch', { body })).toMatchObject({ code: 'paid-already' });
      expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
    },
  );

  it('and is then said to be in progress is shown so, and its invoices count as paid (behaviour 4.47)', async () => {
    const { server, says, read, freed } = await consoleThatPaid();
    says({ status: 'Failed' });
    await read();
    expect(await freed()).toEqual(['invoice-1']);
    says({ status: 'Processing' });
    const { data, ended, staysPaid } = await read();
    expect([data.status, ended]).toEqual(['Processing', 'Failed']);
    expect(await server.store.batches.get(batchId)).toMatchObject({ status: 'Processing', ended: 'Failed' });
    expect(staysPaid).toMatchObject([{ invoices: ['invoice-1'] }]);
    expect(await freed()).toEqual([]);
    says({ status: 'Failed' });
    await read();
    expect(await freed()).toEqual(['invoice-1']);
  });

  it('lets its invoices be paid again after a restart, and after its record was removed', async () => {
    const { server, says, read, open } = await consoleThatPaid();
    says({ status: 'Failed' });
    await read();
    await server.done('setSetting', { body: { key: 'postedBatches', value: '[]' } });
    const restarted = await open();
    await restarted.done('createBatch', { body: batch });
  });
});
