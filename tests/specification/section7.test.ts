import { describe, expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { BatchRecord } from '#contract/batch.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { paymentForm } from '#rules/field.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { eventually, onboard, pay, subscribe } from '#tests/support/guided.ts';

/** Methods and paths of the specification's table, copied by hand. */
const table = [
  'GET /api/settings',
  'POST /api/settings',
  'GET /api/providers',
  'GET /api/providers/{providerId}',
  'GET /api/subscription/{subscriptionId}',
  'POST /api/subscription',
  'PATCH /api/patchsubscriptions/{subscriptionId}',
  'POST /api-msg-v1/updates',
  'POST /api-msg-v1/debtoraccountputs',
  'POST /api-msg-v1/creditorputs',
  'POST /api-msg-v1/debtoraccountlistqueries',
  'POST /api-msg-v1/creditorlistqueries',
  'POST /api-msg-v1/debtoraccountdeletes',
  'POST /api-msg-v1/creditordeletes',
  'GET /api/debtors',
  'GET /api/creditors',
  'GET /api/invoices',
  'GET /api/fileformats',
  'POST /api/batchpayments',
  'GET /api/batchpayments/{batchId}',
  'GET /api/getbatchpayments',
  'GET /api/downloadpaymentfile/{link}',
  'POST /api/organisation',
  'POST /api/company',
  'POST /api/account',
  'POST /api/dataset',
  'GET /api/userinfo',
  'GET /api/token',
  'GET /api/translation/{key}',
  'GET /api/consumerapistatus',
  'GET /api/consumermessagingapistatus',
];

const guidedConsole = () =>
  testConsole({ upstreamUrl: async (url) => (await testSandbox({ webhookUrl: `${url}/notifications` })).url });

describe('behaviour, section 7: the calls it makes', () => {
  it.each(table)('%s', (entry) => {
    expect(Object.values(calls).map(({ method, path }) => `${method} ${path}`)).toContain(entry);
  });

  it('their answers hold what the specification uses of them, before there is a company', async () => {
    const { done } = await guidedConsole();
    await done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
    const [provider] = (await done('getProviders')).data;
    const one = await done('getProvider', { params: { providerId: provider?.providerId ?? '' } });
    expect(one.data).toMatchObject({ name: provider?.name, accountType: provider?.accountType });
    for (const name of ['getConsumerHealth', 'getMessagingHealth'] as const)
      expect(Object.keys((await done(name)).data)).toEqual(expect.arrayContaining(['version', 'branch', 'name']));
    const rule = provider?.accountType.validationRules.find(({ validation }) => validation?.uiLabel);
    const key = `${provider?.providerId}Provider.${rule?.ruleId}.uiLabel`;
    const { data } = await done('getTranslation', { params: { key } });
    expect(data.data.translation).toBe(rule?.validation?.uiLabel);
  });

  it('and from the organisation to a paid batch', async () => {
    const server = await guidedConsole();
    const { done } = server;
    await onboard(server);
    expect(await done('getSettings')).toMatchObject({
      organisationId: expect.stringMatching(/./) as string, // vitest types its matchers as any
      companyId: expect.stringMatching(/./) as string, // the same
      accountId: expect.stringMatching(/./) as string, // the same
      dataSetId: expect.stringMatching(/./) as string, // the same
    });
    expect((await done('getUserInfo')).data).toMatchObject({ email: 'user@example.com' });
    expect((await done('getToken')).data.token).not.toBe('');

    const { provider, subscriptionId } = await subscribe(server);
    const records = JSON.parse((await done('getSettings')).subscriptions) as SubscriptionRecord[];
    expect(records.map((record) => record.subscriptionId)).toEqual([subscriptionId]);
    const properties = { paperStatements: true };
    const update = { resource: 'Subscription' as const, id: subscriptionId, subscriptionId, properties };
    await done('sendUpdate', { body: { data: update } });

    const batchId = await pay(server, subscriptionId, paymentForm(provider.accountType.validationRules));
    await eventually(async () =>
      expect((await done('getBatch', { params: { batchId } })).data.status).toBe('Completed'),
    );
    const { data } = await done('getPostedBatches');
    expect(typeof data).toBe('string');
    expect((JSON.parse(data) as BatchRecord[]).map((batch) => batch.batchId)).toEqual([batchId]);

    const [debtor] = (await done('getDebtors')).data;
    const debtorId = debtor?.debtorId ?? '';
    await done('deleteDebtor', { body: { data: { subscriptionId, debtorId } } });
    await eventually(async () => expect((await done('getDebtors')).data).toEqual([]));
  });
});
