import type { Journey } from './journey.ts';

export const batch = {
  id: 'batch',
  path: '/getbatch',
  title: 'Get Batch',
  group: 'Payments',
  summary: 'Follows a batch to its end with GET /api/batchpayments and downloads its bank file.',
  requires: [],
  after: ['electronicPayment', 'filePayment'],
  provides: ['batchEnd'],
  guided: 'always',
} as const satisfies Journey;
