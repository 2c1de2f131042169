import { describe, expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

const blanks = ['', ' ', '\t\n', '\u00a0', '\u200b', '\ufeff \u2060'];

async function ready(batchId = 'b') {
  const service = await fakeUpstream({
    [endpoints.batches]: answering({ data: { batchId, status: 'Received' } }, 201),
  });
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  return { server, service };
}

describe('A blank id of a batch', () => {
  it.each(blanks)('in the answer to a payment leaves its outcome unknown: %j (threat 3.19)', async (batchId) => {
    const { server } = await ready(batchId);
    const payments = [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'n' } }];
    const body = { externalId: 'e', subscriptionId: 's', requestedExecutionDateTime: executionDate, payments };
    expect(await server.refused('createBatch', { body })).toMatchObject({
      code: 'upstream-invalid',
      outcome: 'unknown',
    });
    expect(JSON.parse((await server.done('getPostedBatches')).data)).toEqual([]);
  });

  it.each(blanks.slice(1))('is refused before anything is read: %j', async (batchId) => {
    const { server, service } = await ready();
    expect(await server.refused('getBatch', { params: { batchId } })).toMatchObject({ status: 400 });
    const value = JSON.stringify([{ batchId, status: 'Received' }]);
    expect(await server.refused('setSetting', { body: { key: 'postedBatches', value } })).toMatchObject({
      status: 400,
    });
    expect(await server.refused('setSetting', { body: { key: 'batchId', value: batchId } })).toMatchObject({
      status: 400,
    });
    expect(service.askedFor(endpoints.batches)).toEqual([]);
  });
});
