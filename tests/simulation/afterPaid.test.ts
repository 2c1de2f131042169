import { expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { RecordedBatch, RecordedWebhook } from '#server/sandbox/recorded.ts';
import { heardOf, lateUntold, lostOnTheWay, paidAfterReturn, wronglyShown } from './afterPaid.ts';
import { broken } from './invariants.ts';
import type { Exchange } from './line.ts';
import { emptyLedger } from './users.ts';

const returned = (told: string) => ({ at: '', reason: 'AC04', amount: '1.25', charges: '0.25', told });
const batchOf = (told: string, batchId = 'b'): RecordedBatch => ({
  batchId,
  companyId: '',
  externalId: batchId,
  idempotencyKey: batchId,
  status: 'Completed',
  at: 0,
  payments: [{ paymentId: 'p', status: 'Completed', amount: '1.50', currency: 'GBP', creditorId: '', reference: 'INV-1', returned: returned(told) }], // prettier-ignore
});
const additionalData = JSON.stringify({ returnedAmount: { amount: '1.25', currency: 'GBP' } });
const back = { paymentId: 'p', status: 'RETURNED', extendedStatus: 'AC04', additionalData };
const webhook = (webhookId: string, data: object, at: number, more: object = {}): RecordedWebhook => ({
  webhookId,
  type: 'batchUpdated',
  deliveries: [{ at, ms: 5, status: 204, outcome: '', headers: {}, body: JSON.stringify({ resource: { id: 'b' }, data }), ...more }], // prettier-ignore
});
const telling = heardOf([webhook('w', { status: 'Completed', payments: [back] }, 0)]);

it('a payment that came back is to be shown so with reason and amount, once that was told', () => {
  const paid = { paymentId: 'p', status: 'Completed' };
  expect(wronglyShown(batchOf('event'), [paid], [])).toEqual([]);
  expect(wronglyShown(batchOf('event'), [paid], telling)).toEqual(['The payment of INV-1 is Returned, and is shown as Completed.']); // prettier-ignore
  expect(wronglyShown(batchOf('status'), [paid], [])).toHaveLength(1);
  expect(wronglyShown(batchOf('event'), [back], telling)).toEqual([]);
  expect(wronglyShown(batchOf('event'), [{ ...back, extendedStatus: 'BE01' }], telling)).toHaveLength(1);
  expect(wronglyShown(batchOf('event'), [{ ...back, additionalData: '' }], telling)).toHaveLength(1);
  const answerLost = heardOf([webhook('w', { status: 'Completed', payments: [back] }, 0, { status: 0 })]);
  for (const shown of [paid, back]) expect(wronglyShown(batchOf('event'), [shown], answerLost)).toEqual([]);
  expect(wronglyShown(batchOf('event'), [back], [])).toHaveLength(1);
});

it('a payment that was shown to have come back is not to be told as paid later', () => {
  const reading = (status: string, sentAt: number, at: number): Exchange => ({
    who: 'Ann',
    workspace: '',
    method: 'GET',
    path: calls.getBatch.path.replace('{batchId}', 'b'),
    key: '',
    asked: '',
    body: '',
    status: 200,
    text: JSON.stringify({ data: { payments: [{ paymentId: 'p', status }] } }),
    companyKey: '',
    sentAt,
    at,
  });
  expect(paidAfterReturn([reading('Completed', 1, 2), reading('Returned', 3, 4), reading('Completed', 3, 5)])).toEqual([]); // prettier-ignore
  expect(paidAfterReturn([reading('Returned', 3, 4), reading('Completed', 5, 6)])).toHaveLength(1);
});

it('a payment that came back is not to be paid again without a confirmation', () => {
  const ledger = emptyLedger();
  const twice = [batchOf('both'), batchOf('both', 'c')];
  expect(broken(twice, ledger, [])).toEqual(['INV-1 is paid 2 times, by b, c; 1 allowed.']);
  ledger.confirmed.set('INV-1', 1);
  expect(broken(twice, ledger, [])).toEqual([]);
});

it('a webhook of an earlier stage is to be called late, if it came after one of a later stage was taken', () => {
  const heard = (at: number, more: object = {}) =>
    heardOf([webhook('later', { status: 'Completed' }, 10), webhook('earlier', { status: 'Processing' }, at, more)]);
  expect(lateUntold(heard(20), new Set())).toHaveLength(1);
  expect(lateUntold(heard(20), new Set(['earlier']))).toEqual([]);
  expect(lateUntold(heard(5), new Set())).toEqual([]);
  expect(lateUntold(heard(20, { outcome: `not sent: ${lostOnTheWay}` }), new Set())).toEqual([]);
  expect(lateUntold(heard(20, { status: 0 }), new Set())).toEqual([]);
});
