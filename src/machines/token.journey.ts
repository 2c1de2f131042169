import type { Journey } from './journey.ts';

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

export const userToken = {
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
