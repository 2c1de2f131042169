import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { connect } from 'node:net';
import { maximumElements } from '#server/http/json.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { parseConfig } from '#server/config/config.ts';
import { authorisePath } from '#server/sandbox/subscription/authorisePage.ts';
import { credentialsOf } from '#server/sandbox/credentials.ts';
import { sandboxSecretOf } from '#server/embedded/secretFile.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { organisation, testSandbox } from '../harness.ts';
import { testLab } from '../testLab.ts';

const listOf = (element: string, bytes: number) => `[${`${element},`.repeat(bytes / (element.length + 1))}${element}]`;
const batch = (payments: string) =>
  `{"data":{"subscriptionId":"s","externalId":"e","requestedExecutionDateTime":"${executionDate}","payments":${payments}}}`;

/** A sandbox with a company, and how to post a text to it in the company's name. */
async function opened() {
  const sandbox = await testSandbox();
  const company = await sandbox.authorised();
  const post = (path: string, body: string, type = 'application/json') =>
    fetch(sandbox.url() + path, {
      method: 'POST',
      headers: {
        'content-type': type,
        authorization: `Bearer ${company.token}`,
        [header.application]: sandboxCredentials.applicationId,
        [header.apiKey]: sandboxCredentials.apiKey,
        [header.interaction]: randomUUID(),
      },
      body,
    });
  return { sandbox, post, ...company };
}

describe('a body that is large and wrong', () => {
  it.each([
    ['a million invalid payments', batch(listOf('0', 2_000_000)), 'holds a list with more than'],
    ['as many empty payments as may come', batch(listOf('{}', 3 * (maximumElements - 1))), ''],
    ['as many payments with one member', batch(listOf('{"x":0}', 8 * (maximumElements - 1))), 'too large'],
    ['as many wrong amounts as may come', batch(listOf('{"instructedAmount":{"amount":"x"}}', 1_500_000)), ''],
    ['nesting without end', batch('['.repeat(100_000)), 'nested too deeply'],
    ['no JSON', 'x'.repeat(1_000_000), 'is not JSON'],
  ])('is refused with few faults: %s (threat 6.17)', async (_, body, reason) => {
    const { post } = await opened();
    const answer = await post(endpoints.batches, body);
    const text = await answer.text();
    expect(answer.status, text).toBe(400);
    expect(text).toContain(reason);
    expect(text.length).toBeLessThan(8000);
  });

  it('is refused with a limited number of errors for a subscription’s data, a text that contains JSON', async () => {
    const { post, organisationId } = await opened();
    const data = { providerId: 'provider-authorises', additionalData: `{"a":${listOf('0', 2_000_000)}}` };
    const answer = await post(pathOf('createSubscription', organisationId), JSON.stringify({ data }));
    expect([answer.status, (await answer.text()).length < 1000]).toEqual([400, true]);
  });

  it('is refused without a token as well, before anything is checked', async () => {
    const { sandbox } = await opened();
    const answer = await fetch(sandbox.url() + endpoints.createOrganisation, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...organisation, more: Array.from({ length: 300_000 }, () => 0) }),
    });
    expect([answer.status, (await answer.text()).length < 1000]).toEqual([400, true]);
  });

  it('is refused with a limited number of broken rules (threat 6.17)', () => {
    const provider = catalogue.providersFor('GB').find((each) => catalogue.rulesOf(each, 'BatchPayments').length > 0);
    expect(provider).toBeDefined();
    const payments = Array.from({ length: 100_000 }, () => ({}));
    const found = catalogue.violations(catalogue.rulesOf(provider!, 'BatchPayments'), { payments }); // just expected
    expect(found).toHaveLength(2000);
  });
});

describe('a body with what cannot be kept as it is', () => {
  it.each(['"a\\u0000":1', '"more":["\\ud800"]', '"__proto__":{"x":1}', '"toJSON":1'])(
    'is refused: %s',
    async (member) => {
      const { post, subscriptionId } = await opened();
      const body = `{"data":{"subscriptionId":"${subscriptionId}","creditorId":"${randomUUID()}",${member}}}`;
      expect((await post(`${endpoints.messaging}/creditorputs`, body)).status).toBe(400);
    },
  );

  it('is refused in a form', async () => {
    const { post } = await opened();
    const form = 'application/x-www-form-urlencoded';
    const path = `${endpoints.transferRequest}?amount=1.00&currency=USD`;
    expect((await post(path, 'email=a%40example.com&message=%00', form)).status).toBe(400);
    expect((await post(path, 'email=a%40example.com&message=m', form)).status).toBe(201);
  });
});

describe('numbers', () => {
  const numbers = '[12345678901234567890.50,1e3,-0,120.50]';

  it('are stored, returned and sent in webhooks digit by digit', async () => {
    const { sandbox, post, subscriptionId } = await opened();
    const debtor = `{"data":{"subscriptionId":"${subscriptionId}","debtorId":"${randomUUID()}","debtorAccount":{"identification":"12345678","more":${numbers}}}}`;
    expect((await post(`${endpoints.messaging}/debtoraccountputs`, debtor)).status).toBe(202);
    const query = `{"data":{"subscriptionId":"${subscriptionId}"}}`;
    expect((await post(`${endpoints.messaging}/debtoraccountlistqueries`, query)).status).toBe(202);
    expect((await sandbox.webhook('debtoraccountlistqueryresponses')).text).toContain(`"more":${numbers}`);
  });

  it('of a subscription’s data are as well', async () => {
    const { sandbox, post, organisationId, token } = await opened();
    const data = { providerId: 'provider-authorises', additionalData: `{"account":"12345678","more":${numbers}}` };
    const answer = await post(pathOf('createSubscription', organisationId), JSON.stringify({ data }));
    const { subscriptionId } = ((await answer.json()) as { data: { subscriptionId: string } }).data; // as created
    const read = await sandbox.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token });
    expect(read.body.data.additionalData).toBe(data.additionalData);
  });
});

/** Makes a request with headers that fetch does not allow. */
async function ask(url: string, method: string, headers: Record<string, string>, body = '') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } }, resolve)
      .on('error', reject)
      .end(body);
  });
  return { status: response.statusCode, text: await text(response) };
}

const token = `token=${sandboxCredentials.resetToken}`;

describe('another page of the browser', () => {
  it.each<[string, Record<string, string>]>([
    ['by its origin', { origin: 'https://evil.example' }],
    ['from a frame without an origin', { origin: 'null' }],
    ['from the console', { origin: 'http://127.0.0.1:3000' }],
    ['by what the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['whose name was pointed here', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('cannot empty the sandbox, nor decide about a subscription: %s (threat 1.10)', async (_, headers) => {
    const sandbox = await testSandbox();
    const { subscriptionId } = (await sandbox.subscribe(await sandbox.onboard(), 'authorises')).body.data;
    for (const [path, body] of [
      ['/sandbox/reset', token],
      [authorisePath(subscriptionId), 'decision=approve'],
    ] as const)
      expect(await ask(sandbox.url() + path, 'POST', headers, body)).toMatchObject({ status: 403 });
    expect((await ask(sandbox.url() + authorisePath(subscriptionId), 'GET', {})).status).toBe(200);
  });

  it('cannot read the credentials by DNS rebinding (threat 1.10)', async () => {
    const sandbox = await testSandbox();
    const read = await ask(sandbox.url(), 'GET', { host: 'evil.example' });
    expect(read.status).toBe(403);
    for (const secret of [sandboxCredentials.apiKey, sandboxCredentials.webhookSecret])
      expect(read.text).not.toContain(secret);
  });

  it('is distinguished from the sandbox’s own', async () => {
    const sandbox = await testSandbox();
    const own = { origin: sandbox.url(), 'sec-fetch-site': 'same-origin' };
    expect((await ask(`${sandbox.url()}/sandbox/reset`, 'POST', own, token)).status).toBe(204);
  });
});

describe('the sandbox’s secret', () => {
  const of = (environment: Record<string, string>) => credentialsOf(sandboxSecretOf(parseConfig(environment)).secret);

  it('is created for each installation, stored, and can be configured (threat 2.5)', () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    expect(of({ DATA_DIR: one })).toEqual(of({ DATA_DIR: one }));
    const [mine, others] = [of({ DATA_DIR: one }), of({ DATA_DIR: other })];
    for (const name of ['apiKey', 'signingKey', 'webhookSecret', 'resetToken'] as const)
      expect(mine[name]).not.toBe(others[name]);
    const given = { SANDBOX_SECRET: 'a secret of my own' };
    expect(of({ DATA_DIR: one, ...given })).toEqual(of({ DATA_DIR: other, ...given }));
    expect(() => parseConfig({ SANDBOX_SECRET: 'short' })).toThrow(/^SANDBOX_SECRET is wrong: /);
  });

  it('does not open the sandbox to others with the console, only by its own variable (threat 2.4)', () => {
    const access = { OIDC_ISSUER: 'https://a.example', OIDC_CLIENT_ID: 'c', PUBLIC_URL: 'https://b.example' };
    expect(parseConfig({ HOST: '0.0.0.0', ...access })).toMatchObject({ host: '0.0.0.0', sandboxHost: '127.0.0.1' });
    expect(parseConfig({ SANDBOX_HOST: '0.0.0.0' })).toMatchObject({ host: '127.0.0.1', sandboxHost: '0.0.0.0' });
  });
});

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const json = { 'content-type': 'application/json' };

describe('x-fapi-interaction-id', () => {
  it.each<[status: number, method: string, path: string, init: RequestInit]>([
    [200, 'GET', endpoints.keySet, {}],
    [200, 'HEAD', endpoints.keySet, {}],
    [204, 'OPTIONS', endpoints.keySet, {}],
    [404, 'GET', '/nowhere', {}],
    [404, 'GET', '/v3/nowhere', { headers: { accept: 'text/html' } }],
    [405, 'DELETE', endpoints.accessToken, {}],
    [405, 'PROPFIND', endpoints.accessToken, {}],
    [400, 'POST', endpoints.createOrganisation, { body: '{', headers: json }],
    [400, 'POST', endpoints.createOrganisation, { body: '{}', headers: { ...json, 'content-encoding': 'gzip' } }],
    [415, 'POST', endpoints.createOrganisation, { body: '{}', headers: { ...json, 'content-encoding': 'zstd' } }],
    [415, 'POST', endpoints.createOrganisation, { body: '<a/>', headers: { 'content-type': 'application/xml' } }],
    [413, 'POST', endpoints.batches, { body: 'x'.repeat(6_000_000), headers: json }],
    [401, 'GET', `${endpoints.batches}/none`, {}],
    [403, 'POST', endpoints.createOrganisation, { headers: { origin: 'https://elsewhere.example' } }],
    [401, 'GET', '/sandbox/webhooks', {}],
  ])(
    'is returned with %i to %s %s, and made where the call has none (wire 3.3)',
    async (status, method, path, init) => {
      const sandbox = await testSandbox();
      const ask = (own: Record<string, string>) =>
        fetch(sandbox.url() + path, {
          ...init,
          method,
          headers: { ...(init.headers as Record<string, string>), ...own },
        });
      const id = randomUUID();
      const answer = await ask({ [header.interaction]: id });
      expect([answer.status, answer.headers.get(header.interaction)]).toEqual([status, id]);
      expect((await ask({ [header.interaction]: 'not-a-uuid' })).headers.get(header.interaction)).toBe('not-a-uuid');
      const made = [await ask({}), await ask({ [header.interaction]: '' })].map(({ headers }) =>
        headers.get(header.interaction),
      );
      expect(made).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
      expect(made[0]).not.toBe(made[1]);
    },
  );

  it.each(['status', 'tooMany', 'expiredToken', 'html', 'extraMembers'])(
    'is returned with a fault of the lab: %s',
    async (kind) => {
      const { set, call } = await testLab();
      const options = { status: { status: 503 }, tooMany: { retryAfter: 1 }, html: { status: 502 } };
      await set({ on: 'call', of: 'providers', fault: { kind, ...options[kind as keyof typeof options] } });
      const id = randomUUID();
      const { headers } = await call('GET', `${endpoints.providers}?country=GB`, {
        headers: { [header.interaction]: id },
      });
      expect(headers.get(header.interaction)).toBe(id);
    },
  );

  it.each([
    'NONSENSE\r\n\r\n',
    'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    `GET / HTTP/1.1\r\na: ${'x'.repeat(20_000)}\r\n\r\n`,
  ])('is made for a request that is not valid HTTP: %s', async (request) => {
    const sandbox = await testSandbox();
    const socket = connect(Number(new URL(sandbox.url()).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(request);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\nx-fapi-interaction-id: [\da-f-]{36}\r\n/);
  });

  it('does not change the ids of a sandbox with a seed', async () => {
    const ids = async (polls: number) => {
      const sandbox = await createSandbox({ seed: 1 });
      const made: unknown[] = [];
      for (let turn = 0; turn < polls; turn += 1)
        made.push((await sandbox.fetch('/nowhere')).headers.get(header.interaction));
      const program = await sandbox.prepare('payable');
      await sandbox.close();
      return { program, made };
    };
    const [few, many] = [await ids(1), await ids(3)];
    expect(many.program).toEqual(few.program);
    expect(many.made[0]).toBe(few.made[0]);
  });
});
