import type { Journey } from './journey.ts';

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
