import type { Journey } from './journey.ts';

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
