import type { Facts } from '#contract/facts.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { Settings } from '#contract/settings.ts';

/** The changes that a row of the guided path makes to the facts. */
type Change = Partial<Omit<Facts, 'settings'>> & { settings?: Partial<Settings> };

const nothing: Facts = {
  settings: {
    subscriptionId: '',
    providerId: '',
    providerCountry: '',
    fileFormatCountry: '',
    acceptLanguage: '',
    useMock: 'true',
    useNetwork: 'true',
    organisationId: '',
    companyId: '',
    companySigningKey: '',
    accountId: '',
    dataSetId: '',
    userJwt: '',
    batchId: '',
    webhookData: '',
    postedBatches: '[]',
    providerUrl: 'http://provider.test/',
    subscriptions: '[]',
  },
  companyKey: 'first',
  companies: [],
  lost: '',
  accessToken: false,
  userToken: false,
  user: '',
  login: null,
  providers: 0,
  providerLanguages: [],
  bankProvider: false,
  bankProviderAt: null,
  provider: null,
  subscription: null,
  alternatives: [],
  debtors: 0,
  creditors: 0,
  fileFormats: 0,
  fileFormatLanguages: [],
  batches: 0,
  batchStatus: '',
  pendingPayments: [],
  made: {},
  transferUrl: 'http://provider.test/transfer',
  environment: 'sandbox',
  service: {
    consumer: 'http://service.test',
    messaging: 'http://service.test',
    network: 'http://service.test',
    auth: 'http://service.test',
    userInfo: 'http://service.test/idp/userinfo',
    applicationId: 'console.test',
  },
  setAside: { total: 0, latest: [] },
  unread: [],
  unreadBecause: null,
};

const first = {
  companyKey: 'first',
  organisationId: 'organisation-1',
  companyId: 'company-1',
  companyName: '',
  hasPreviousKey: false,
};

/** The rows of the guided path in order, each with the changes of its success. */
const changes = {
  settings: {
    settings: { providerCountry: 'GB', fileFormatCountry: 'GB', acceptLanguage: 'en' },
    providers: 2,
    bankProvider: true,
    fileFormats: 1,
  },
  organisation: {
    settings: { organisationId: 'organisation-1', companySigningKey: secretIsSet },
    companies: [{ ...first, companyId: '' }],
  },
  company: { settings: { companyId: 'company-1' }, companies: [first] },
  accessToken: { accessToken: true },
  userToken: {
    userToken: true,
    user: 'Sandbox User',
    login: { subject: 'user-1', issuedAt: '2026-11-26T15:00:00Z', expiresAt: '2026-11-26T16:00:00Z', scopes: ['openid', 'email'] }, // prettier-ignore
    settings: { userJwt: secretIsSet },
  },
  account: { settings: { accountId: 'account-1' } },
  dataset: { settings: { dataSetId: 'dataset-1' } },
  subscription: {
    settings: { subscriptionId: 'subscription-1', providerId: 'provider-1' },
    subscription: { subscriptionId: 'subscription-1', status: 'AwaitingAuthorisation', suspendedByConsumer: false },
    provider: {
      providerId: 'provider-1',
      name: 'Example Bacs',
      capabilities: ['SubscriptionRequired', 'DebtorAccountRequired', 'DebtorQueries', 'CreditorQueries'],
    },
  },
  authorisation: {
    subscription: { subscriptionId: 'subscription-1', status: 'Authorised', suspendedByConsumer: false },
  },
  debtor: { debtors: 1 },
  creditor: { creditors: 1 },
  electronicPayment: { batches: 1, batchStatus: 'Processing', settings: { batchId: 'batch-1' } },
  batch: { batchStatus: 'Completed' },
} as const satisfies Record<string, Change>;

export type Stage = keyof typeof changes;

export const stages = Object.keys(changes) as Stage[]; // the keys of a const object

/** The facts with some members replaced; settings are replaced individually. */
export const withFacts = (facts: Facts, { settings, ...others }: Change): Facts => ({
  ...facts,
  ...others,
  settings: { ...facts.settings, ...settings },
});

/** The facts once the guided path is done up to and including `stage`; 'nothing' means a new user. */
export const factsAfter = (stage: Stage | 'nothing'): Facts =>
  stages
    .slice(0, stage === 'nothing' ? 0 : stages.indexOf(stage) + 1)
    .reduce<Facts>((facts, done) => withFacts(facts, changes[done]), nothing);

/** The facts at the end of the guided path. */
export const everything: Facts = factsAfter('batch');
