import type { Journey } from '../journey.ts';

export const debtor = {
  id: 'debtor',
  path: '/debtors',
  title: 'Create Debtor',
  group: 'Debtors/Creditors',
  summary: 'Creates a paying bank account with POST /api-msg-v1/debtoraccountputs; the provider answers by webhook.',
  requires: ['usableSubscription', 'provider', 'debtorSupport'],
  after: ['authorisation'],
  provides: ['debtors'],
  guided: 'always',
} as const satisfies Journey;

export const debtorQuery = {
  id: 'debtorQuery',
  path: '/debtorsquery',
  title: 'Debtor Query',
  group: 'Debtors/Creditors',
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
  summary: 'Creates a payee with POST /api-msg-v1/creditorputs; the provider answers by webhook.',
  requires: ['usableSubscription', 'provider', 'creditorSupport'],
  after: ['debtor'],
  provides: ['creditors'],
  guided: 'always',
} as const satisfies Journey;

export const creditorQuery = {
  id: 'creditorQuery',
  path: '/creditorsquery',
  title: 'Creditor Query',
  group: 'Debtors/Creditors',
  summary: 'Asks the provider for its creditors with POST /api-msg-v1/creditorlistqueries and waits for the webhook.',
  requires: ['usableSubscription', 'provider', 'creditorQueries'],
  after: ['creditor'],
  provides: [],
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { debtor, debtorQuery, creditor, creditorQuery } as const;
