import type { Journey } from '../journey.ts';

export const organisation = {
  id: 'organisation',
  path: '/createorganisation',
  title: 'Create Organisation',
  group: 'Org/Comp',
  summary: 'Creates the organisation with POST /api/organisation; its signing key stays on the server.',
  requires: [],
  after: ['settings'],
  provides: ['organisation'],
  guided: 'always',
} as const satisfies Journey;

export const company = {
  id: 'company',
  path: '/createcompany',
  title: 'Create Company',
  group: 'Org/Comp',
  summary: 'Creates a company of the organisation with POST /api/company.',
  requires: ['organisation'],
  after: ['organisation'],
  provides: ['company'],
  guided: 'always',
} as const satisfies Journey;

export const accessToken = {
  id: 'accessToken',
  path: '/getaccesstoken',
  title: 'Get Access Token',
  group: 'Org/Comp',
  summary: 'Obtains the company access token with GET /api/token; it is shown only when asked for.',
  requires: ['organisation', 'company'],
  after: ['company'],
  provides: ['accessToken'],
  guided: 'always',
} as const satisfies Journey;

const userToken = {
  id: 'userToken',
  path: '/getnetworkaccesstoken',
  title: 'Get User Token',
  group: 'Acct/DataSet',
  summary: 'Sends you to the identity provider to log in; the token comes back to the server.',
  requires: [],
  after: ['accessToken'],
  provides: ['userToken'],
  guided: 'network',
} as const satisfies Journey;

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

/** The journeys of this area, in menu order. */
export const journeys = { organisation, company, accessToken, userToken, account, dataset } as const;
