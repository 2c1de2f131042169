import type { Journey } from './journey.ts';

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
