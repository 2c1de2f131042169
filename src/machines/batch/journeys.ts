import { shortId } from '#rules/shortId.ts';
import type { Journey } from '../journey.ts';

export const batch = {
  id: 'batch',
  path: '/getbatch',
  title: 'Get Batch',
  group: 'Payments',
  purpose: 'Follows a batch until every payment has ended, and shows which failed and why.',
  summary: 'Follows a batch to its end with GET /api/batchpayments and downloads its bank file.',
  requires: ['batches'],
  after: ['electronicPayment', 'filePayment'],
  provides: ['batchEnd'],
  guided: 'always',
  whyNext: () => 'Its status changes until every payment has ended.',
  outcome: ({ settings, batchStatus }) => `${shortId(settings.batchId)} · ${batchStatus}`,
  status: ({ batchStatus }) => batchStatus,
  resource: 'batch',
  about: 'batchId',
  list: 'batchList',
} as const satisfies Journey;

export const batchList = {
  id: 'batchList',
  path: '/paymentlist',
  title: 'List Payments',
  group: 'Payments',
  purpose: 'The batches of this company, newest first. Open one to see its payments, or poll for its status.',
  summary: 'Lists the posted batches with GET /api/getbatchpayments; each can be polled for an update.',
  requires: ['anyPayment'],
  local: 'the posted batches are listed as last seen',
  after: ['electronicPayment', 'filePayment'],
  provides: [],
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { batch, batchList } as const;
