import type { AnyMachineSnapshot } from 'xstate';
import type { CallName } from '#contract/calls.ts';
import type { Facts } from '#contract/facts.ts';
import { member } from '#contract/member.ts';
import { requests, type ServiceRequest } from '#contract/requests/requests.ts';
import type { FormState } from '#machines/form.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Question } from '#machines/lookup/lookup.machine.ts';
import { outgoingPayment, unsentBatch, type PaymentContext } from '#machines/payment/payment.ts';
import type { Context as SubscriptionContext } from '#machines/subscription/choice.ts';
import { accountBody, datasetBody, ownBody } from '#rules/forms.ts';
import { putOf } from '#rules/party.ts';
import { additionalData, nested } from '#rules/payload.ts';
import { updateOf } from '#rules/update.ts';
import { keyWord } from './code/request.ts';

/** The request that the page would send now. */
export interface Preview {
  request: ServiceRequest;
  /** Dotted path in the body of the value that a form field sets; undefined if it sets none. */
  lineOf: (field: string) => string | undefined;
  /** Values that are known only when the request is sent, described in words. */
  later?: string;
}

/**
 * `key` is the placeholder of the idempotency key, which the server creates when the request is sent; `own` is that of
 * a key created by the page, which is also the id of the created record.
 */
type PreviewOf = (snapshot: AnyMachineSnapshot, facts: Facts, key: string, own: string) => Preview | null;

interface Inspected {
  /** The console's calls whose requests to the service are shown. */
  calls: readonly CallName[];
  /** The request about to be sent; null for a page without a preview. */
  preview: PreviewOf | null;
}

/** The context of a journey's snapshot; the registries pair each journey with its own preview. */
const contextIn = <Context>({ context }: AnyMachineSnapshot) => context as Context; // a snapshot of that journey's machine

const nothing = () => undefined;

/**
 * The dotted path of a rule's value in a body: takes the first element of a list, and stops at a text, which contains
 * the rest.
 */
function placed(body: unknown, path: string): string {
  const steps: string[] = [];
  let here = body;
  const go = (step: string) => {
    steps.push(step);
    here = (here as Record<string, unknown>)[step]; // an object or a list
  };
  for (const step of path.split('.')) {
    if (Array.isArray(here)) go('0');
    if (typeof here !== 'object' || here === null) break;
    go(step);
  }
  return steps.join('.');
}

/** Maps the fields of the rules to their paths in a request's body. */
const byPaths =
  ({ form }: FormState, lead: string, { body }: ServiceRequest) =>
  (field: string): string | undefined => {
    const path = form.fields.find(({ id }) => id === field)?.paths[0];
    return path === undefined ? undefined : placed(body, `${lead}${path}`);
  };

const organisation: PreviewOf = (snapshot, _, key) => {
  const { values } = contextIn<FormState>(snapshot);
  return { request: requests.createOrganisation(ownBody('organisation', values), key), lineOf: (field) => field };
};

const company: PreviewOf = (snapshot, _, key) => {
  const { values } = contextIn<FormState>(snapshot);
  return { request: requests.createCompany(ownBody('company', values), key), lineOf: (field) => field };
};

const accessToken: PreviewOf = (_, { settings: { organisationId, companyId } }) => ({
  request: requests.accessToken(organisationId, companyId),
  lineOf: nothing,
});

/** Placeholders: the logged-in user is read when the account is sent. */
const loggedIn = { email: '$EMAIL', sub: '$USER_ID' };

const account: PreviewOf = (snapshot, { settings }, key) => ({
  request: requests.createAccount(
    accountBody(contextIn<FormState>(snapshot).values, loggedIn, settings.acceptLanguage),
    key,
  ),
  lineOf: (field) => `data.attributes.${field}`,
  later: '$EMAIL and $USER_ID are those of the logged-in user, read when the request is sent.',
});

const dataset: PreviewOf = (snapshot, _, key) => ({
  request: requests.createDataset(datasetBody(contextIn<FormState>(snapshot).values), key),
  lineOf: (field) => `data.attributes.${field}`,
});

const subscription: PreviewOf = (snapshot, { settings }, key) => {
  const { provider, form, values } = contextIn<SubscriptionContext>(snapshot);
  if (!provider) return null;
  const data = { providerId: provider.providerId, additionalData: additionalData(form, values) };
  return {
    request: requests.createSubscription(settings.organisationId, { data }, key),
    lineOf: () => 'data.additionalData',
  };
};

interface Chosen extends FormState {
  chosen: { subscriptionId: string; suspended: boolean } | null;
}

/** The update being edited, or the suspension being sent. */
const authorisation: PreviewOf = (snapshot, _, key) => {
  const state = contextIn<Chosen>(snapshot);
  if (!state.chosen) return null;
  const { subscriptionId, suspended } = state.chosen;
  if (snapshot.matches('suspending')) {
    const data = { suspendedByConsumer: !suspended };
    return { request: requests.patchSubscription(subscriptionId, { data }), lineOf: nothing };
  }
  if (!snapshot.matches('updating')) return null;
  const data = updateOf(subscriptionId, nested(state.form, state.values));
  const request = requests.message('updates', data, key);
  return { request, lineOf: byPaths(state, 'data.properties.', request) };
};

const party =
  (kind: 'debtoraccountputs' | 'creditorputs', id: 'debtorId' | 'creditorId'): PreviewOf =>
  (snapshot, { settings }, key, own) => {
    const state = contextIn<FormState>(snapshot);
    const data = putOf(id, nested(state.form, state.values), own, settings.subscriptionId);
    const request = requests.message(kind, data, key);
    return { request, lineOf: byPaths(state, 'data.', request) };
  };

/** The query; or the deletion that is being confirmed or sent. */
const query =
  (
    list: 'debtoraccountlistqueries' | 'creditorlistqueries',
    remove: 'debtoraccountdeletes' | 'creditordeletes',
    id: 'debtorId' | 'creditorId',
  ): PreviewOf =>
  (snapshot, { settings: { subscriptionId } }, key) => {
    const { resourceId } = contextIn<{ resourceId: string }>(snapshot);
    const request = ['confirming', 'deleting'].some((state) => snapshot.matches(state))
      ? requests.message(remove, { subscriptionId, [id]: resourceId }, key)
      : requests.message(list, { subscriptionId }, key);
    return { request, lineOf: nothing };
  };

/** Paths in the batch of the choices that are not fields of rules. */
const paymentLines: Readonly<Record<string, string>> = {
  bankAccount: 'data.debtor',
  executionDate: 'data.requestedExecutionDateTime',
  invoices: 'data.payments',
};

const payment: PreviewOf = (snapshot, _, key, own) => {
  const context = contextIn<PaymentContext>(snapshot);
  if (!context.debtors.some(({ debtorId }) => debtorId === context.debtorId)) return null;
  const batch = context.prepared ? outgoingPayment(context).batch : { externalId: own, ...unsentBatch(context) };
  const request = requests.createBatch(batch, key);
  const ofRule = byPaths(context, 'data.', request);
  return { request, lineOf: (field) => member(paymentLines, field) ?? ofRule(field) };
};

/** The lookup of definitions; if no country or language is chosen, takes those of the settings. */
const definitions =
  (of: 'providers' | 'fileFormats', setting: 'providerCountry' | 'fileFormatCountry'): PreviewOf =>
  (snapshot, { settings }) => {
    const { question } = contextIn<{ question: Question }>(snapshot);
    const { country = settings[setting], language = settings.acceptLanguage } = question;
    return { request: requests[of]({ country, language }), lineOf: nothing };
  };

const none = (...calls: CallName[]): Inspected => ({ calls, preview: null });

/** What the inspector shows for each journey. */
export const inspected: Readonly<Record<JourneyId, Inspected>> = {
  settings: none('getProviders', 'getFileFormats'),
  providers: { calls: ['getProviders'], preview: definitions('providers', 'providerCountry') },
  bankFiles: { calls: ['getFileFormats'], preview: definitions('fileFormats', 'fileFormatCountry') },
  additionalData: none('getProviders', 'getFileFormats', 'getLocalInstruments'),
  translations: none('getTranslation'),
  consumerHealth: {
    calls: ['getConsumerHealth'],
    preview: () => ({ request: requests.health('consumer'), lineOf: nothing }),
  },
  messagingHealth: {
    calls: ['getMessagingHealth'],
    preview: () => ({ request: requests.health('messaging'), lineOf: nothing }),
  },
  organisation: { calls: ['createOrganisation'], preview: organisation },
  company: { calls: ['createCompany'], preview: company },
  accessToken: { calls: ['getToken'], preview: accessToken },
  userToken: none('storeUserToken'),
  account: { calls: ['createAccount'], preview: account },
  dataset: { calls: ['createDataset'], preview: dataset },
  subscription: { calls: ['createSubscription'], preview: subscription },
  bankSubscription: { calls: ['createSubscription'], preview: subscription },
  authorisation: {
    calls: ['sendUpdate', 'patchSubscription', 'getSubscription', 'sendMessageAgain'],
    preview: authorisation,
  },
  debtor: { calls: ['putDebtor', 'sendMessageAgain'], preview: party('debtoraccountputs', 'debtorId') },
  creditor: { calls: ['putCreditor', 'sendMessageAgain'], preview: party('creditorputs', 'creditorId') },
  debtorQuery: {
    calls: ['queryDebtors', 'deleteDebtor', 'sendMessageAgain'],
    preview: query('debtoraccountlistqueries', 'debtoraccountdeletes', 'debtorId'),
  },
  creditorQuery: {
    calls: ['queryCreditors', 'deleteCreditor', 'sendMessageAgain'],
    preview: query('creditorlistqueries', 'creditordeletes', 'creditorId'),
  },
  electronicPayment: { calls: ['createBatch'], preview: payment },
  filePayment: { calls: ['createBatch'], preview: payment },
  batch: none('getBatch', 'downloadPaymentFile'),
  batchList: none('getBatch'),
  transfer: none(),
};

/** The request that a page is about to send; null if it sends none or does not know it yet. */
export const previewOf = (
  id: JourneyId,
  snapshot: AnyMachineSnapshot,
  facts: Facts,
  key = keyWord,
  own = keyWord,
): Preview | null => inspected[id].preview?.(snapshot, facts, key, own) ?? null;
