import type { Journey } from './journey.ts';

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
