import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { BatchRecord, SubscriptionRecord } from '#contract/entities.ts';
import { batchRequest } from '#rules/batch.ts';
import { partyForm, paymentForm, subscriptionForm } from '#rules/field.ts';
import type { Form, Values } from '#rules/field.ts';
import { additionalData, nested, paymentExtras } from '#rules/payload.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { temporaryFolder } from '#tests/support/store.ts';

type Console = Awaited<ReturnType<typeof testConsole>>;

/** What a user would type who follows the examples. */
const examples = ({ fields }: Form): Values =>
  Object.fromEntries(
    fields.map(({ id, kind, example, options }) => [
      id,
      kind === 'boolean' ? 'true' : (options.find(({ value }) => value === example) ?? options[0])?.value || example,
    ]),
  );

/** Presses a button of one of the sandbox's pages. */
const press = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

const eventually = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 10_000, interval: 20 });

async function logIn({ done }: Console) {
  const { action, fields } = await done('startLogin', {});
  const back = await press(action, { ...fields, outcome: 'login', name: 'Sandbox User', email: 'user@example.com' });
  const answer = new URLSearchParams(new URL(back.headers.get('location') ?? '').hash.slice(1));
  const body = { token: answer.get('access_token') ?? '', state: answer.get('state') ?? '' };
  expect(await done('storeUserToken', { body })).toMatchObject({ email: 'user@example.com' });
}

/** Settings to data set; the same calls in the same order as the page's. */
async function onboard(server: Console) {
  const { done } = server;
  await done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
  await done('setSetting', { body: { key: 'fileFormatCountry', value: 'GB' } });
  await done('createOrganisation', {
    body: { sageCRMId: 'crm', primaryCountry: 'GBR', adminEmail: 'admin@example.com', defaultLanguage: 'EN' },
  });
  await done('createCompany', {
    body: {
      name: 'Example & Co',
      externalId: 'ada',
      taxNumber: 'GB1',
      standardIndustrialCode: '62012',
      contactTelNo: '+44 20 7946 0000',
      contactEmail: 'user@example.com',
    },
  });
  await done('getToken');
  await logIn(server);
  const { sub, email } = (await done('getUserInfo')).data;
  const source = { externalId: randomUUID(), externalSource: 'console' };
  const owner = { user: { email, locale: 'en-GB', identityId: sub } };
  await done('createAccount', { body: { data: { type: 'Account', attributes: source, owner } } });
  await done('createDataset', {
    body: { data: { type: 'DataSet', attributes: { name: 'Ledger', country: 'GB', ...source } } },
  });
}

const needed = ['SubscriptionRequired', 'DebtorAccountRequired', 'DebtorQueries', 'CreditorQueries'];

/** A subscription of the first provider that can do everything and asks for authorisation; then a debtor and a creditor. */
async function subscribe({ done }: Console) {
  const { data: providers } = await done('getProviders');
  const provider = providers.find(
    ({ name, accountType: { capabilities = [] } }) =>
      name !== 'ecospend' && needed.every((one) => capabilities.includes(one)),
  )!;
  const rules = provider.accountType.validationRules;
  const form = subscriptionForm(rules);
  const { subscriptionId } = (
    await done('createSubscription', {
      body: { data: { providerId: provider.providerId, additionalData: additionalData(form, examples(form)) } },
    })
  ).data;

  const authLink = await eventually(async () => {
    const { data } = await done('getSubscription', { params: { subscriptionId } });
    expect(data.data.status).toBe('AwaitingAuthorisation');
    return data.links!.authorise!;
  });
  await press(authLink, { decision: 'approve' });
  // Nobody asks here: the webhook brings the record up to date.
  await eventually(async () => {
    const [record] = JSON.parse((await done('getSettings')).subscriptions) as SubscriptionRecord[];
    expect(record).toMatchObject({ subscriptionId, status: 'Authorised', suspended: false, authLink });
  });

  const [debtorId, creditorId] = [randomUUID(), randomUUID()];
  const [debtorForm, creditorForm] = [partyForm(rules, 'DebtorAccounts'), partyForm(rules, 'Creditors')];
  const common = { subscriptionId };
  await done('putDebtor', { body: { data: { ...nested(debtorForm, examples(debtorForm)), ...common, debtorId } } });
  await done('putCreditor', {
    body: { data: { ...nested(creditorForm, examples(creditorForm)), ...common, creditorId } },
  });
  for (const resourceId of [debtorId, creditorId])
    await eventually(async () =>
      expect((await done('getMessage', { params: { resourceId } })).data).toMatchObject({
        state: 'accepted',
        detail: '',
      }),
    );
  return { provider, subscriptionId, creditorId };
}

async function pay({ done }: Console, subscriptionId: string, form: Form, fileFormatId?: string) {
  const [debtor] = (await done('getDebtors')).data;
  const { data: invoices } = await done('getInvoices', { query: { count: '3' } });
  const { data } = await done('createBatch', {
    body: batchRequest({
      externalId: randomUUID(),
      subscriptionId,
      ...(fileFormatId !== undefined && { fileFormatId }),
      debtor: debtor!,
      invoices,
      creditors: (await done('getCreditors')).data,
      extras: paymentExtras(form, examples(form)),
      today: new Date().toISOString().slice(0, 10),
    }),
  });
  return data.batchId;
}

const consoleWithSandbox = (folder = temporaryFolder(), dataDir = temporaryFolder()) =>
  testConsole({
    folder,
    upstreamUrl: async (url) => (await testSandbox({ webhookUrl: `${url}/notifications`, dataDir })).url,
  });

describe('from nothing to a paid batch', () => {
  it('electronically and by file, through the sandbox and back', async () => {
    const server = await consoleWithSandbox();
    const { done } = server;
    await onboard(server);
    const { provider, subscriptionId, creditorId } = await subscribe(server);
    const rules = provider.accountType.validationRules;

    const electronic = await pay(server, subscriptionId, paymentForm(rules));
    await eventually(async () => {
      const { data, error } = await done('getBatch', { params: { batchId: electronic } });
      expect(error?.detail ?? []).toEqual([]);
      expect(data.status).toBe('Completed');
      expect(data.payments).toHaveLength(3);
    });

    const [format] = (await done('getFileFormats')).data;
    const fileForm = paymentForm(rules, format!.specification.rules);
    const byFile = await pay(server, subscriptionId, fileForm, format!.fileFormatId);
    const link = await eventually(async () => {
      const { data, links, error } = await done('getBatch', { params: { batchId: byFile } });
      expect(error?.detail ?? []).toEqual([]);
      expect(data.status).toBe('PaymentFileAvailable');
      return links!.paymentFile!;
    });
    expect((await done('downloadPaymentFile', { params: { link } })).trim().split('\n').length).toBeGreaterThan(3);

    const batches = JSON.parse((await done('getPostedBatches')).data) as BatchRecord[];
    expect(batches.map(({ batchId, kind, status }) => [batchId, kind, status])).toEqual([
      [electronic, 'electronic', 'Completed'],
      [byFile, 'file', 'PaymentFileAvailable'],
    ]);
    expect(batches[0]?.amount).toMatch(/^\d+\.\d\d GBP$/);

    await done('queryCreditors', { body: { data: { subscriptionId } } });
    await eventually(async () => {
      const { webhookData } = await done('getSettings');
      expect(webhookData).toContain('creditorlistqueryresponses');
      expect(webhookData).toContain(creditorId);
    });
    expect(await done('getFacts')).toMatchObject({
      accessToken: true,
      userToken: true,
      provider: { name: provider.name },
      subscription: { subscriptionId, status: 'Authorised', suspendedByConsumer: false },
      debtors: 1,
      creditors: 1,
      batches: 2,
      batchStatus: 'PaymentFileAvailable',
    });
  }, 60_000);

  it('suspends and resumes the subscription', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const { subscriptionId } = await subscribe(server);
    for (const suspendedByConsumer of [true, false]) {
      const body = { data: { suspendedByConsumer } };
      const { data } = await server.done('patchSubscription', { params: { subscriptionId }, body });
      expect(data.suspendedByConsumer).toBe(suspendedByConsumer);
      expect(await server.store.subscriptions.get(subscriptionId)).toMatchObject({ suspended: suspendedByConsumer });
    }
  }, 60_000);

  it('shows why the service refused: its status, the fields and its body', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const [provider] = (await server.done('getProviders')).data;
    const body = { data: { providerId: provider!.providerId, additionalData: '{}' } };
    const problem = await server.refused('createSubscription', { body });
    expect(problem).toMatchObject({ code: 'upstream-refused', status: 422, upstream: { status: 422 } });
    expect(problem.errors).not.toHaveLength(0);
  }, 60_000);
});
