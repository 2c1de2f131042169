import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { consoleWithSandbox, testConsole } from '#tests/support/console.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const logged: string[] = [];
const consoleThatLogs = () =>
  consoleWithSandbox(pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }));

/** Sends a request as the specification prints it. */
const printed = async (url: string, method: string, path: string, body?: unknown, headers: object = {}) => {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, string> & { data: Record<string, string> };
};

describe('POST /api/organisation', () => {
  it('returns the signing key, with which another console obtains a token (behaviour 7.17)', async () => {
    const { url, config, store } = await consoleThatLogs();
    const { organisationId = '', primarySigningKey = '' } = await printed(
      url,
      'POST',
      '/api/organisation',
      organisationBody,
    );
    expect(primarySigningKey).toBe((await store.settings.read()).companySigningKey);
    const other = await testConsole({ upstreamUrl: config.upstream.baseUrl });
    await other.done('useExisting', { body: { organisationId, companyId: '', signingKey: primarySigningKey } });
    expect(logged.join('')).not.toContain(primarySigningKey);
  });

  it('returns it in repeats as well until it is confirmed that it was shown, and then no more (threat 6.37)', async () => {
    const { url, done, timelines } = await consoleThatLogs();
    const key = { 'idempotency-key': 'one-key' };
    const create = () => printed(url, 'POST', '/api/organisation', organisationBody, key);
    const [first, second, third] = await Promise.all([create(), create(), create()]);
    const { organisationId, primarySigningKey } = first;
    expect(primarySigningKey).toMatch(/^[\w-]{43}$/);
    expect([second, third, await create()]).toEqual([first, first, first]);
    await done('confirmSigningKey', { body: { organisationId: organisationId! } });
    expect(await create()).toEqual({ organisationId, primarySigningKey: secretIsSet });
    await timelines.flush();
    expect(JSON.stringify(await done('getTimeline', { query: { limit: '100' } }))).not.toContain(primarySigningKey);
  });

  it('masks it for a page, which can reveal it once', async () => {
    const { url, done, store } = await consoleThatLogs();
    const { organisationId = '', primarySigningKey } = await printed(
      url,
      'POST',
      '/api/organisation?reveal=false',
      organisationBody,
    );
    expect(primarySigningKey).toBe(secretIsSet);
    const { signingKey } = await done('revealSigningKey', { body: { organisationId } });
    expect(signingKey).toBe((await store.settings.read()).companySigningKey);
  });
});

describe('GET /api/token', () => {
  it('returns the token, masks it with reveal=false, and records and logs neither (behaviour 7.17)', async () => {
    const { url, done, timelines } = await consoleThatLogs();
    await done('createOrganisation', { body: organisationBody });
    await done('createCompany', { body: companyBody('One') });
    const { data } = await printed(url, 'GET', '/api/token');
    expect(data['token']).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    expect((await printed(url, 'GET', '/api/token?reveal=false')).data).toEqual({ ...data, token: secretIsSet });
    await timelines.flush();
    const shown = JSON.stringify([
      await done('getTimeline', { query: { limit: '100' } }),
      await done('getSettings'),
      await done('getFacts'),
      await (await fetch(`${url}/api/timeline.har`)).text(),
    ]);
    for (const text of [shown, logged.join('')]) expect(text).not.toContain(data['token']);
  });
});

describe('GET /api/programs/environment', () => {
  const valuesIn = async ({ done }: Awaited<ReturnType<typeof consoleThatLogs>>, reveal?: string) => {
    const { data } = await done('getProgramEnvironment', reveal === undefined ? {} : { query: { reveal } });
    return new Map(data.flatMap(({ variables, value }) => variables.map((name) => [name, value] as const)));
  };

  it('gives the one secret that is named, with all each, and records and logs none (behaviour 7.17; threat 2.1)', async () => {
    const server = await consoleThatLogs();
    await walk(server);
    const { apiKey, signingKey, webhookSecret, webhookHeader } = sandboxCredentials;
    const { companySigningKey = '', userJwt = '' } = await server.store.settings.read();
    const secrets = {
      PAYMENTS_API_KEY: apiKey,
      API_KEY: apiKey,
      PAYMENTS_SIGNING_KEY: companySigningKey,
      SIGNING_KEY: companySigningKey,
      PAYMENTS_WEBHOOK_SECRET: webhookSecret,
      APPLICATION_SIGNING_KEY: signingKey,
      ORGANISATION_TOKEN: expect.stringMatching(/^eyJ/) as string,
      TOKEN: (await server.done('getToken')).data.token,
      USER_TOKEN: userJwt,
      WEBHOOK_KEY: webhookHeader.value,
    };
    const masked = await valuesIn(server);
    for (const name of Object.keys(secrets)) expect(masked.get(name), name).toBe(secretIsSet);
    expect(await valuesIn(server, 'nothing')).toEqual(masked);
    const one = await valuesIn(server, 'API_KEY');
    expect(one.get('API_KEY')).toBe(apiKey);
    expect([...one].filter(([name, value]) => masked.get(name) !== value).map(([name]) => name)).toEqual([
      'PAYMENTS_API_KEY',
      'API_KEY',
    ]);
    const all = await valuesIn(server, 'all');
    expect(Object.fromEntries(all)).toMatchObject(secrets);
    expect(all.get('PAYMENTS_URL')).toBe(server.config.upstream.baseUrl);
    for (const name of ['PAYMENTS_COMPANY_ID', 'PAYMENTS_SUBSCRIPTION_ID', 'PAYMENTS_DEBTOR_ID'])
      expect(all.get(name), name).toMatch(/^[\w-]{36}$/);
    await server.timelines.flush();
    const recorded = JSON.stringify(await server.done('getTimeline', { query: { limit: '500' } })) + logged.join('');
    const given = [...all].filter(([name]) => masked.get(name) === secretIsSet);
    expect(given.filter(([, value]) => recorded.includes(value))).toEqual([]);
  });

  it('says what there is not yet by an empty value', async () => {
    const server = await consoleThatLogs();
    const all = await valuesIn(server, 'all');
    for (const name of ['TOKEN', 'ORGANISATION_TOKEN', 'USER_TOKEN', 'SIGNING_KEY', 'PAYMENTS_COMPANY_ID'])
      expect(all.get(name), name).toBe('');
  });

  it('gives no secret of a live service, whatever is asked for (threat 2.1; threat 6.37)', async () => {
    const server = await testConsole({ upstreamUrl: 'https://service.test', changes: { environment: 'live' } });
    const { data } = await server.done('getProgramEnvironment', { query: { reveal: 'all' } });
    const values = data.filter(({ secret }) => secret).map(({ value }) => value);
    expect(values.filter((value) => value !== '' && value !== secretIsSet)).toEqual([]);
    expect(values).toContain(secretIsSet);
  });
});
