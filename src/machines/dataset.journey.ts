import type { Journey } from './journey.ts';

export const dataset = {
  id: 'dataset',
  path: '/createdataset',
  title: 'Create DataSet',
  group: 'Acct/DataSet',
  summary: 'Creates a data set of the account with POST /api/dataset.',
  requires: ['userToken', 'account'],
  after: ['account'],
  provides: ['dataset'],
  guided: 'network',
} as const satisfies Journey;
