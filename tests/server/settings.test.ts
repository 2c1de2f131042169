import { describe, expect, it } from 'vitest';
import { standsNow } from '#machines/journeys.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { creditor } from '#tests/support/material.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';

const consoleAlone = async () => testConsole({ upstreamUrl: (await fakeUpstream({})).url });

describe('settings', () => {
  it('begin with the defaults', async () => {
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
    ['providerCountry', 'GB'],
    ['providerCountry', ''],
    ['providerCountry', 'ZA'],
    ['fileFormatCountry', 'FR'],
    ['acceptLanguage', ''],
    ['useMock', 'false'],
    ['subscriptionId', ''],
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
    ['subscriptionId', 'unknown', 400],
    ['batchId', 'unknown', 400],
    ['userJwt', 'stolen', 403],
    ['companySigningKey', '', 403],
    ['providerUrl', 'http://evil.example', 403],
    ['subscriptions', '{}', 400],
    ['organisationId', 'other', 400],
    ['companyId', '', 400],
    ['accountId', 'other', 400],
  ] as const)('refuse %s = "%s" with %i', async (key, value, status) => {
    const { refused, done } = await consoleAlone();
    const before = await done('getSettings');
    expect(await refused('setSetting', { body: { key, value } })).toMatchObject({ status });
    expect(await done('getSettings')).toEqual(before);
  });

  it('refuse unknown keys and values that are not texts, naming the field', async () => {
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

describe('invoices', () => {
  const creditorOf = (creditorId: string, subscriptionId: string) => ({ ...creditor, creditorId, subscriptionId });

  it('are none without creditors', async () => {
    const { done } = await consoleAlone();
    expect((await done('getInvoices')).data).toEqual([]);
  });

  it('alternate between the current subscription’s creditors and are always the same', async () => {
    const { done, store } = await consoleAlone();
    await store.settings.write('subscriptionId', 's');
    await store.settings.write('providerCountry', 'AU');
    for (const id of ['a', 'b']) await store.creditors.put(id, creditorOf(id, 's'));
    await store.creditors.put('c', creditorOf('c', 'another'));
    const { data } = await done('getInvoices');
    expect(data.map((invoice) => invoice.creditor)).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']);
    expect(new Set(data.map(({ currency }) => currency))).toEqual(new Set(['AUD']));
    expect((await done('getInvoices')).data).toEqual(data);
    const many = (await done('getInvoices', { query: { count: '10000' } })).data;
    expect(new Set(many.map(({ invoiceId }) => invoiceId)).size).toBe(10_000);
  });

  it.each(['-1', '10001', '1.5', 'ten'])('refuse a count of %s', async (count) => {
    const { refused } = await consoleAlone();
    expect(await refused('getInvoices', { query: { count } })).toMatchObject({ status: 400, code: 'invalid-request' });
  });
});

describe('facts', () => {
  const definitions = {
    [endpoints.providers]: answering({ data: [] }),
    [endpoints.fileFormats]: answering({ data: [] }),
  };

  it('describe an empty console', async () => {
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

  it('say why there are no bank file templates if the service fails to list them', async () => {
    const failing = { ...definitions, [endpoints.fileFormats]: answering({}, 500) };
    const { done } = await testConsole({ upstreamUrl: (await fakeUpstream(failing)).url });
    const facts = await done('getFacts');
    expect(facts).toMatchObject({ fileFormats: 0, unread: ['fileFormats'] });
    expect(standsNow('fileFormats', facts)).toBe('This could not be read: The payments service failed');
  });

  it('count a user token until it expires', async () => {
    const { done, store } = await testConsole({ upstreamUrl: (await fakeUpstream(definitions)).url });
    await store.settings.write('userJwt', unsignedJwt(60));
    expect(await done('getFacts')).toMatchObject({ userToken: true });
    await store.settings.write('userJwt', unsignedJwt(-1));
    expect(await done('getFacts')).toMatchObject({ userToken: false });
  });

  it('contain no subscription that the service no longer knows', async () => {
    const { done, store } = await testConsole({ upstreamUrl: (await fakeUpstream(definitions)).url });
    for (const key of ['organisationId', 'companyId', 'companySigningKey', 'subscriptionId'] as const)
      await store.settings.write(key, key);
    expect((await done('getFacts')).subscription).toBeNull();
  });

  it('list what the service does not answer, with the reason, beside the rest', async () => {
    const service = await fakeUpstream({ ...definitions, [endpoints.providers]: answering({}, 500) });
    const { done } = await testConsole({ upstreamUrl: service.url });
    expect(await done('getFacts')).toMatchObject({
      unread: ['providers'],
      unreadBecause: { status: 502, code: 'upstream-failed' },
      settings: { acceptLanguage: 'en' },
      environment: 'sandbox',
    });
  });
});
