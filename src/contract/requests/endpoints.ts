/**
 * Paths of the Payments Out Service (wire, sections 1-6), for whoever makes its requests, answers them or shows them.
 * Where the public pages are silent, the choice is made here, once, and marked "choice".
 */
export const endpoints = {
  createOrganisation: '/auth-v1/organisations',
  accessToken: '/auth-v1/accessToken',
  /** choice: path of company creation is not public. */
  createCompany: '/auth-v1/companies',
  keySet: '/auth-v1/.well-known/jwks.json',
  /** choice: Network accounts and data sets have no public path. */
  accounts: '/network-v1/accounts',
  datasets: '/network-v1/datasets',
  authorize: '/idp/authorize',
  userInfo: '/idp/userinfo',
  providers: '/v3/providers',
  localInstruments: '/v3/localinstruments',
  fileFormats: '/v3/fileformats',
  /** choice: path of the bank listing. */
  banks: '/v3/banks',
  subscriptions: '/v3/subscriptions',
  batches: '/v3/batchpayments',
  /** choice: key is {entityId}{entityType}.{ruleId}.{field} (wire, section 15). */
  translations: '/v3/translations',
  consumerStatus: '/v3/status',
  messagingStatus: '/api-msg-v1/status',
  messaging: '/api-msg-v1',
  transferRequest: '/etransfer/request',
} as const;

/** The path exactly as the public page prints it (wire, section 5). */
export const createSubscriptionPath = (organisationId: string): string =>
  `${endpoints.subscriptions}/organisations/${encodeURIComponent(organisationId)}/subscriptions`;

export const messageKinds = [
  'updates',
  'debtoraccountputs',
  'creditorputs',
  'debtoraccountlistqueries',
  'creditorlistqueries',
  'debtoraccountdeletes',
  'creditordeletes',
] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Header names, lower case; case-insensitive on the wire (wire, section 3). */
export const header = {
  application: 'x-application',
  apiKey: 'x-api-key',
  interaction: 'x-fapi-interaction-id',
  idempotency: 'x-idempotency-key',
  language: 'x-accept-language',
  nonce: 'x-nonce',
  signature: 'x-signature',
  organisation: 'x-organisation-id',
  company: 'x-company-id',
} as const;

/** The form of a batch where section 3 of the specification leaves it open; batchBody.ts writes it. */
export const batchForm = {
  /** choice: only the first of these: a file batch names no subscription (wire, section 5.3). */
  routes: ['fileFormatId', 'subscriptionId'],
  /**
   * The payee by the first of these two (behaviour, section 3). choice: by address in a file, which is made without the
   * provider that issued the id (wire, section 5.3).
   */
  payee: { file: ['postalAddress', 'creditorId'], electronic: ['creditorId', 'postalAddress'] },
  /** A text that holds JSON. choice: in requests as in the providers' updates (wire, sections 5.1 and 5.3). */
  asText: 'additionalData',
  /** choice: empty values are left out, and objects of nothing else: no empty `creditorAgent` (wire, section 5.3). */
  empty: [undefined, null, ''],
} as const;
