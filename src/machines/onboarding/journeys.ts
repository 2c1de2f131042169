import { shortId } from '#rules/shortId.ts';
import { companyOf } from '../names.ts';
import type { Journey } from '../journey.ts';

const besideIt = {
  label: 'Create another',
  effect: 'Creating another starts empty; this one stays in Workspace.',
  asks: true,
} as const;

const inItsPlace = {
  label: 'Create another',
  effect: 'Creating another replaces this one here; it stays at the service.',
  asks: true,
} as const;

export const organisation = {
  id: 'organisation',
  path: '/createorganisation',
  title: 'Create Organisation',
  group: 'Org/Comp',
  purpose: 'Companies, subscriptions and payments belong to an organisation. Its signing key stays on the server.',
  summary: 'Creates the organisation with POST /api/organisation; its signing key stays on the server.',
  requires: [],
  after: ['settings'],
  provides: ['organisation'],
  guided: 'always',
  whyNext: () =>
    'It is the customer to whom everything belongs; its signing key signs every call and stays on the server.',
  outcome: ({ settings }) => shortId(settings.organisationId),
  another: besideIt,
  resource: 'organisation',
} as const satisfies Journey;

export const company = {
  id: 'company',
  path: '/createcompany',
  title: 'Create Company',
  group: 'Org/Comp',
  purpose: 'A company belongs to the organisation and holds subscriptions and payments.',
  summary: 'Creates a company of the organisation with POST /api/company.',
  requires: ['organisation'],
  after: ['organisation'],
  provides: ['company'],
  guided: 'always',
  whyNext: () => 'It belongs to the organisation and holds subscriptions and payments.',
  outcome: (facts) => [...new Set([shortId(facts.settings.companyId), companyOf(facts)])].join(' · '),
  another: besideIt,
  resource: 'company',
} as const satisfies Journey;

export const accessToken = {
  id: 'accessToken',
  path: '/getaccesstoken',
  title: 'Get Access Token',
  group: 'Org/Comp',
  purpose:
    'The company’s token authorises its calls; the console renews it automatically. Copy it to try a call yourself.',
  summary: 'Obtains the company access token with GET /api/token and shows it, on a live service only when asked for.',
  requires: ['organisation', 'company'],
  after: ['company'],
  provides: ['accessToken'],
  guided: 'always',
  whyNext: () => 'The next calls act in the company’s name.',
  outcome: () => 'Stored on the server',
  resource: 'accessToken',
} as const satisfies Journey;

const userToken = {
  id: 'userToken',
  path: '/getnetworkaccesstoken',
  title: 'Get User Token',
  group: 'Acct/DataSet',
  purpose:
    'The identity provider asks who you are and sends you back with a token. Account and data set are created in your name.',
  summary: 'Sends you to the identity provider to log in; the token comes back to the server.',
  requires: [],
  after: ['accessToken'],
  provides: ['userToken'],
  guided: 'network',
  whyNext: () => 'Account and data set are created in the name of a person.',
  outcome: ({ userToken }) => (userToken ? 'Stored on the server' : 'Expired'),
} as const satisfies Journey;

export const account = {
  id: 'account',
  path: '/createaccount',
  title: 'Create Account',
  group: 'Acct/DataSet',
  purpose: 'An account is the user’s place in the network.',
  summary: 'Creates the account with POST /api/account in the name of the logged-in user.',
  requires: ['userToken'],
  after: ['userToken'],
  provides: ['account'],
  guided: 'network',
  whyNext: () => 'The network files the company’s data sets under it.',
  outcome: ({ settings }) => shortId(settings.accountId),
  another: inItsPlace,
  resource: 'account',
} as const satisfies Journey;

export const dataset = {
  id: 'dataset',
  path: '/createdataset',
  title: 'Create DataSet',
  group: 'Acct/DataSet',
  purpose: 'A data set holds the company’s records in the account.',
  summary: 'Creates a data set of the account with POST /api/dataset.',
  requires: ['userToken', 'account'],
  after: ['account'],
  provides: ['dataset'],
  guided: 'network',
  whyNext: () => 'It belongs to the account and says where the data come from.',
  outcome: ({ settings }) => shortId(settings.dataSetId),
  another: inItsPlace,
  resource: 'dataset',
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { organisation, company, accessToken, userToken, account, dataset } as const;
