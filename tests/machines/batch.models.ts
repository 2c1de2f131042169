import { batchMachine } from '#machines/batch/batch.machine.ts';
import type { BatchView } from '#machines/batch/batch.ts';
import { batchListMachine } from '#machines/batch/batchList.machine.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { bankFile, batchRecord } from '#tests/support/fixtures.ts';
import { modelOf } from '#tests/support/paths.ts';

export const viewOf = (status: string, paymentFile = ''): BatchView => ({
  batch: { batchId: 'batch-1', status },
  paymentFile,
  errors: [],
  references: [],
  ended: '',
  staysPaid: [],
  waits: [],
  authorise: { link: '', elsewhere: '', expiresAt: '' },
  raw: {},
  readAt: '2026-11-20T09:00:00.000Z',
});

const toApprove: BatchView = {
  ...viewOf('AwaitingAuthorisation'),
  authorise: { link: 'http://provider.test/authorise/batch-1', elsewhere: '', expiresAt: '' },
};

const views = {
  Processing: viewOf('Processing'),
  AwaitingAuthorisation: toApprove,
  Completed: viewOf('Completed'),
  PaymentFileAvailable: viewOf('PaymentFileAvailable', 'http://provider.test/file/1'),
};

type Batched = { view: BatchView | null };

export const batchModel = modelOf(batchMachine)({
  facts: { 'no batch': factsAfter('creditor'), 'a posted batch': factsAfter('electronicPayment') },
  // Only an electronic batch is approved.
  tries: ({ view }: Batched, answer) =>
    answer !== 'PaymentFileAvailable' || view?.authorise.link !== toApprove.authorise.link,
  // Without a link there is nothing to press.
  events: { 'authorise.open': ({ view }: Batched) => (view?.authorise.link ? [{}] : []) },
  inputs: [{ batchId: '' }],
  answers: {
    findBatch: { 'its record': { record: batchRecord }, 'no record': { record: null } },
    readBatch: views,
    followBatch: views,
    hearBatch: { Completed: viewOf('Completed'), Processing: viewOf('Processing') },
    watch: views,
    downloadFile: { 'a file': { file: bankFile } },
  },
  reads: ({ view }: Batched) => [view?.paymentFile !== '', view?.authorise.link],
});

export const batchListModel = modelOf(batchListMachine)({
  facts: { 'no batches': factsAfter('creditor'), batches: everything },
  answers: {
    loadBatches: { 'a batch': { batches: [batchRecord] } },
    pollBatch: { 'a status': { status: 'Completed', readAt: '2026-11-20T09:05:00.000Z' } },
  },
  events: { 'batch.poll': () => [{ id: batchRecord.batchId }, { id: 'unknown' }] },
});
