import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { bankProviderName } from '#contract/constants.ts';
import type { Body } from '#contract/shapes.ts';
import type { Provider, Rule } from '#contract/lookup.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { batchRequest } from '#rules/batch.ts';
import { partyForm, paymentForm, subscriptionForm } from '#rules/field.ts';
import type { Form, Values } from '#rules/field.ts';
import { allRules } from '#rules/merge.ts';
import { additionalData, nested, paymentExtras } from '#rules/payload.ts';
import { eventually } from './eventually.ts';
import type { apiAt } from './api.ts';
import { companyBody, organisationBody } from './bodies.ts';
import type { Stage } from './facts.ts';

type Console = Pick<ReturnType<typeof apiAt>, 'done'>;

/** The values of a form filled in with its examples. */
export const examples = ({ fields }: Form): Values =>
  Object.fromEntries(
    fields.map(({ id, kind, example, options }) => [
      id,
      kind === 'boolean' ? 'true' : (options.find(({ value }) => value === example) ?? options[0])?.value || example,
    ]),
  );

/** Presses a button on one of the sandbox's pages. */
const press = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

export async function logIn({ done }: Console) {
  const { action, fields } = await done('startLogin', {});
  const back = await press(action, { ...fields, outcome: 'login', name: 'Sandbox User', email: 'user@example.com' });
  const answer = new URLSearchParams(new URL(back.headers.get('location') ?? '').hash.slice(1));
  const body = { token: answer.get('access_token') ?? '', state: answer.get('state') ?? '' };
  expect(await done('storeUserToken', { body })).toMatchObject({ email: 'user@example.com' });
}

interface Locale {
  providerCountry: string;
  fileFormatCountry: string;
  acceptLanguage: string;
}
const british: Locale = { providerCountry: 'GB', fileFormatCountry: 'GB', acceptLanguage: 'en' };

/** Called after each row of the guided path; for `subscription`, once it awaits authorisation. */
type Told = (stage: Exclude<Stage, 'electronicPayment' | 'batch'>) => unknown;

/** Runs the guided path from settings to data set, with the same calls in the same order as the page. */
export async function onboard(server: Console, locale = british, told: Told = () => undefined) {
  const { done } = server;
  for (const key of ['providerCountry', 'fileFormatCountry', 'acceptLanguage'] as const)
    await done('setSetting', { body: { key, value: locale[key] } });
  await told('settings');
  await done('createOrganisation', { body: organisationBody });
  await told('organisation');
  await done('createCompany', { body: companyBody('Example & Co') });
  await told('company');
  await done('getToken');
  await told('accessToken');
  await logIn(server);
  await told('userToken');
  const { sub, email } = (await done('getUserInfo')).data;
  const source = { externalId: randomUUID(), externalSource: 'console' };
  const owner = { user: { email, locale: 'en-GB', identityId: sub } };
  await done('createAccount', { body: { data: { type: 'Account', attributes: source, owner } } });
  await told('account');
  await done('createDataset', {
    body: { data: { type: 'DataSet', attributes: { name: 'Ledger', country: 'GB', ...source } } },
  });
  await told('dataset');
}

/** The body of a subscription with the examples of the provider's rules. */
export function subscriptionBody({ providerId }: Provider, rules: readonly Rule[]): Body<'createSubscription'> {
  const form = subscriptionForm(rules);
  return { data: { providerId, additionalData: additionalData(form, examples(form)) } };
}

/** Creates such a subscription, which becomes the current one, and returns its id. */
export async function subscribeTo({ done }: Console, provider: Provider, rules: readonly Rule[]): Promise<string> {
  return (await done('createSubscription', { body: subscriptionBody(provider, rules) })).data.subscriptionId;
}

const needed = ['SubscriptionRequired', 'DebtorAccountRequired', 'DebtorQueries', 'CreditorQueries'];

/**
 * Creates a subscription of the provider named `wanted`, or of the first one with all capabilities and its own form,
 * and authorises it on the provider's page; then creates a debtor and a creditor.
 */
export async function subscribe({ done }: Console, wanted?: string, told: Told = () => undefined) {
  const { data: providers } = await done('getProviders');
  const provider = providers.find(({ name, accountType: { capabilities = [] } }) =>
    wanted === undefined
      ? name !== bankProviderName && needed.every((one) => capabilities.includes(one))
      : name === wanted,
  )!;
  const rules = allRules(provider, (await done('getLocalInstruments')).data);
  const subscriptionId = await subscribeTo({ done }, provider, rules);

  const authLink = await eventually(async () => {
    const { data } = await done('getSubscription', { params: { subscriptionId } });
    expect(data.data.status).toBe('AwaitingAuthorisation');
    return data.links!.authorise!;
  });
  await told('subscription');
  await press(authLink, { decision: 'approve' });
  // Does not poll the service: the webhook must update the record.
  await eventually(async () => {
    const [record] = JSON.parse((await done('getSettings')).subscriptions) as SubscriptionRecord[];
    expect(record).toMatchObject({ subscriptionId, status: 'Authorised', suspended: false, authLink });
  });
  await told('authorisation');

  const accepted = (resourceId: string) =>
    eventually(async () =>
      expect((await done('getMessage', { params: { resourceId } })).data).toMatchObject({
        state: 'accepted',
        detail: '',
      }),
    );
  const [debtorId, creditorId] = [randomUUID(), randomUUID()];
  const [debtorForm, creditorForm] = [partyForm(rules, 'DebtorAccounts'), partyForm(rules, 'Creditors')];
  const common = { subscriptionId };
  await done('putDebtor', { body: { data: { ...nested(debtorForm, examples(debtorForm)), ...common, debtorId } } });
  await accepted(debtorId);
  await told('debtor');
  await done('putCreditor', {
    body: { data: { ...nested(creditorForm, examples(creditorForm)), ...common, creditorId } },
  });
  await accepted(creditorId);
  await told('creditor');
  return { provider, rules, subscriptionId, creditorId };
}

/** A batch of three invoices with the examples of the form. */
export async function batchBody({ done }: Console, subscriptionId: string, form: Form, fileFormatId?: string) {
  const [debtor] = (await done('getDebtors')).data;
  const { data: invoices } = await done('getInvoices', { query: { count: '3' } });
  return batchRequest({
    externalId: randomUUID(),
    subscriptionId,
    ...(fileFormatId !== undefined && { fileFormatId }),
    debtor: debtor!,
    invoices,
    creditors: (await done('getCreditors')).data,
    extras: paymentExtras(form, examples(form)),
    today: new Date().toISOString().slice(0, 10),
  });
}

export async function pay(server: Console, subscriptionId: string, form: Form, fileFormatId?: string, again = false) {
  const body = await batchBody(server, subscriptionId, form, fileFormatId);
  return (await server.done('createBatch', { body, ...(again && { query: { again: 'true' } }) })).data.batchId;
}

/** Waits until a batch has this status and no errors. */
export const batchIn = ({ done }: Console, status: string, batchId: string) =>
  eventually(async () => {
    const batch = await done('getBatch', { params: { batchId } });
    expect(batch.error?.detail ?? []).toEqual([]);
    expect(batch.data.status).toBe(status);
    return batch;
  });

/** Runs the whole guided path, so that all gates are open and all lists have entries. */
export async function walk(server: Console) {
  await onboard(server);
  const subscribed = await subscribe(server);
  await pay(server, subscribed.subscriptionId, paymentForm(subscribed.rules));
  return subscribed;
}
