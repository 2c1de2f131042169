import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { countedFact } from '#rules/counted.ts';
import type { Journey } from '../journey.ts';

/** Whether a batch of this kind was posted; its latest records are stored. */
const hasPosted = ({ settings }: Facts, kind: BatchRecord['kind']): boolean =>
  (JSON.parse(settings.postedBatches) as BatchRecord[]).some((record) => record.kind === kind); // the server assembles it

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

const another = { label: 'Pay another' };

export const electronicPayment = {
  id: 'electronicPayment',
  path: '/electronicpayments',
  title: 'Electronic Payments',
  group: 'Payments',
  heading: 'Pay electronically',
  purpose: '',
  summary: 'Pays invoices through the subscription with POST /api/batchpayments.',
  requires: common,
  after: ['creditor'],
  provides: ['batches', 'anyPayment'],
  guided: 'always',
  whyNext: () => 'Everything is there: choose an account and invoices, review, pay.',
  outcome: ({ batches }) => countedFact(batches, 'batch', 'batches'),
  ownResult: (facts) => hasPosted(facts, 'electronic'),
  another,
  resource: 'batch',
  about: 'corrects',
  list: 'batchList',
} as const satisfies Journey;

export const filePayment = {
  id: 'filePayment',
  path: '/filepayments',
  title: 'File Payments',
  group: 'Payments',
  heading: 'Pay by bank file',
  purpose: 'The service creates a file for the bank.',
  summary: 'Pays invoices with a bank file from POST /api/batchpayments.',
  requires: [...common, 'fileFormats'],
  after: ['creditor'],
  provides: ['batches', 'anyPayment'],
  guided: 'alternative',
  ownResult: (facts) => hasPosted(facts, 'file'),
  another,
  resource: 'batch',
  about: 'corrects',
  list: 'batchList',
} as const satisfies Journey;

const transfer = {
  id: 'transfer',
  path: '/etransfer',
  title: 'eTransfer Funding',
  group: 'Payments',
  heading: 'Fund by eTransfer',
  purpose: 'Pays a fixed amount on the provider’s page.',
  summary: 'Opens the external transfer request page with the fixed amount.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { electronicPayment, filePayment, transfer } as const;
