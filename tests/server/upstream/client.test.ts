import { describe, expect, it } from 'vitest';
import type { ServerResponse } from 'node:http';
import { sign } from '#server/upstream/signature.ts';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';
import { clientOf, company, problemOf, subscription, health } from '#tests/support/client.ts';
import { filled, organisationBody } from '#tests/support/bodies.ts';
import { batch } from '#tests/support/consoleWithPayments.ts';
import { testConsole } from '#tests/support/console.ts';
import { textOf } from '#tests/support/api.ts';
import { eventually } from '#tests/support/eventually.ts';

describe('The upstream client', () => {
  const read = { [endpoints.subscriptions]: answering(subscription) };

  it('requests one access token for concurrent requests, and caches it (wire 2.2.5)', async () => {
    const service = await fakeUpstream(read);
    const client = clientOf(service.url);
    await Promise.all(Array.from({ length: 10 }, () => client.subscription(company, 's')));
    await client.subscription(company, 's');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(1);
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(11);
  });

  it('uses different access tokens, each signed, for an organisation and its company', async () => {
    const service = await fakeUpstream({
      ...read,
      [endpoints.createCompany]: answering({ companyId: 'c', organisationId: 'organisation' }),
    });
    const client = clientOf(service.url);
    const { organisationId, signingKey } = company;
    const body = filled('company');
    await client.createCompany({ organisationId, signingKey }, body, 'key');
    await client.subscription(company, 's');
    const tokens = service.askedFor(endpoints.accessToken).map(({ headers }) => headers);
    expect(tokens.map((sent) => [sent['x-organisation-id'], sent['x-company-id']])).toEqual([
      ['organisation', undefined],
      ['organisation', 'company'],
    ]);
    for (const sent of tokens) {
      const nonce = String(sent['x-nonce']);
      const url = service.url + endpoints.accessToken;
      expect(sent['x-signature']).toBe(sign({ method: 'POST', url, nonce, key: signingKey }));
    }
    // A company is created with the organisation's token and signed with its key (issue, "The server").
    const { headers, body: sent } = service.askedFor(endpoints.createCompany)[0]!;
    const url = service.url + endpoints.createCompany;
    expect(headers.authorization).toMatch(/^Bearer eyJ/);
    expect(headers['x-signature']).toBe(
      sign({ method: 'POST', url, body: sent, nonce: String(headers['x-nonce']), key: signingKey }),
    );
  });

  it('renews an access token shortly before it expires', async () => {
    const service = await fakeUpstream({
      ...read,
      [endpoints.accessToken]: answering({ jwt: unsignedJwt(1200) }),
    });
    let later = 0;
    const clock = { ...systemClock, now: () => Date.now() + later, steady: () => systemClock.steady() + later };
    const client = clientOf(service.url, {}, clock);
    for (const [seconds, tokens] of [
      [0, 1],
      [1165, 1],
      [1175, 2],
    ] as const) {
      later = seconds * 1000;
      await client.subscription(company, 's');
      expect(service.askedFor(endpoints.accessToken)).toHaveLength(tokens);
    }
  });

  it('renews an access token once when the service rejects it', async () => {
    let valid = false;
    const service = await fakeUpstream({
      [endpoints.subscriptions]: (response, asked) => {
        const script = valid ? answering(subscription) : answering({ title: 'expired', status: 401, code: 'No' }, 401);
        valid = true;
        return script(response, asked);
      },
    });
    const client = clientOf(service.url);
    expect((await client.subscription(company, 's')).data.status).toBe('Authorised');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(2);

    service.scripts[endpoints.subscriptions] = answering({ title: 'no', status: 401, code: 'No' }, 401);
    expect(await problemOf(client.subscription(company, 's'))).toMatchObject({ code: 'key-rejected' });
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(4);
  });
});

describe('The upstream client’s definitions', () => {
  it('are requested once for concurrent callers, separately by country and language', async () => {
    const service = await fakeUpstream({ [endpoints.providers]: answering({ data: [] }) });
    const client = clientOf(service.url);
    await Promise.all(Array.from({ length: 5 }, () => client.providers({ country: 'GB', language: 'en' })));
    await client.providers({ country: 'GB', language: 'en' });
    await client.providers({ country: 'GB', language: '' });
    await client.providers({ country: '', language: 'en' });
    expect(service.asked.map(({ path, headers }) => `${path} ${String(headers['x-accept-language'] ?? '-')}`)).toEqual([
      '/v3/providers?country=GB en',
      '/v3/providers?country=GB -',
      '/v3/providers en',
    ]);
  });

  it('are requested again after a failure', async () => {
    const service = await fakeUpstream({ [endpoints.banks]: answering({}, 500) });
    const client = clientOf(service.url);
    await problemOf(client.banks());
    await problemOf(client.banks());
    expect(service.asked).toHaveLength(2);
  });
});

describe('The upstream client’s payment files', () => {
  it('are requested from the service’s own origin, without credentials (threat 3.22; wire 2.1.4)', async () => {
    const service = await fakeUpstream({ '/files': (response) => void response.end('the file') });
    const { bytes } = await clientOf(service.url).paymentFile(`${service.url}/files/1?token=t`);
    expect(Buffer.from(bytes).toString()).toBe('the file');
    expect(service.asked[0]?.headers).not.toHaveProperty('authorization');
    expect(service.asked[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('are not requested from any other URL, nor through a redirect (threat 3.22)', async () => {
    const elsewhere = await fakeUpstream({ '/': answering('internal') });
    const service = await fakeUpstream({
      '/files': (response) => void response.writeHead(302, { location: `${elsewhere.url}/secret` }).end(),
    });
    const client = clientOf(service.url);
    const port = new URL(service.url).port;
    for (const link of [
      `${elsewhere.url}/secret`,
      'http://169.254.169.254/latest/meta-data',
      `http://localhost:${port}/files/1`,
      `http://user@127.0.0.1:${port}/files/1`,
      `${service.url}@evil.example/files/1`,
      'file:///etc/passwd',
      '/files/1',
    ])
      expect(await problemOf(client.paymentFile(link)), link).toMatchObject({ code: 'forbidden', status: 403 });
    expect(await problemOf(client.paymentFile(`${service.url}/files/1`))).toMatchObject({ upstream: { status: 302 } });
    expect(elsewhere.asked).toEqual([]);
    expect((await problemOf(client.paymentFile(`${elsewhere.url}/file`))).detail).toContain('PAYMENT_FILE_ORIGINS');
  });
});

const key = 'a key for an organisation';
const made = { organisationId: 'o-1', primarySigningKey: 'its signing key' };

/** A service that refuses the first calls, as one does whose nonce was used before. */
async function refusing(times: number) {
  let left = times;
  const service = await fakeUpstream({
    [endpoints.createOrganisation]: (...exchange) => {
      const refuses = left > 0;
      left -= 1;
      return (refuses ? answering({ detail: 'no', code: 'No' }, 401) : answering(made, 201))(...exchange);
    },
  });
  const sent = (name: string) => service.askedFor(endpoints.createOrganisation).map(({ headers }) => headers[name]);
  return { client: clientOf(service.url), sent };
}

it('an organisation is requested once more after a 401, under the same key with another nonce (wire 2.2.12)', async () => {
  const { client, sent } = await refusing(1);
  expect(await client.createOrganisation(organisationBody, key)).toEqual(made);
  expect(sent(header.idempotency)).toEqual([key, key]);
  expect(new Set(sent('x-nonce')).size).toBe(2);
});

it('an organisation that is refused with 401 twice is reported as refused', async () => {
  const { client, sent } = await refusing(9);
  expect(await problemOf(client.createOrganisation(organisationBody, key))).toMatchObject({ code: 'key-rejected' });
  expect(sent(header.idempotency)).toHaveLength(2);
});

const odd = ['fïrma-ő', '会社', 'a\tb', 'a b', '\u{1f600}', 'a\u200bb', 'c'.repeat(201)];

describe('An id that no header or path can hold', () => {
  it('is refused as a setting, and nothing is stored', async () => {
    const { refused, done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    for (const [keys, values] of [
      [['organisationId', 'companyId'], odd],
      [['accountId', 'dataSetId', 'subscriptionId', 'batchId'], ['c'.repeat(1001)]],
    ] as const)
      for (const key of keys)
        for (const value of values) {
          const { status, outcome, errors } = await refused('setSetting', { body: { key, value } });
          expect([key, value, status, outcome, errors]).toMatchObject([
            key,
            value,
            400,
            'not-sent',
            [{ path: 'value' }],
          ]);
        }
    const body = { subscriptionId: 'c'.repeat(1001) };
    expect(await refused('changeSettings', { body })).toMatchObject({ code: 'invalid-request' });
    expect(await done('getSettings')).toMatchObject({ organisationId: '', companyId: '', subscriptionId: '' });
  });

  it.each([
    ['organisationId', 'organisation', 'x-organisation-id'],
    ['companyId', 'company', 'x-company-id'],
  ] as const)('is named if it was stored before: %s', async (key, what, name) => {
    const service = await fakeUpstream({});
    const { refused, store } = await testConsole({ upstreamUrl: service.url });
    const known = { organisationId: 'o', companyId: 'c', companySigningKey: 'secret-key', subscriptionId: 's' };
    await store.settings.writeAll({ ...known, [key]: '会社\u202e' });
    const told = {
      code: 'invalid-request',
      detail: expect.stringMatching(
        new RegExp(`^The id of the ${what}, 会社.+, cannot be sent in the header ${name}: `),
      ) as string,
    };
    expect(await refused('getSubscription', { params: { subscriptionId: 's' } })).toMatchObject(told);
    expect(await refused('createBatch', { body: batch, key: 'key' })).toMatchObject({ ...told, outcome: 'not-sent' });
    expect(service.asked).toEqual([]);
  });

  it('is not shown if it is a secret', async () => {
    const service = await fakeUpstream({});
    const { refused, store } = await testConsole({ upstreamUrl: service.url });
    await store.settings.writeAll({ userJwt: '会社会社', accountId: 'a' });
    const problem = await refused('getUserInfo');
    expect(problem).toMatchObject({ code: 'invalid-request' });
    expect(problem.detail).toMatch(/^A value cannot be sent in the header authorization: /);
    expect(JSON.stringify(problem)).not.toContain('会社');
    expect(service.asked).toEqual([]);
  });
});

const settings = { organisationId: company.organisationId, companyId: company.companyId, companySigningKey: 'k' };

const query = { batchId: 'b' };
/** A batch whose file is at the link. */
const batchWith = (link: () => string) =>
  ((response, asked) =>
    answering({ data: { ...query, status: 'PaymentFileAvailable' }, links: { paymentFile: link() } })(
      response,
      asked,
    )) satisfies Script;

describe('A service on several hosts', () => {
  it('gets each request at the host of its path (wire 1.3)', async () => {
    let link = '';
    const [api, auth, messages, network, files] = await Promise.all(
      [
        { [endpoints.banks]: answering({ data: [] }), [endpoints.batches]: batchWith(() => link) },
        {},
        { [endpoints.messaging]: answering({}, 202), [endpoints.messagingStatus]: answering(health) },
        { [endpoints.accounts]: answering({ data: { id: 'a' } }, 201) },
        { '/file': answering('text') },
      ].map(fakeUpstream),
    );
    const server = await testConsole({
      upstreamUrl: api!.url,
      changes: { authUrl: auth!.url, messagingUrl: messages!.url, networkUrl: network!.url, fileOrigins: [files!.url] },
    });
    await server.store.settings.writeAll({ ...settings, userJwt: unsignedJwt() });
    await server.done('getBanks');
    await server.done('queryDebtors', { body: { data: { subscriptionId: 's' } } });
    await server.done('getMessagingHealth');
    const attributes = { externalId: 'e', externalSource: 's' };
    const owner = { user: { email: 'e', locale: 'en', identityId: 'i' } };
    await server.done('createAccount', { body: { data: { type: 'Account', attributes, owner } } });
    link = `${files!.url}/file`;
    expect(textOf(await server.done('downloadPaymentFile', { params: { link }, query }))).toContain('text');
    const asked = [api, auth, messages, network, files].map((host) => host!.asked.map(({ path }) => path));
    expect(asked).toEqual([
      [endpoints.banks, `${endpoints.batches}/b`],
      [endpoints.accessToken],
      [`${endpoints.messaging}/debtoraccountlistqueries`, endpoints.messagingStatus],
      [endpoints.accounts],
      ['/file'],
    ]);
  });
});

it('An access token is requested by GET after a 405 for POST, and directly by GET from then on (wire 2.2.4)', async () => {
  const service = await fakeUpstream({
    [endpoints.accessToken]: (response, asked) =>
      asked.method === 'GET'
        ? answering({ access_token: unsignedJwt(31) })(response, asked)
        : answering({ error: { code: 'MethodNotAllowed', message: 'GET only' } }, 405)(response, asked),
    [endpoints.batches]: answering({ data: { batchId: 'b', status: 'x' } }),
  });
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll(settings);
  await server.done('getToken');
  await server.store.settings.writeAll({ ...settings, companyId: 'another' });
  await server.done('getToken');
  const [first, second, third, ...more] = service.askedFor(endpoints.accessToken);
  expect([first, second, third].map((each) => each?.method)).toEqual(['POST', 'GET', 'GET']);
  expect(second?.body).toBe('');
  expect(more).toEqual([]);
});

const minute = 60_000;
const scope = { country: 'GB', language: 'en' };

/** A clock that `pass` moves. */
function movable() {
  let passed = 0;
  const clock = { ...systemClock, now: () => Date.now() + passed, steady: () => systemClock.steady() + passed };
  return { clock, pass: (ms: number) => (passed += ms) };
}

describe('The cache of the service’s definitions', () => {
  it('is shared by workspaces, none of which waits for another’s request', async () => {
    const held: ServerResponse[] = [];
    const service = await fakeUpstream({
      [endpoints.banks]: (response) => void held.push(response),
      [endpoints.providers]: answering({ data: [] }),
    });
    const client = clientOf(service.url);
    const [ada, ben] = [client.of(), client.of()];
    await ada.providers(scope);
    await ben.providers(scope);
    expect(service.askedFor(endpoints.providers)).toHaveLength(1);

    const hanging = ada.banks();
    await eventually(() => expect(held).toHaveLength(1));
    const asking = ben.banks();
    await eventually(() => expect(held).toHaveLength(2));
    held[1]!.end('{"data":[]}');
    expect((await asking).data).toEqual([]);
    held[0]!.end('{"data":[]}');
    await hanging;
    expect((await ada.banks()).data).toEqual([]);
    expect(held).toHaveLength(2);
  });

  it('serves GET /api/facts until it expires after a minute (behaviour 3.7)', async () => {
    const service = await fakeUpstream({
      [endpoints.providers]: answering({ data: [] }),
      [endpoints.fileFormats]: answering({ data: [] }),
    });
    const { clock, pass } = movable();
    const { done } = await testConsole({ upstreamUrl: service.url, clock });
    const requests = async () => {
      for (let turn = 0; turn < 3; turn += 1)
        for (const name of ['getFacts', 'getProviders', 'getFileFormats'] as const) await done(name);
      return service.askedFor(endpoints.providers).length;
    };
    const first = await requests();
    pass(minute - 1000);
    expect(await requests(), 'from the cache').toBe(first);
    pass(1001);
    expect(await requests(), 'read again').toBe(2 * first);
  });
});

it('GET /api/facts reports the expiry of the user token although nothing was written', async () => {
  const { clock, pass } = movable();
  const { done, store } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url, clock });
  await store.settings.write('userJwt', unsignedJwt(30));
  expect((await done('getFacts')).userToken).toBe(true);
  pass(minute / 2);
  expect((await done('getFacts')).userToken).toBe(false);
});
