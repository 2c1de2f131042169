/**
 * Paths of the Payments Out Service (wire, sections 1-6), for modules that send, answer or show requests. Decisions on
 * points that the public pages leave open are made only here and marked "choice".
 */
export const endpoints = {
  createOrganisation: '/auth-v1/organisations',
  accessToken: '/auth-v1/accessToken',
  /** choice: the path to create a company is not public. */
  createCompany: '/auth-v1/companies',
  keySet: '/auth-v1/.well-known/jwks.json',
  /** choice: network accounts and data sets have no public path. */
  accounts: '/network-v1/accounts',
  datasets: '/network-v1/datasets',
  authorize: '/idp/authorize',
  userInfo: '/idp/userinfo',
  providers: '/v3/providers',
  localInstruments: '/v3/localinstruments',
  fileFormats: '/v3/fileformats',
  /** choice: the path of the list of banks. */
  banks: '/v3/banks',
  subscriptions: '/v3/subscriptions',
  batches: '/v3/batchpayments',
  /** choice: the key is {entityId}{entityType}.{ruleId}.{field} (wire, section 15). */
  translations: '/v3/translations',
  consumerStatus: '/v3/status',
  messagingStatus: '/api-msg-v1/status',
  messaging: '/api-msg-v1',
  transferRequest: '/etransfer/request',
} as const;

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

/** The type of the webhook that answers a message (wire, section 6.1). */
export type AnswerType<Kind extends MessageKind = MessageKind> = Kind extends `${infer Of}queries`
  ? `${Of}queryresponses`
  : Kind;
export const answerTypeOf = <Kind extends MessageKind>(kind: Kind): AnswerType<Kind> =>
  kind.replace(/queries$/, 'queryresponses') as AnswerType<Kind>; // the same replacement

/** The types of webhooks. */
export const webhookTypes = [
  'subscriptionUpdated',
  'batchUpdated',
  ...messageKinds.map((kind) => answerTypeOf(kind)),
] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Header names in lower case; they are case-insensitive (wire, section 3). */
export const header = {
  application: 'x-application',
  apiKey: 'x-api-key',
  interaction: 'x-fapi-interaction-id',
  idempotency: 'x-idempotency-key',
  /** In the answer to a repeated call. */
  replayed: 'idempotent-replayed',
  language: 'x-accept-language',
  nonce: 'x-nonce',
  signature: 'x-signature',
  organisation: 'x-organisation-id',
  company: 'x-company-id',
} as const;

/** The format of a batch where behaviour, section 3 leaves it open; applied by batchBody.ts. */
export const batchForm = {
  /**
   * The payee is identified by the first of these two that is present (behaviour, section 3). choice: by address in a
   * file, because the file is created without the provider that issued the id (wire, section 5.3).
   */
  payee: { file: ['postalAddress', 'creditorId'], electronic: ['creditorId', 'postalAddress'] },
  /**
   * A member that is sent as a string containing JSON. choice: in requests as in the providers' updates (wire, sections
   * 5.1 and 5.3).
   */
  asText: 'additionalData',
  /**
   * choice: empty values, and objects with only empty values, are left out, so there is no empty `creditorAgent` (wire,
   * section 5.3).
   */
  empty: [undefined, null, ''],
} as const;
