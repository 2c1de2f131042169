import type { Journey } from './journey.ts';

export const electronicPayment = {
  id: 'electronicPayment',
  path: '/electronicpayments',
  title: 'Electronic Payments',
  group: 'Payments',
  summary: 'Pays invoices through the subscription with POST /api/batchpayments.',
  requires: [
    'organisation',
    'company',
    'authorisedSubscription',
    'usableSubscription',
    'provider',
    'debtors',
    'creditors',
  ],
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
  requires: [
    'organisation',
    'company',
    'authorisedSubscription',
    'usableSubscription',
    'provider',
    'debtors',
    'creditors',
    'fileFormats',
  ],
  after: ['creditor'],
  provides: ['batches'],
  guided: 'alternative',
} as const satisfies Journey;
