import type { Journey } from './journey.ts';

export const account = {
  id: 'account',
  path: '/createaccount',
  title: 'Create Account',
  group: 'Acct/DataSet',
  summary: 'Creates the account with POST /api/account in the name of the logged-in user.',
  requires: ['userToken'],
  after: ['userToken'],
  provides: ['account'],
  guided: 'network',
} as const satisfies Journey;
