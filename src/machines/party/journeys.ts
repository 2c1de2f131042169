import { countedFact } from '#rules/counted.ts';
import { providerOf } from '../names.ts';
import type { Journey } from '../journey.ts';

export const debtor = {
  id: 'debtor',
  path: '/debtors',
  title: 'Create Debtor',
  group: 'Debtors/Creditors',
  purpose:
    'A debtor is a bank account that pays. The provider confirms it by webhook. Payments use confirmed accounts.',
  summary: 'Creates a paying bank account with POST /api-msg-v1/debtoraccountputs; the provider confirms by webhook.',
  requires: ['usableSubscription', 'provider', 'debtorSupport'],
  after: ['authorisation'],
  provides: ['debtors'],
  guided: 'always',
  whyNext: (facts) => `It is the bank account to pay from. ${providerOf(facts)} confirms it by webhook.`,
  outcome: ({ debtors }) => countedFact(debtors, 'debtor'),
  another: { label: 'Create another' },
  resource: 'debtor',
  list: 'debtorQuery',
} as const satisfies Journey;

export const debtorQuery = {
  id: 'debtorQuery',
  path: '/debtorsquery',
  title: 'Debtor Query',
  group: 'Debtors/Creditors',
  heading: 'Debtors',
  purpose: 'Query the provider for the debtors of this subscription, and delete them here.',
  summary:
    'Asks the provider for its debtors with POST /api-msg-v1/debtoraccountlistqueries and waits for the webhook.',
  requires: ['usableSubscription', 'provider', 'debtorQueries'],
  after: ['debtor'],
  provides: [],
} as const satisfies Journey;

export const creditor = {
  id: 'creditor',
  path: '/creditors',
  title: 'Create Creditor',
  group: 'Debtors/Creditors',
  purpose: 'A creditor is a payee, with the account that receives the money.',
  summary: 'Creates a payee with POST /api-msg-v1/creditorputs; the provider confirms by webhook.',
  requires: ['usableSubscription', 'provider', 'creditorSupport'],
  after: ['debtor'],
  provides: ['creditors'],
  guided: 'always',
  whyNext: (facts) => `It is a payee. ${providerOf(facts)} confirms it by webhook.`,
  outcome: ({ creditors }) => countedFact(creditors, 'creditor'),
  another: { label: 'Create another' },
  resource: 'creditor',
  list: 'creditorQuery',
} as const satisfies Journey;

export const creditorQuery = {
  id: 'creditorQuery',
  path: '/creditorsquery',
  title: 'Creditor Query',
  group: 'Debtors/Creditors',
  heading: 'Creditors',
  purpose: 'Query the provider for the creditors of this subscription, and delete them here.',
  summary: 'Asks the provider for its creditors with POST /api-msg-v1/creditorlistqueries and waits for the webhook.',
  requires: ['usableSubscription', 'provider', 'creditorQueries'],
  after: ['creditor'],
  provides: [],
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { debtor, debtorQuery, creditor, creditorQuery } as const;
