import type { Journey } from './journey.ts';

export const transfer = {
  id: 'transfer',
  path: '/etransfer',
  title: 'eTransfer Funding',
  group: 'Payments',
  summary: 'Opens the external transfer request page with the fixed amount.',
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;
