import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch, lost, making } from '#tests/support/consoleWithPayments.ts';
import { consoleThatPaid, batchId, paymentOf } from '#tests/support/consoleThatPaid.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { temporaryFolder } from '#tests/support/store.ts';

it('A payer is the same at another address of the service: its invoice stays paid, and a lost payment is repeated under its key (threat 3.15, 3.18)', async () => {
  const folder = temporaryFolder();
  const service = await fakeUpstream({ [endpoints.batches]: lost });
  const server = await testConsole({ upstreamUrl: service.url, folder });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  await server.refused('createBatch', { body: batch, key: 'key' });
  service.scripts[endpoints.batches] = making();
  const other = await testConsole({ upstreamUrl: service.url.replace('127.0.0.1', 'LocalHost'), folder });
  expect(await other.refused('createBatch', { body: batch, key: 'another' })).toMatchObject({ code: 'paid-already' });
  await other.done('createBatch', { body: batch, key: 'key' });
  expect(await other.refused('createBatch', { body: batch, key: 'another' })).toMatchObject({ code: 'paid-already' });
  expect(new Set(service.askedFor(endpoints.batches).map(({ headers }) => headers['x-idempotency-key'])).size).toBe(1);
});

describe('Failed payments of a batch that has failed in part', () => {
  const [failing, other] = [paymentOf('invoice-1', '1.00'), paymentOf('invoice-2', '2.00')];
  const again = { ...batch, externalId: 'again', payments: [failing] };

  async function failedInPart() {
    const opened = await consoleThatPaid([failing, other]);
    opened.says({
      status: 'PartiallyCompleted',
      payments: [
        { ...failing, status: 'Failed' },
        { ...other, status: 'Completed' },
      ],
    });
    await opened.read();
    return opened;
  }

  it('are paid again by the user’s confirmation only, and never with one that was completed (behaviour 4.38)', async () => {
    const { server, sent } = await failedInPart();
    const both = { ...again, payments: [failing, other] };
    expect(await server.refused('createBatch', { body: again })).toMatchObject({ code: 'paid-already' });
    expect(await server.refused('createBatch', { body: both })).toMatchObject({
      code: 'paid-already',
      errors: [{ path: 'payments.0' }, { path: 'payments.1' }],
    });
    const confirmed = { body: again, query: { again: 'true' } as const, key: 'second' };
    const replies = await Promise.all([1, 2, 3].map(() => server.call('createBatch', confirmed)));
    expect(new Set(replies.map((each) => each.ok && each.answer.data.batchId)).size).toBe(1);
    await server.done('getBatch', { params: { batchId } });
    expect(await server.refused('createBatch', { body: again })).toMatchObject({ code: 'paid-already' });
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('are not sent again by another key while they are sent again without an answer (behaviour 4.38)', async () => {
    const { server, service, sent } = await failedInPart();
    service.scripts[endpoints.batches] = lost;
    await server.refused('createBatch', { body: again, query: { again: 'true' }, key: 'second' });
    service.scripts[endpoints.batches] = answering({ data: { batchId, status: 'Failed' } });
    await server.done('getBatch', { params: { batchId } });
    for (const body of [again, { ...again, payments: [paymentOf('INVOICE-1', '1.01')] }])
      expect(await server.refused('createBatch', { body, key: 'third' })).toMatchObject({ code: 'paid-already' });
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(2);
  });
});
