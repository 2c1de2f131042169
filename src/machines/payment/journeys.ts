import type { Journey } from '../journey.ts';

/** Gates of both kinds of payment, in the order in which they are checked (behaviour, sections 4, 6 and 8). */
const common = [
  'organisation',
  'company',
  'authorisedSubscription',
  'usableSubscription',
  'provider',
  'debtors',
  'creditors',
] as const;

export const electronicPayment = {
  id: 'electronicPayment',
  path: '/electronicpayments',
  title: 'Electronic Payments',
  group: 'Payments',
  summary: 'Pays invoices through the subscription with POST /api/batchpayments.',
  requires: common,
  after: ['creditor'],
  provides: ['batches'],
  guided: 'always',
} as const satisfies Journey;

export const filePayment = {
  id: 'filePayment',
  path: '/filepayments',
  title: 'File Payments',
  group: 'Payments',
  summary: 'Pays invoices with a bank file, made from POST /api/batchpayments.',
  requires: [...common, 'fileFormats'],
  after: ['creditor'],
  provides: ['batches'],
  guided: 'alternative',
} as const satisfies Journey;

const transfer = {
  id: 'transfer',
  path: '/etransfer',
  title: 'eTransfer Funding',
  group: 'Payments',
  summary: 'Opens the external transfer request page with the fixed amount.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { electronicPayment, filePayment, transfer } as const;
