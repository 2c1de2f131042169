import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { partyForm, paymentForm } from '#rules/field.ts';
import { nested } from '#rules/payload.ts';
import { eventually } from '#tests/support/eventually.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { batchBody, examples, logIn, onboard, pay, subscribe, subscriptionBody } from '#tests/support/guidedPath.ts';

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

describe('behaviour, section 7: calls of the console', () => {
  it('each method and path of the table is answered by a call of its own', async () => {
    const { url } = await guidedConsole();
    /** Whether the console has nothing at a method and path. */
    const isMissing = async (method: string, path: string) => {
      const body = method === 'GET' ? undefined : '{}';
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url + path.replace(/\{\w+\}/, 'x'), { method, headers, ...(body && { body }) });
      return response.status === 405 || (await response.text()).includes('The console has nothing at');
    };
    expect(await isMissing('GET', '/api/unknown')).toBe(true);
    expect(await isMissing('DELETE', '/api/organisation')).toBe(true);
    for (const entry of table) {
      const [method = '', path = ''] = entry.split(' ');
      expect(await isMissing(method, path), entry).toBe(false);
    }
  });

  it('of lookups without a company return the specified fields (behaviour 7.3)', async () => {
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

  it('from the organisation to a paid batch return the specified fields (behaviour 3.11)', async () => {
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

/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument -- answers are read by the specification's names; the assertions say what is expected of them */
describe('behaviour, section 7: calls without custom headers', () => {
  /** Sends a request as section 7 prints it and returns the JSON of its answer. Throws unless the answer is 200. */
  const printedAt =
    (url: string) =>
    async (method: string, path: string, body?: unknown): Promise<{ answer: Answered; headers: Headers }> => {
      const response = await fetch(url + path, {
        method,
        ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      const isJson = response.headers.get('content-type')?.includes('json');
      return { answer: isJson ? JSON.parse(text) : text, headers: response.headers };
    };
  /** Any JSON: the assertions say what is expected of it. */
  type Answered = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- the specification's names, not ours
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it('lead from settings to a payment file, and each write returns a new idempotency key (behaviour 7.1, 7.2)', async () => {
    const server = await guidedConsole();
    const send = printedAt(server.url);
    const get = async (path: string) => (await send('GET', path)).answer;
    const keys: string[] = [];
    /** A write without an idempotency key. */
    const write = async (path: string, body: unknown) => {
      const { answer, headers } = await send('POST', path, body);
      keys.push(headers.get('idempotency-key') ?? '');
      return answer;
    };
    const set = async (key: string, value: string) => (await send('POST', '/api/settings', { key, value })).answer;

    for (const [key, value] of [
      ['providerCountry', 'GB'],
      ['fileFormatCountry', 'GB'],
      ['acceptLanguage', 'en'],
    ] as const)
      await set(key, value);
    const organisation = await write('/api/organisation', organisationBody);
    expect(organisation.organisationId).toMatch(/./);
    expect((await write('/api/company', companyBody('Example & Co'))).companyId).toMatch(/./);
    expect((await get('/api/token')).data.token).toMatch(/./);
    await logIn(server);
    const { sub, email } = (await get('/api/userinfo')).data;
    expect(email).toBe('user@example.com');
    const source = { externalId: randomUUID(), externalSource: 'console' };
    const owner = { user: { email, locale: 'en-GB', identityId: sub } };
    const account = await write('/api/account', { type: 'Account', attributes: source, owner });
    expect(account.data.data.id).toMatch(/./);
    const attributes = { name: 'Ledger', country: 'GB', ...source };
    expect((await write('/api/dataset', { attributes })).data.data.id).toMatch(/./);

    // A second subscription, which is created as printed beside the one that is authorised below.
    const { provider, rules, subscriptionId } = await subscribe(server);
    const { providerId } = provider;
    expect((await get(`/api/providers/${providerId}`)).data.name).toBe(provider.name);
    const { additionalData } = subscriptionBody(provider, rules).data;
    const created = await write('/api/subscription', { data: { providerId, additionalData } });
    expect(created.data).toMatchObject({ providerId, status: expect.any(String) as string });
    await set('subscriptionId', subscriptionId);
    expect((await get(`/api/subscription/${subscriptionId}`)).data.data).toMatchObject({
      status: 'Authorised',
      providerId,
    });
    for (const suspendedByConsumer of [true, false])
      await send('PATCH', `/api/patchsubscriptions/${subscriptionId}`, { data: { suspendedByConsumer } });
    const update = {
      resource: 'Subscription',
      id: subscriptionId,
      subscriptionId,
      properties: { paperStatements: true },
    };
    await write('/api-msg-v1/updates', { data: update });
    for (const [path, kind, id] of [
      ['/api-msg-v1/debtoraccountputs', 'DebtorAccounts', 'debtorId'],
      ['/api-msg-v1/creditorputs', 'Creditors', 'creditorId'],
    ] as const) {
      const form = partyForm(rules, kind);
      await write(path, { data: { [id]: randomUUID(), subscriptionId, ...nested(form, examples(form)) } });
    }
    await send('POST', '/api-msg-v1/debtoraccountlistqueries', { data: { subscriptionId } });
    await send('POST', '/api-msg-v1/creditorlistqueries', { data: { subscriptionId } });

    const batch = await batchBody(server, subscriptionId, paymentForm(rules));
    const { batchId } = (await write('/api/batchpayments', batch)).data;
    const { data } = await eventually(async () => {
      const read = await get(`/api/batchpayments/${batchId}`);
      expect(read.data.status).toBe('Completed');
      return read;
    });
    expect(data.status).toBe('Completed');
    expect(JSON.parse((await get('/api/getbatchpayments')).data)).toMatchObject([{ batchId }]);

    const [[debtor], [creditor]] = [(await get('/api/debtors')).data, (await get('/api/creditors')).data];
    for (const path of ['/api/invoices', '/api/fileformats', '/api/providers'])
      expect((await get(path)).data).not.toEqual([]);
    await write('/api-msg-v1/debtoraccountdeletes', { data: { subscriptionId, debtorId: debtor.debtorId } });
    await write('/api-msg-v1/creditordeletes', { data: { subscriptionId, creditorId: creditor.creditorId } });

    for (const path of ['/api/debtors', '/api/creditors'])
      await eventually(async () => expect((await get(path)).data).toHaveLength(1));
    // The service still delivers webhooks; the console must not be closed meanwhile.
    await eventually(async () => {
      const { data } = await server.done('getTimeline', { query: { limit: '200' } });
      const received = data.filter(({ kind }) => kind === 'webhook').map(({ name }) => name);
      expect(received).toEqual(expect.arrayContaining(['debtoraccountdeletes', 'creditordeletes']));
    });
    expect(keys).toHaveLength(11);
    for (const key of keys) expect(key).toMatch(uuid);
    expect(new Set(keys).size).toBe(keys.length);
  }, 60_000);

  it('POST /api/settings accepts a value for each of the 18 settings (behaviour 3.2)', async () => {
    const server = await guidedConsole();
    const send = printedAt(server.url);
    const shown = (await send('GET', '/api/settings')).answer as Record<string, string>;
    const subscription = {
      subscriptionId: 's',
      providerId: 'p',
      status: 'Authorised',
      suspended: false,
      useMock: 'true',
    };
    const batch = {
      batchId: 'b',
      status: 'Received',
      amount: '1.00 GBP',
      kind: 'file',
      postedAt: '2026-11-20T00:00:00.000Z',
    };
    const values: Record<string, string> = {
      organisationId: 'o',
      companyId: 'c',
      companySigningKey: 'a-key',
      userJwt: 'e30.e30.x',
      providerCountry: 'CA',
      fileFormatCountry: 'US',
      acceptLanguage: 'en-CA',
      useMock: 'false',
      useNetwork: 'false',
      accountId: 'a',
      dataSetId: 'd',
      batchId: 'b',
      providerId: 'p',
      webhookData: '',
      providerUrl: shown['providerUrl']!,
      subscriptions: JSON.stringify([subscription]),
      postedBatches: JSON.stringify([batch]),
      subscriptionId: 's',
    };
    expect(Object.keys(values).sort()).toEqual(Object.keys(shown).sort());
    expect(Object.keys(values)).toHaveLength(18);
    for (const [key, value] of Object.entries(values)) await send('POST', '/api/settings', { key, value });
    const secret = { companySigningKey: secretIsSet, userJwt: secretIsSet };
    expect((await send('GET', '/api/settings')).answer).toEqual({ ...values, ...secret });
  });
});
