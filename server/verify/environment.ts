import type { Situation } from './situation.ts';

/** The paths and ports that a run of the program is given. */
export interface RunPlaces {
  invoices: string;
  state: string;
  result: string;
  webhookPort: number;
}

/** The variables with which the program is started (docs/verify.md), each with its meaning and its value. */
const variables: Readonly<
  Record<string, { says: string; value: (situation: Situation, places: RunPlaces) => string | number }>
> = {
  PAYMENTS_URL: {
    says: 'The address of the service, without a slash at the end; all paths are below it',
    value: ({ url }) => url,
  },
  PAYMENTS_APPLICATION_ID: { says: 'For the header `x-application`', value: ({ applicationId }) => applicationId },
  PAYMENTS_API_KEY: { says: 'For the header `x-api-key`', value: ({ apiKey }) => apiKey },
  PAYMENTS_ORGANISATION_ID: {
    says: 'For the header `X-Organisation-Id` of the call for a token',
    value: ({ organisationId }) => organisationId,
  },
  PAYMENTS_COMPANY_ID: {
    says: 'For the header `X-Company-Id` of the call for a token',
    value: ({ companyId }) => companyId,
  },
  PAYMENTS_SIGNING_KEY: {
    says: 'The organisation’s key, with which the call for a token is signed',
    value: ({ primarySigningKey }) => primarySigningKey,
  },
  PAYMENTS_SUBSCRIPTION_ID: {
    says: 'The authorised subscription that pays',
    value: ({ subscriptionId }) => subscriptionId,
  },
  PAYMENTS_DEBTOR_ID: { says: 'The debtor account that pays', value: ({ debtorId }) => debtorId },
  PAYMENTS_INVOICES: { says: 'The path of the file of invoices to pay', value: (_, { invoices }) => invoices },
  PAYMENTS_STATE: {
    says: 'A folder for what the program has to remember; the same one when it is started again and in both instances',
    value: (_, { state }) => state,
  },
  PAYMENTS_RESULT: {
    says: 'The path at which the program may write its result file',
    value: (_, { result }) => result,
  },
  PAYMENTS_TIMEOUT: {
    says: 'How many seconds the program should wait for a response',
    value: ({ responseTime }) => responseTime,
  },
  PAYMENTS_WEBHOOK_PORT: {
    says: 'The port of this machine on which the program may listen for webhooks, at any path',
    value: (_, { webhookPort }) => webhookPort,
  },
  PAYMENTS_WEBHOOK_SECRET: {
    says: 'The secret of the webhooks’ signatures, beginning with `whsec_`',
    value: ({ webhookSecret }) => webhookSecret,
  },
};

/** The names of the variables with their meanings, in the order of the document. */
export const variableRows: readonly (readonly [string, string])[] = Object.entries(variables).map(
  ([name, { says }]) => [name, says],
);

/** Returns the variables for a run. */
export const environmentOf = (situation: Situation, places: RunPlaces): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, String(value(situation, places))]));
