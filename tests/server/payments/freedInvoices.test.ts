import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { batchId, consoleThatPaid, serviceThat } from '#tests/support/consoleThatPaid.ts';
import { batch, consoleWith, lost } from '#tests/support/consoleWithPayments.ts';
import { answering, type Script } from '#tests/support/fakeUpstream.ts';

const spellings = [
  'Failed',
  'rejected',
  'CANCELLED',
  ' Rejected',
  'Re-jected',
  'FAILED ',
  'Can\u00adcelled',
  'Ｆａｉｌｅｄ',
  'fai_led',
];
const silences: Record<string, Script> = {
  'answers 404': answering({ title: 'Gone', status: 404 }, 404),
  'does not answer': lost,
  'answers another batch': answering({ data: { batchId: 'another', status: 'Failed' } }),
  'answers no status': answering({ data: { batchId } }),
};

describe('A setting that a user writes', () => {
  it.each(spellings)('with the status %j frees no invoice (behaviour 4.45; threat 2.9)', async (status) => {
    const { server, freed, sent } = await consoleThatPaid();
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

  it('does not keep an invoice paid whose batch the service says has failed (behaviour 4.45)', async () => {
    const { server, freed, says, read } = await consoleThatPaid();
    says({ status: 'FAILED' });
    await read();
    const value = JSON.stringify([{ batchId, status: 'Completed' }]);
    await server.done('setSetting', { body: { key: 'postedBatches', value } });
    expect(await freed()).toEqual(['invoice-1']);
  });
});

describe('An answer that a batch failed', () => {
  const data = { batchId, status: 'Failed' };
  it.each<[string, object, Record<string, string>?]>([
    ['has another externalId', { data: { ...data, externalId: 'f' } }],
    ['names another subscription', { data: { ...data, externalId: 'e', subscriptionId: 'subscription-2' } }],
    ['names another company', { data: { ...data, companyId: 'another' } }],
    ['names another organisation beside the data', { organisationId: 'another', data }],
    ['has the interaction id of another request', { data }, { 'x-fapi-interaction-id': randomUUID() }],
    ['states its status under two names', { data: { ...data, Status: 'Completed' } }],
    ['lists its payments under another name', { data: { ...data, Payments: [{ status: 'Completed' }] } }],
    [
      'states the status of a payment under two names',
      { data: { ...data, payments: [{ status: 'Failed', STATUS: 'Completed' }] } },
    ],
  ])('frees no invoice if it %s (behaviour 4.58; threat 3.27)', async (_, answer, headers = {}) => {
    const { server, freed, now } = await consoleThatPaid();
    now.script = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
    await server.call('getBatch', { params: { batchId } });
    expect(await freed()).toEqual([]);
  });

  it.each([
    `{"data":{"batchId":"${batchId}","status":"Completed","status":"Failed"}}`,
    `{"data":{"batchId":"${batchId}","st\\u0061tus":"Completed","status":"Failed"}}`,
    `{"data":{"batchId":"${batchId}","status":"Failed","payments":[{"status":"Completed"}],"payments":[]}}`,
    `{"data":{"status":"Completed"},"data":{"batchId":"${batchId}","status":"Failed"}}`,
    `{"data":{"batchId":"${batchId}","status":"Failed","payments":[{"status":"Completed","x":["status"],"status":"Failed"}]}}`,
  ])('frees no invoice if it has a member twice: %s (behaviour 4.58)', async (text) => {
    const { server, freed, now } = await consoleThatPaid();
    now.script = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    const answer = await server.done('getBatch', { params: { batchId } });
    expect(answer.staysPaid).toMatchObject([{ reason: expect.stringMatching(/has the member ".+" twice/) as string }]);
    expect(await freed()).toEqual([]);
  });

  it.each([
    `{"data":{"batchId":"${batchId}","status":"Failed","a":{"note":"x"},"b":[{"note":"x"},{"note":"x"}]}}`,
    `{"data":{"batchId":"${batchId}","status":"Failed","note":"\\"status\\":","list":["note","note","a,b"]}}`,
  ])('frees its invoices if different objects have members of one name: %s', async (text) => {
    const { server, freed, now } = await consoleThatPaid();
    now.script = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    await server.done('getBatch', { params: { batchId } });
    expect(await freed()).toEqual(['invoice-1']);
  });

  it.each<[string, object, object?]>([
    ['has a status beside the data', { status: 'Completed' }],
    ['has a status beside the data that is none of the protocol', { status: 'success' }],
    ['has a status within another member', { meta: { batch: { paymentStatus: 'Settled' } } }],
    ['has a status that is no text', { state: { code: 'ACSC' } }],
    ['has the known status Processing in another member', { result: 'Processing' }],
    ['lists payments beside the data', { payments: [{ status: 'Failed' }] }],
    ['lists payments in another part', { included: [{ Payments: [{}] }] }],
    ['has a list of transactions with a completed one', {}, { transactions: [{ status: 'Completed' }] }],
    ['has a batch status in its data', {}, { batchStatus: 'Completed' }],
    ['counts a completed payment', {}, { completedPayments: 1 }],
    ['states a paid sum', { summary: { amount_paid: '0.50' } }],
    ['says that a payment was executed', {}, { payments: [{ status: 'Failed', isExecuted: true }] }],
    ['names another batch beside the data', { batch_id: 'another' }],
    [
      'lists a failed payment with another status within',
      {},
      { payments: [{ status: 'Failed', bank: { state: 'ACSC' } }] },
    ],
  ])('frees no invoice and says why if it %s (behaviour 4.58; threat 3.27)', async (_, beside, within = {}) => {
    const { freed, now, read } = await consoleThatPaid();
    now.script = answering({ ...beside, data: { ...data, ...within } });
    expect((await read()).staysPaid).toMatchObject([{ invoices: ['invoice-1'] }]);
    expect(await freed()).toEqual([]);
  });

  it.each(['Failed', 'Completed', 'Processing', 'Received'])(
    'says that it is about another payment if it has the externalId of another one, with the status %s: the service may have returned one id to two writes (behaviour 4.58; threat 3.30)',
    async (status) => {
      const { freed, says, read } = await consoleThatPaid();
      for (const other of [{ externalId: 'f' }, { externalId: 'e', subscriptionId: 'subscription-2' }]) {
        says({ status, ...other });
        const reason = expect.stringMatching(/with another (externalId|subscriptionId) than was sent/) as string;
        expect((await read()).staysPaid).toMatchObject([{ reason, invoices: ['invoice-1'] }]);
        expect(await freed()).toEqual([]);
      }
    },
  );

  it('frees its invoices if it has statuses of HTTP, or its failure twice', async () => {
    const { freed, now, read } = await consoleThatPaid();
    const error = { code: 'AC04', message: 'Rejected', status: 422 };
    const none = {
      completedPayments: 0,
      paidAmount: '0.00',
      unpaidPayments: 1,
      isPaid: false,
      completedAt: '2026-11-20',
    };
    now.script = answering({
      status: '200',
      batchId,
      error,
      data: { ...data, ...none, batchStatus: 'FAILED', state: null },
    });
    expect(await read()).not.toHaveProperty('staysPaid');
    expect(await freed()).toEqual(['invoice-1']);
  });

  it('frees its invoices if it repeats the ids in another spelling', async () => {
    const { says, read, freed } = await consoleThatPaid();
    says({
      status: 'Failed',
      externalId: ' E ',
      subscriptionId: 'SUBSCRIPTION-1',
      companyId: 'C',
      organisationId: 'O',
    });
    expect(await read()).not.toHaveProperty('staysPaid');
    expect(await freed()).toEqual(['invoice-1']);
  });
});

describe('A batch that failed', () => {
  it('before a payment was sent does not settle that one, whatever its externalId (behaviour 4.58)', async () => {
    const { script, says } = serviceThat(lost);
    const { server, sent, time } = await consoleWith(script);
    const read = () => server.done('getBatch', { params: { batchId } });
    says({ externalId: 'e', status: 'Failed' });
    await read();
    time.now += 1;
    await server.refused('createBatch', { body: batch, key: 'key-1' });
    await read();
    const body = { ...batch, externalId: 'second' };
    expect(await server.refused('createBatch', { body })).toMatchObject({ code: 'paid-already' });
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each(['Failed', 'Rejected', 'Completed'])(
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

  it('and is then said to be completed has paid its invoices', async () => {
    const { says, read, freed } = await consoleThatPaid();
    says({ status: 'Failed' });
    await read();
    says({ status: 'Completed' });
    expect((await read()).data.status).toBe('Completed');
    expect(await freed()).toEqual([]);
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
