import { expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { notified } from '#tests/support/consoleWithWebhooks.ts';
import { answering, refusal } from '#tests/support/fakeUpstream.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { practice } from '#tests/support/faultScenarios.ts';
import { batchBody } from '#tests/support/guidedPath.ts';
import { known, timelineOf } from '#tests/support/knownRecords.ts';

const batchId = '00000000-0000-4000-8000-000000000001';
const record = { batchId, status: 'Received', amount: '3.00 GBP', kind: 'electronic', postedAt: '2026-01-09T09:00:00Z' } as const; // prettier-ignore
const about = (data: object) => ({ type: 'batchUpdated', resource: { id: batchId, type: 'BatchPayment' }, data });
const back = (reason: string, paymentId = 'p') => ({ paymentId, status: 'Returned', extendedStatus: reason });
const paid = (paymentId: string) => ({ paymentId, status: 'Completed', instructedAmount: { amount: '1.50', currency: 'GBP' } }); // prettier-ignore

/** A console that knows a batch, which the service calls completed whatever its webhooks say. */
async function completed() {
  const opened = await notified();
  const payments = [paid('p'), paid('q')];
  opened.service.scripts[endpoints.batches] = answering({ data: { batchId, status: 'Completed', payments } });
  await opened.server.store.batches.put(batchId, record);
  const { data } = await opened.server.done('getBatch', { params: { batchId } });
  expect(data.status).toBe('Completed');
  const marks = async () =>
    [...(await timelineOf(opened.server)).values()]
      .filter(({ kind }) => kind === 'webhook')
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map(({ status, late }) => `${status}${late ? ' late' : ''}`);
  const reasons = async () =>
    (
      (await opened.server.done('getBatch', { params: { batchId } })).data.payments as { extendedStatus?: string }[]
    ).map(({ extendedStatus = '' }) => extendedStatus);
  return { ...opened, marks, reasons };
}

it('A webhook of an earlier state of a batch changes nothing but the time of the reading, and is shown as late, delivered again too (behaviour 4.68)', async () => {
  const { server, notify, marks } = await completed();
  const before = await known(server);
  const delivery = { id: 'msg-1' };
  expect([await notify(about({ status: 'Processing' }), delivery), await notify(about({ status: 'Processing' }), delivery)]).toEqual([204, 204]); // prettier-ignore
  expect(await known(server)).toEqual(before);
  expect(await marks()).toEqual(['204 late', '204 late']);
});

it('A late webhook about a batch that is no longer in the list is late, and is no news; a later one is news', async () => {
  const { server, notify, marks } = await completed();
  await server.done('setSetting', { body: { key: 'postedBatches', value: '[]' } });
  await notify(about({ status: 'Processing' }));
  const inbox = async () => (await server.done('listWebhooks')).data.length;
  expect([await marks(), await inbox()]).toEqual([['204 late'], 0]);
  await notify(about({ status: 'Completed', payments: [back('AC04')] }));
  expect([await marks(), await inbox()]).toEqual([['204 late', '204'], 1]);
});

it('Of webhooks in another order than that of their signatures, the latest counts, and no return is lost (wire 12.8)', async () => {
  const { notify, marks, reasons } = await completed();
  const at = (seconds: number) => ({ at: new Date(Date.now() - seconds * 1000) });
  await notify(about({ status: 'Completed', payments: [back('AC04')] }), at(10));
  await notify(about({ status: 'Completed', payments: [back('BE01')] }), at(60));
  expect(await reasons()).toEqual(['AC04', '']);
  await notify(about({ status: 'Completed', payments: [back('MS02', 'q')] }), at(50));
  await notify(about({ status: 'Completed', payments: [{ paymentId: 'q', status: 'Held' }] }), at(0));
  expect(await reasons()).toEqual(['AC04', 'MS02']);
  expect(await marks()).toEqual(['204', '204 late', '204', '204 late']);
});

it('A return that a reading has told is told of each later one that calls the payment completed (behaviour 4.66)', async () => {
  const { server, service, reasons } = await completed();
  const read = (status: string, payments: object[]) =>
    (service.scripts[endpoints.batches] = answering({ data: { batchId, status, payments } }));
  read('PartiallyReturned', [{ ...paid('p'), ...back('RR04') }, paid('q')]);
  expect(await reasons()).toEqual(['RR04', '']);
  read('Completed', [paid('p'), paid('q')]);
  expect(await reasons()).toEqual(['RR04', '']);
  const { data } = await server.done('getPostedBatches');
  expect(JSON.parse(data)).toMatchObject([{ ended: 'PartiallyReturned', totals: { paid: '1.50 GBP', returned: '1.50 GBP' } }]); // prettier-ignore
});

it.each([404, 401, 403, 409, 429, 500])(
  'A return that a webhook tells is kept if the reading of the batch ends with %i; of one never read, it is asked for again',
  async (status) => {
    const { server, service, notify, reasons } = await completed();
    const read = service.scripts[endpoints.batches]!;
    service.scripts[endpoints.batches] = answering(refusal(status), status);
    const returned = (id: string) => ({ ...about({ status: 'Completed', payments: [back('AC04')] }), resource: { id, type: 'BatchPayment' } }); // prettier-ignore
    const answered = status === 404 ? 204 : 502;
    const unread = '00000000-0000-4000-8000-000000000002';
    await server.store.batches.put(unread, { ...record, batchId: unread });
    expect([await notify(returned(batchId)), await notify(returned(unread)), await notify(returned('of-no-list'))]).toEqual([answered, 502, answered]); // prettier-ignore
    service.scripts[endpoints.batches] = read;
    expect(await reasons()).toEqual(['AC04', '']);
  },
);

it('A webhook that the sandbox sends out of order is late in the lab’s list, and the others are not', async () => {
  const { server, lab, subscriptionId, rules } = await practice();
  const ended = async () =>
    (await server.done('getLabWebhooks')).data.filter((webhook) => webhook.body.includes('"Completed"'));
  // The last webhook of the batch before would be the delayed one.
  await eventually(async () => expect(await ended()).toHaveLength(1));
  await lab.set({ on: 'webhook', of: 'batchUpdated', fault: { kind: 'delay', ms: 60_000 } });
  const body = await batchBody(server, subscriptionId, paymentForm(rules));
  const { batchId: id } = (await server.done('createBatch', { body, query: { again: 'true' } })).data;
  const rows = async () => {
    const { data } = await server.done('getLabWebhooks');
    return data.filter((webhook) => webhook.body.includes(id)).map(({ body: said, delivered, late }) => [(JSON.parse(said) as { data: { status: string } }).data.status, delivered, late ?? false]); // prettier-ignore
  };
  await eventually(async () => expect(await rows()).toContainEqual(['Completed', true, false]));
  await server.done('getBatch', { params: { batchId: id } });
  await server.done('changeClock', { body: { move: 60_000 } });
  await eventually(async () => {
    expect((await rows()).toSorted()).toEqual([
      ['Completed', true, false],
      ['Processing', true, true],
    ]);
  });
}, 60_000);
