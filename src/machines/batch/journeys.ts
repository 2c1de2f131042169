import type { Journey } from '../journey.ts';

export const batch = {
  id: 'batch',
  path: '/getbatch',
  title: 'Get Batch',
  group: 'Payments',
  summary: 'Follows a batch to its end with GET /api/batchpayments and downloads its bank file.',
  requires: ['batches'],
  after: ['electronicPayment', 'filePayment'],
  provides: ['batchEnd'],
  guided: 'always',
} as const satisfies Journey;

export const batchList = {
  id: 'batchList',
  path: '/paymentlist',
  title: 'List Payments',
  group: 'Payments',
  summary: 'Lists the posted batches with GET /api/getbatchpayments; each can be polled for an update.',
  requires: ['batches'],
  local: 'the posted batches are listed as last seen',
  after: ['electronicPayment', 'filePayment'],
  provides: [],
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { batch, batchList } as const;
