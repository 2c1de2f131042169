import { describe, expect, it } from 'vitest';
import { listedInSettings, companyHeader } from '#contract/constants.ts';
import type { SettingKey } from '#contract/settings.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { creditor } from '#tests/support/fixtures.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

const consoleAlone = async () => testConsole({ upstreamUrl: (await fakeUpstream({})).url });

describe('GET and POST /api/settings', () => {
  it('return the default values on a new console', async () => {
    const { done, config } = await consoleAlone();
    const settings = await done('getSettings');
    expect(settings).toMatchObject({
      acceptLanguage: 'en',
      useMock: 'true',
      useNetwork: 'true',
      providerUrl: `${config.upstream.providerUrl}/`,
      subscriptions: '[]',
      postedBatches: '[]',
      webhookData: '',
      organisationId: '',
    });
    expect(settings).not.toHaveProperty('accessTokenOf');
  });

  it.each([
    ['providerCountry', ''],
    ['providerCountry', 'ZA'],
    ['acceptLanguage', ''],
    ['subscriptionId', ''],
    ['organisationId', ''],
    ['companyId', ''],
    ['webhookData', ''],
  ] as const)('accept %s = "%s"', async (key, value) => {
    const { done } = await consoleAlone();
    expect((await done('setSetting', { body: { key, value } }))[key]).toBe(value);
    expect((await done('getSettings'))[key]).toBe(value);
  });

  it.each([
    ['providerCountry', 'XX', 400],
    ['fileFormatCountry', 'gb', 400],
    ['acceptLanguage', 'xx', 400],
    ['useNetwork', 'yes', 400],
    ['userJwt', 'with a space', 400],
    ['userJwt', secretIsSet, 400],
    ['companySigningKey', secretIsSet, 400],
    ['providerUrl', 'http://evil.example', 403],
    ['providerUrl', 'javascript:alert(1)', 403],
    ['subscriptions', '{}', 400],
    ['subscriptions', '[{"subscriptionId":""}]', 400],
    ['subscriptions', '[{"subscriptionId":"s"},{"subscriptionId":"s"}]', 400],
    ['subscriptions', '[{"subscriptionId":"s","authLink":"https://evil.example/"}]', 403],
    ['postedBatches', '{', 400],
    ['postedBatches', '[{"batchId":"b","status":"Rejected"}]', 403],
    ['webhookData', '{', 400],
  ] as const)('refuse %s = "%s" with status %i and change nothing (threat 2.9)', async (key, value, status) => {
    const { refused, done } = await consoleAlone();
    const before = await done('getSettings');
    expect(await refused('setSetting', { body: { key, value } })).toMatchObject({ status });
    expect(await done('getSettings')).toEqual(before);
  });

  it('start empty for a new organisation or company of a page, and restore the values of a known id', async () => {
    const { done, store } = await consoleAlone();
    const set = async (key: SettingKey, value: string) => {
      const headers = { [companyHeader]: await store.companies.current() };
      return done('setSetting', { body: { key, value }, headers });
    };
    await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k', accountId: 'a' });
    expect(await set('companyId', 'd')).toMatchObject({
      organisationId: 'o',
      companyId: 'd',
      companySigningKey: secretIsSet,
      accountId: '',
    });
    expect(await set('organisationId', 'p')).toMatchObject({
      organisationId: 'p',
      companyId: '',
      companySigningKey: '',
      accountId: '',
    });
    expect(await set('companyId', '')).toMatchObject({ organisationId: 'p', companyId: '' });
    expect(await set('organisationId', '')).toMatchObject({ organisationId: '', companyId: '' });
    // Its latest company.
    expect(await set('organisationId', 'o')).toMatchObject({ organisationId: 'o', companyId: 'd' });
    expect(await set('companyId', 'c')).toMatchObject({ organisationId: 'o', accountId: 'a' });
  });

  it.each(['companySigningKey', 'userJwt'] as const)(
    'store %s but never return it or record it in the timeline (threat 2.9)',
    async (key) => {
      const { done, store, timelines } = await consoleAlone();
      const value = `the-secret-${key}`;
      const answers = [await done('setSetting', { body: { key, value } }), await done('getSettings')];
      for (const answer of answers) expect(answer[key]).toBe(secretIsSet);
      expect(await store.settings.read()).toMatchObject({ [key]: value });
      await timelines.flush();
      const told = JSON.stringify([answers, await done('getTimeline', { query: { limit: '50' } })]);
      expect(told).not.toContain(value);
      expect((await done('setSetting', { body: { key, value: '' } }))[key]).toBe('');
    },
  );

  const secret = 'Zq3+opaque/signing==';
  it.each([
    ['in other letters', 'POST', JSON.stringify({ key: 'CompanySigningKEY', value: secret })],
    ['with a blank', 'POST', JSON.stringify({ key: 'companySigningKey ', value: secret })],
    ['as an object', 'POST', JSON.stringify({ key: 'companySigningKey', value: { text: secret } })],
    ['as a list', 'POST', JSON.stringify(['companySigningKey', secret])],
    ['twice', 'POST', `{"key":"companySigningKey","value":"${secret}","value":"another-key-1"}`],
    ['twice, for another setting', 'POST', `{"key":"acceptLanguage","value":"${secret}","value":"en"}`],
    ['beside a setting', 'POST', JSON.stringify({ key: 'acceptLanguage', value: 'en', note: secret })],
    ['as a name', 'POST', JSON.stringify({ key: 'acceptLanguage', [secret]: 'en' })],
    ['for another setting', 'POST', JSON.stringify({ key: 'acceptLanguage', value: secret })],
    ['in JSON in JSON', 'POST', JSON.stringify({ key: 'companysigningkey', value: JSON.stringify({ a: secret }) })],
    ['under other names', 'POST', JSON.stringify({ name: 'companySigningKey', content: secret })],
    ['by PATCH', 'PATCH', JSON.stringify({ key: 'acceptLanguage', value: secret })],
    ['by PATCH under another name', 'PATCH', JSON.stringify({ signing: secret })],
    ['by PUT', 'PUT', JSON.stringify({ key: 'companySigningKey', value: secret })],
    ['in a form', 'POST', `key=companySigningKey&value=${secret}`],
    ['in an address', 'POST', '{}', `?key=companySigningKey&value=${encodeURIComponent(secret)}`],
  ])('record no signing key that is sent %s (threat 2.9)', async (_, method, body, query = '') => {
    const { url, done, timelines } = await consoleAlone();
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${url}/api/settings${query}`, { method, body, headers })).text();
    await timelines.flush();
    const told = JSON.stringify(await done('getTimeline', { query: { limit: '50' } }));
    for (const form of [secret, encodeURIComponent(secret)]) expect(told).not.toContain(form);
  });

  it('record a setting that is no secret as it was sent, and a stored key nowhere (threat 2.9)', async () => {
    const { done, call, timelines } = await consoleAlone();
    await done('setSetting', { body: { key: 'companySigningKey', value: secret } });
    await done('setSetting', { body: { key: 'acceptLanguage', value: 'fr-FR' } });
    await call('createOrganisation', { body: { sageCRMId: secret } as never });
    await timelines.flush();
    const { data } = await done('getTimeline', { query: { kind: 'call', limit: '50' } });
    expect(data.map(({ request }) => request.body)).toContain('{"key":"acceptLanguage","value":"fr-FR"}');
    expect(data.map(({ name }) => name)).toContain('createOrganisation');
    expect(JSON.stringify(data)).not.toContain(secret);
  });

  it('accept a provider URL at a configured origin, and reset an empty one to the default', async () => {
    const { done, config } = await consoleAlone();
    const value = `${config.upstream.providerUrl}/elsewhere`;
    expect(await done('setSetting', { body: { key: 'providerUrl', value } })).toMatchObject({ providerUrl: value });
    expect(await done('setSetting', { body: { key: 'providerUrl', value: '' } })).toMatchObject({
      providerUrl: `${config.upstream.providerUrl}/`,
    });
  });

  it.each([
    ['subscriptions', 'subscriptionId', { providerId: 'p', status: 'Authorised', suspended: false, useMock: 'false' }],
    [
      'postedBatches',
      'batchId',
      { status: 'Received', amount: '', kind: 'file', postedAt: '2026-01-01T00:00:00.000Z' },
    ],
  ] as const)('replace the stored list %s by the posted one', async (key, id, rest) => {
    const { done } = await consoleAlone();
    const write = async (list: object[]) => {
      const answer = await done('setSetting', { body: { key, value: JSON.stringify(list) } });
      expect((await done('getSettings'))[key]).toBe(answer[key]);
      return JSON.parse(answer[key]) as object[];
    };
    const list = ['a', 'b', 'c'].map((each) => ({ [id]: each, ...rest }));
    expect(await write(list)).toEqual(list);
    const [first, , third] = list;
    expect(await write([first!, third!])).toEqual([first, third]);
    expect(await write([{ [id]: 'a' }, { ...third, status: 'Other' }])).toEqual([first, { ...third, status: 'Other' }]);
    expect(await write([])).toEqual([]);
  });

  it('keep records beyond the listed ones when the shortened list is posted back', async () => {
    const { done, store } = await consoleAlone();
    const all = Array.from({ length: listedInSettings + 2 }, (_, index) => `s${index}`);
    for (const subscriptionId of all)
      await store.subscriptions.put(subscriptionId, {
        subscriptionId,
        providerId: 'p',
        status: '',
        suspended: false,
        useMock: '',
      });
    await done('setSetting', { body: { key: 'subscriptions', value: (await done('getSettings')).subscriptions } });
    expect(await store.subscriptions.count()).toBe(all.length);
  });

  it('refuse an unknown key or a value that is no string, and name the invalid field', async () => {
    const { url } = await consoleAlone();
    const post = async (body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/settings`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { type: response.headers.get('content-type'), problem: (await response.json()) as object };
    };
    const unknown = await post({ key: 'colour', value: 'red' });
    expect(unknown.type).toContain('application/problem+json');
    expect(unknown.problem).toMatchObject({ status: 400, code: 'invalid-request', errors: [{ path: 'key' }] });
    expect((await post({ key: 'useMock', value: true })).problem).toMatchObject({ errors: [{ path: 'value' }] });
  });
});

describe('GET /api/invoices', () => {
  const creditorOf = (creditorId: string, subscriptionId: string) => ({ ...creditor, creditorId, subscriptionId });

  it('alternates between the creditors of the current subscription, and is deterministic (wire 20.1)', async () => {
    const { done, store } = await consoleAlone();
    await store.settings.write('subscriptionId', 's');
    await store.settings.write('providerCountry', 'AU');
    for (const id of ['a', 'b']) await store.creditors.put(id, creditorOf(id, 's'));
    await store.creditors.put('c', creditorOf('c', 'another'));
    const { data } = await done('getInvoices');
    expect(data.map((invoice) => invoice.creditor)).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']);
    expect(new Set(data.map(({ currency }) => currency))).toEqual(new Set(['AUD']));
    expect((await done('getInvoices', { query: { count: '10000' } })).data).toHaveLength(10_000);
  });

  it.each(['-1', '10001', '1.5', 'ten'])('refuses a count of %s', async (count) => {
    const { refused } = await consoleAlone();
    expect(await refused('getInvoices', { query: { count } })).toMatchObject({ status: 400, code: 'invalid-request' });
  });
});

describe('GET /api/facts', () => {
  const definitions = {
    [endpoints.providers]: answering({ data: [] }),
    [endpoints.fileFormats]: answering({ data: [] }),
  };

  it('describes an empty console', async () => {
    const { done } = await testConsole({ upstreamUrl: (await fakeUpstream(definitions)).url });
    expect(await done('getFacts')).toMatchObject({
      accessToken: false,
      userToken: false,
      providers: 0,
      bankProvider: false,
      provider: null,
      subscription: null,
      batches: 0,
      batchStatus: '',
      environment: 'sandbox',
    });
  });
});
