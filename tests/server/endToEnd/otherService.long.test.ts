import { textOf } from '#tests/support/api.ts';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { partyForm, paymentForm, subscriptionForm } from '#rules/field.ts';
import { allRules } from '#rules/merge.ts';
import { additionalData, nested } from '#rules/payload.ts';
import { parseConfig } from '#server/config/config.ts';
import { eventually } from '#tests/support/eventually.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { testConsole } from '#tests/support/console.ts';
import { batchBody, examples } from '#tests/support/guidedPath.ts';
import { otherService } from '#tests/support/otherService.ts';

/** The console configured for the other service. */
async function connected(worded?: (status: string) => string) {
  const service = await otherService(worded);
  const server = await testConsole({
    upstreamUrl: 'http://127.0.0.1:1',
    changes: parseConfig(service.environment).live!,
  });
  service.notify(`${server.url}/notifications`);
  return { ...server, service };
}

/** The ways in which it writes its statuses. */
const worded: [how: string, (status: string) => string][] = [
  ['as its pages do', (status) => status],
  ['in capitals', (status) => status.replace(/(?<=.)(?=[A-Z])/g, '_').toUpperCase()],
  ['in lower case', (status) => status.toLowerCase()],
];

it.each(worded)(
  'The guided path works with a service that differs wherever the protocol allows, statuses %s (wire 10.2)',
  async (_, words) => {
    const { done, service, store, url } = await connected(words);
    await done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
    await done('createOrganisation', { body: organisationBody });
    await done('createCompany', { body: companyBody('C') });
    await done('getToken');
    const state = (await done('startLogin', {})).fields['state']!;
    await done('storeUserToken', { body: { token: service.userToken, state } });
    const { sub, email } = (await done('getUserInfo')).data;
    const attributes = { externalId: randomUUID(), externalSource: 'console' };
    const owner = { user: { email, locale: 'en-GB', identityId: sub } };
    await done('createAccount', { body: { data: { type: 'Account', attributes, owner } } });
    await done('createDataset', {
      body: { data: { type: 'DataSet', attributes: { name: 'Ledger', country: 'GB', ...attributes } } },
    });

    const { data: providers, skipped } = await done('getProviders');
    expect(providers.map(({ providerId }) => providerId)).toEqual(['other-provider']);
    expect(skipped?.map(({ path }) => path)).toEqual(expect.arrayContaining(['data.0', 'data.1', 'data.3']));
    const rules = allRules(providers[0]!, (await done('getLocalInstruments')).data);
    const form = subscriptionForm(rules);
    const given = additionalData(form, examples(form));
    expect(JSON.parse(given)).toEqual({ level: '2', owners: [{ name: 'Owner' }] });
    const { subscriptionId, status } = (
      await done('createSubscription', { body: { data: { providerId: 'other-provider', additionalData: given } } })
    ).data;
    expect(status).toBe('Received');
    const authorise = await eventually(async () => {
      const { data } = await done('getSubscription', { params: { subscriptionId } });
      expect(data.followed).toBe(true);
      return data.links!.authorise!;
    });
    const raw = await fetch(`${url}/api/subscription/${subscriptionId}`);
    expect(await raw.text()).toContain('"future":[null,9007199254740993]');
    await fetch(authorise);
    await eventually(async () => {
      const records = JSON.parse((await done('getSettings')).subscriptions) as SubscriptionRecord[];
      expect(records).toMatchObject([{ subscriptionId, status: words('Authorised') }]);
    });
    for (const suspendedByConsumer of [true, false])
      await done('patchSubscription', { params: { subscriptionId }, body: { data: { suspendedByConsumer } } });

    const [debtor, creditor] = [partyForm(rules, 'DebtorAccounts'), partyForm(rules, 'Creditors')];
    const [debtorId, creditorId] = [randomUUID(), randomUUID()];
    await done('putDebtor', { body: { data: { ...nested(debtor, examples(debtor)), subscriptionId, debtorId } } });
    await done('putCreditor', {
      body: { data: { ...nested(creditor, examples(creditor)), subscriptionId, creditorId } },
    });
    await eventually(async () => {
      expect((await done('getDebtors')).data).toMatchObject([{ debtorId, currency: 'GBP' }]);
      expect((await done('getCreditors')).data).toMatchObject([{ creditorId, creditorAgentidentification: '' }]);
    });
    await done('queryDebtors', { body: { data: { subscriptionId } } });
    await eventually(async () =>
      expect((await store.webhooks.list()).map(({ type }) => type)).toContain('debtoraccountlistqueryresponses'),
    );

    const ended = async (batchId: string, wanted: string) =>
      eventually(async () => {
        const batch = await done('getBatch', { params: { batchId } });
        expect(batch.data.status).toBe(wanted);
        return batch;
      });
    const electronic = await done('createBatch', {
      body: await batchBody({ done }, subscriptionId, paymentForm(rules)),
    });
    await ended(electronic.data.batchId, words('ProcessedByBank'));
    const [format] = (await done('getFileFormats')).data;
    const fileForm = paymentForm(rules, format!.specification.rules);
    expect(fileForm.fields.map(({ id }) => id).sort()).toEqual(['purpose', 'userIdentification.name', 'userNumber']);
    const filed = await done('createBatch', {
      body: await batchBody({ done }, subscriptionId, fileForm, 'other-file'),
    });
    const link = (await ended(filed.data.batchId, words('PaymentFileAvailable'))).links!.paymentFile!;
    expect(textOf(await done('downloadPaymentFile', { params: { link } }))).toMatch(/^<file>.*High St/);

    expect((await done('getBanks')).data).toMatchObject([
      { bank_id: 'other-bank', friendly_name: 'other-bank', service_status: true },
    ]);
    expect((await done('getMessagingHealth')).data).toMatchObject({ version: '9', branch: '' });
    expect(await done('getFacts')).toMatchObject({ debtors: 1, creditors: 1, batches: 2, fileFormats: 1 });
    expect(service.refused).toEqual([]);
  },
);
