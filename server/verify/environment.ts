import type { Situation } from './situation.ts';

/** Time (s) that the program should wait for a response. */
const responseTime = 5;

/** The paths and ports that a run of the program is given. */
export interface RunPlaces {
  invoices: string;
  state: string;
  result: string;
  webhookPort: number;
}

/** A table of variables, each with its meaning and its value. */
type Variables<From> = Readonly<Record<string, { says: string; value: (from: From) => string | number }>>;

/** The variables by which the program finds the sandbox (docs/verify.md). */
const ofSituation: Variables<Situation> = {
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
  PAYMENTS_WEBHOOK_SECRET: {
    says: 'The secret of the webhooks’ signatures, beginning with `whsec_`',
    value: ({ webhookSecret }) => webhookSecret,
  },
};

/** The variables of each run, at whichever service. */
const ofRun: Variables<RunPlaces> = {
  PAYMENTS_INVOICES: { says: 'The path of the file of invoices to pay', value: ({ invoices }) => invoices },
  PAYMENTS_STATE: {
    says: 'A folder for what the program has to remember; the same one when it is started again and in both instances',
    value: ({ state }) => state,
  },
  PAYMENTS_RESULT: {
    says: 'The path at which the program may write its result file',
    value: ({ result }) => result,
  },
  PAYMENTS_TIMEOUT: {
    says: 'How many seconds the program should wait for a response',
    value: () => responseTime,
  },
  PAYMENTS_WEBHOOK_PORT: {
    says: 'The port of this machine on which the program may listen for webhooks, at any path',
    value: ({ webhookPort }) => webhookPort,
  },
};

/** The names of the variables with their meanings, in the order of the document. */
export const variableRows: readonly (readonly [string, string])[] = [
  ...Object.entries(ofSituation),
  ...Object.entries(ofRun),
].map(([name, { says }]) => [name, says]);

const valuesOf = <From>(variables: Variables<From>, from: From): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, String(value(from))]));

/** The same variables as a table, for the values of a company that a user has created. */
export const credentialRows = (
  known: Partial<Situation>,
): readonly (readonly [name: string, says: string, value: string])[] =>
  Object.entries(ofSituation).map(([name, { says, value }]) => [name, says, String(value(known as Situation) ?? '')]); // what is unknown is ''

/** Returns the variables by which the program finds the sandbox. */
export const credentialVariables = (situation: Situation) => valuesOf(ofSituation, situation);

/** Returns the variables of a run. */
export const runVariables = (places: RunPlaces) => valuesOf(ofRun, places);
