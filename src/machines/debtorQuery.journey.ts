import type { Journey } from './journey.ts';

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
