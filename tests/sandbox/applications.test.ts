import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isOpen, serviceCalls, type ServiceOperation, pathOf } from '#contract/serviceCalls.ts';
import { controlCalls, controlPath, type ControlCallName } from '#contract/controlCalls.ts';
import { authorisePath } from '#server/sandbox/subscription/authorisePage.ts';
import { applicationAt, credentialsOf } from '#server/sandbox/credentials.ts';
import { signedQuery } from '#server/sandbox/pages/signedUrl.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import { company, organisation, testSandbox, type Answer } from './harness.ts';
import { executionDate } from '#tests/support/executionDate.ts';

type Opened = Awaited<ReturnType<typeof testSandbox>>;
type Application = ReturnType<Opened['as']>;

const payments = [{ instructedAmount: { amount: '120.50', currency: 'GBP' }, creditor: { name: 'Example Ltd' } }];
const batch = { externalId: 'b-1', requestedExecutionDateTime: executionDate, payments };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const parties = { debtorId: randomUUID(), creditorId: randomUUID() };

/** Logs a user in, and returns the user's token. */
async function userToken({ call, credentials: { clientId } }: Application): Promise<string> {
  const asked = { response_type: 'token', scope: 'openid', client_id: clientId, state: 's' };
  const person = { name: 'Ada', email: 'user@example.com', outcome: 'login' };
  const body = new URLSearchParams({ ...asked, ...person, redirect_uri: 'http://127.0.0.1:3000/api/jwtredirect' });
  const { headers } = await call('POST', endpoints.authorize, { body, headers: form });
  return new URLSearchParams(headers.get('location')?.split('#')[1]).get('access_token') ?? '';
}

const accountOf = (identityId: string) => ({
  data: {
    type: 'Account',
    attributes: { externalId: 'a-1', externalSource: 'console' },
    owner: { user: { email: 'user@example.com', locale: 'en', identityId } },
  },
});
const dataset = {
  data: { type: 'DataSet', attributes: { name: 'D', country: 'GB', externalId: 'd-1', externalSource: 'console' } },
};

/** Everything that an application can have. */
async function settled(sandbox: Opened, name: string) {
  const application = sandbox.as(name);
  const { call, lab } = application;
  const who = await application.authorised();
  const user = await userToken(application);
  const { sub } = (await call('GET', endpoints.userInfo, { token: user })).body;
  await call('POST', endpoints.accounts, { token: user, body: accountOf(sub) });
  const post = (data: object) => call('POST', endpoints.batches, { token: who.token, body: { data } });
  const { batchId } = (await post({ ...batch, subscriptionId: who.subscriptionId })).body.data;
  const { batchId: fileId } = (await post({ ...batch, fileFormatId: 'lines' })).body.data;
  sandbox.clock.increment(1000);
  const read = () => call('GET', `${endpoints.batches}/${fileId}`, { token: who.token });
  await expect.poll(async () => (await read()).body.data.status).toBe('PaymentFileAvailable');
  const link = (await read()).body.links.paymentFile;
  const fault = { on: 'batch', fault: { kind: 'hold' }, times: 'always', probability: 1, seed: 1 };
  const { ruleId } = controlCalls.addRule.answer.parse((await lab('POST', '/faults', fault)).body.data);
  const [{ webhookId } = { webhookId: '' }] = controlCalls.listWebhooks.answer.parse(
    (await lab('GET', '/webhooks')).body.data,
  );
  const { snapshotId } = (await lab('POST', '/snapshots')).body.data;
  return { ...application, ...who, user, sub, batchId, link, ruleId, webhookId, snapshotId };
}
type Settled = Awaited<ReturnType<typeof settled>>;

/** What the application has, as far as it can be read. */
async function has({ call, lab, token, user, subscriptionId, batchId }: Settled) {
  const answers = await Promise.all([
    call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token }),
    call('GET', `${endpoints.batches}/${batchId}`, { token }),
    call('GET', endpoints.userInfo, { token: user }),
    ...['/faults', '/batches', '/webhooks', '/receiver'].map((path) => lab('GET', path)),
  ]);
  return answers.map(({ status, body }) => ({ status, body }));
}

/** The calls that anybody may make. */
type OpenCall = 'keySet' | 'consumerStatus' | 'messagingStatus';

/**
 * Each call of the service as another application makes it: with all that it knows of the first, tokens and ids, and with
 * what is its own beside the ids of the first.
 */
function attempts(
  other: Settled,
  first: Settled,
): Record<Exclude<ServiceOperation, OpenCall>, () => Promise<Answer>[]> {
  const { call, signed } = other;
  const tokens = [first.token, other.token];
  const asEither = (method: string, path: string, body?: unknown) => () =>
    tokens.map((token) => call(method, path, { token, ...(body !== undefined && { body }) }));
  /** With the key of the first, which is not known at the other's path, nor is the other's at that of the first. */
  const withKeys = (path: string) => () =>
    [first, other].map((caller) =>
      [first, other]
        .find((each) => each !== caller)!
        .call('GET', path, {
          headers: {
            [header.application]: caller.credentials.applicationId,
            [header.apiKey]: caller.credentials.apiKey,
          },
        }),
    );
  const message = (kind: string) =>
    asEither('POST', `${endpoints.messaging}/${kind}`, {
      data: {
        subscriptionId: first.subscriptionId,
        ...parties,
        resource: 'Subscription',
        id: first.subscriptionId,
        properties: { account: '1' },
        debtorAccount: { identification: '12345678' },
        creditorAccount: { identification: '12345678' },
      },
    });
  const ofUser = (method: string, path: string, body?: unknown) => () => [
    call(method, path, { token: first.user, ...(body !== undefined && { body }) }),
  ];
  return {
    createOrganisation: () => [
      signed('POST', endpoints.createOrganisation, first.credentials.signingKey, { body: organisation }),
    ],
    createCompany: () => [call('POST', endpoints.createCompany, { body: company, token: first.organisationToken })],
    accessToken: () =>
      [first.primarySigningKey, other.primarySigningKey].flatMap((key) => [
        signed('POST', endpoints.accessToken, key, { headers: { [header.organisation]: first.organisationId } }),
        signed('POST', endpoints.accessToken, key, {
          headers: { [header.organisation]: other.organisationId, [header.company]: first.companyId },
        }),
      ]),
    authorize: () => [call('GET', `${endpoints.authorize}?client_id=${first.credentials.applicationId}`)],
    userInfo: ofUser('GET', endpoints.userInfo),
    createAccount: ofUser('POST', endpoints.accounts, accountOf(first.sub)),
    createDataset: ofUser('POST', endpoints.datasets, dataset),
    providers: withKeys(endpoints.providers),
    provider: withKeys(`${endpoints.providers}/provider-asks`),
    localInstruments: withKeys(endpoints.localInstruments),
    fileFormats: withKeys(endpoints.fileFormats),
    banks: withKeys(endpoints.banks),
    translation: withKeys(`${endpoints.translations}/x`),
    createSubscription: asEither('POST', pathOf('createSubscription', first.organisationId), {
      data: { providerId: 'provider-authorises', additionalData: '{"account":"12345678"}' },
    }),
    subscription: asEither('GET', `${endpoints.subscriptions}/${first.subscriptionId}`),
    patchSubscription: asEither('PATCH', `${endpoints.subscriptions}/${first.subscriptionId}`, {
      data: { suspendedByConsumer: true },
    }),
    updates: message('updates'),
    debtoraccountputs: message('debtoraccountputs'),
    creditorputs: message('creditorputs'),
    debtoraccountlistqueries: message('debtoraccountlistqueries'),
    creditorlistqueries: message('creditorlistqueries'),
    debtoraccountdeletes: message('debtoraccountdeletes'),
    creditordeletes: message('creditordeletes'),
    createBatch: asEither('POST', endpoints.batches, { data: { ...batch, subscriptionId: first.subscriptionId } }),
    batch: asEither('GET', `${endpoints.batches}/${first.batchId}`),
    paymentFile: () => [call('GET', first.link.replace(first.credentials.path, other.credentials.path))],
  };
}

const bodies: Partial<Record<ControlCallName, object>> = {
  addRule: { on: 'batch', fault: { kind: 'hold' }, times: 1, probability: 1, seed: 1 },
  sendAllAgain: { since: '2020-01-01T00:00:00Z' },
  checkWebhook: { id: 'msg_1', timestamp: '1', signature: 'v1,x', body: '{}' },
  setReceiver: { url: 'https://hooks.example.com/' },
  moveClock: { move: 3_600_000, still: true },
  sendWebhook: { type: 'batchUpdated' },
  prepareSituation: { situation: 'organisation' },
};
/** The calls of the lab that name something, with what the first application has of it. */
const named: Partial<Record<ControlCallName, 'ruleId' | 'batchId' | 'webhookId' | 'snapshotId'>> = {
  removeRule: 'ruleId',
  stepBatch: 'batchId',
  sendAgain: 'webhookId',
  explainSignature: 'webhookId',
  restoreSnapshot: 'snapshotId',
};

describe('two applications', () => {
  it('reach nothing of each other by any call of the service, with tokens and ids of the other (threat 2.20; wire 16.2)', async () => {
    const sandbox = await testSandbox();
    const [first, other] = [await settled(sandbox, 'user-a'), await settled(sandbox, 'user-b')];
    const before = await has(first);
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
    const all = attempts(other, first);
    expect(Object.keys(all).sort()).toEqual(
      Object.keys(serviceCalls)
        .filter((name) => !isOpen(name))
        .sort(),
    );
    for (const [name, attempt] of Object.entries(all))
      for (const { status, text } of await Promise.all(attempt()))
        expect([400, 401, 404], `${name}: ${status} ${text}`).toContain(status);
    sandbox.clock.increment(5000);
    expect(await has(first)).toEqual(before);
  });

  it('reach nothing of each other by the fault lab, the pages, or emptying (threat 2.20)', async () => {
    const sandbox = await testSandbox();
    const [first, other] = [await settled(sandbox, 'user-a'), await settled(sandbox, 'user-b')];
    const before = await has(first);
    for (const name of Object.keys(controlCalls) as ControlCallName[]) {
      const whose = named[name];
      const id = whose === undefined ? '' : first[whose];
      const path = controlPath(name).replace(/\{\w+\}/, id);
      const asked = { ...(bodies[name] && { body: bodies[name] }) };
      const method = controlCalls[name].method.toUpperCase();
      const refused = await first.call(method, path, { token: other.credentials.resetToken, ...asked });
      expect(refused.status, `${name} with the other’s token`).toBe(401);
      const { status, text } = await other.call(method, path, { token: other.credentials.resetToken, ...asked });
      if (name === 'openSituation')
        expect(status, `${name}: ${text}`).toBe(400); // no file is sent
      else if (id === '') expect(status, `${name}: ${text}`).toBeLessThan(300);
      else expect(status, `${name} ${id}`).toBe(404);
    }
    const decision = { body: new URLSearchParams({ decision: 'reject' }), headers: form };
    for (const { call } of [other, sandbox.as()])
      for (const path of [authorisePath(first.subscriptionId), `/provider/consents/${first.batchId}`]) {
        expect((await call('GET', path)).status).toBe(404);
        expect((await call('POST', path, decision)).status).toBe(404);
      }
    const reset = (at: Application, { credentials }: Application) =>
      at.call('POST', '/sandbox/reset', { body: { token: credentials.resetToken } });
    expect((await reset(first, other)).status).toBe(403);
    expect((await reset(other, other)).status).toBe(204);
    expect((await reset(sandbox.as(), sandbox.as())).status).toBe(204);
    expect(await has(first)).toEqual(before);
    expect((await other.call('GET', `${endpoints.batches}/${other.batchId}`, { token: other.token })).status).toBe(401);
  });

  it('are unloaded when many others are used, and loaded again with records, faults and clock', async () => {
    const sandbox = await testSandbox();
    const first = await settled(sandbox, 'user-a');
    await first.lab('PATCH', '/clock', { still: true });
    const before = await has(first);
    for (let number = 0; number < 150; number += 1)
      expect((await sandbox.as(`user-${number}`).call('GET', endpoints.banks)).status).toBe(200);
    expect(await has(first)).toEqual(before);
    expect((await first.lab('GET', '/clock')).body.data).toMatchObject({ still: true });
  });
});

describe('emptying', () => {
  it('ends calls and jobs in progress without a write', async () => {
    const sandbox = await testSandbox();
    const first = await settled(sandbox, 'user-a');
    const latency = { on: 'call', of: 'createBatch', fault: { kind: 'latency', ms: 60_000 }, times: 1 };
    await first.lab('DELETE', '/faults');
    await first.lab('POST', '/faults', { ...latency, probability: 1, seed: 1 });
    const late = first.call('POST', endpoints.batches, {
      token: first.token,
      body: { data: { ...batch, fileFormatId: 'lines' } },
    });
    await first.subscribe(first, 'authorises');
    await expect.poll(async () => (await first.lab('GET', '/faults')).text).toContain('"happened":1');
    sandbox.received.length = 0;
    await first.call('POST', '/sandbox/reset', { body: { token: first.credentials.resetToken } });
    expect([401, 409]).toContain((await late).status);
    sandbox.clock.increment(10_000);
    await sandbox.settled();
    expect(sandbox.received).toEqual([]);
    for (const table of ['stored_answers', 'jobs', 'deliveries'])
      expect(await sandbox.kept(`select * from ${table} where application = 'user-a'`), table).toEqual([]);
    expect(await sandbox.kept(`select * from records where workspace = 'user-a'`)).toEqual([]);
    expect((await first.onboard()).token, 'it can be used again').toMatch(/^ey/);
  });
});

describe('the path of an application', () => {
  it('leads to it alone, and cannot be made without the secret (threat 2.20)', () => {
    const { path } = credentialsOf(sandboxSecret, 'user-a');
    expect(applicationAt(sandboxSecret, `${path}/v3/x?y`)).toEqual({ name: 'user-a', rest: '/v3/x?y' });
    expect(applicationAt(sandboxSecret, `${path}?y`)).toEqual({ name: 'user-a', rest: '/?y' });
    for (const url of [
      path.replace('user-a', 'user-b'),
      `${path}x/v3`,
      credentialsOf('another secret of the sandbox', 'user-a').path,
      '/of/default.abcdefghijklmnopqrstuvwxyz012345/v3/status',
      '/of/user-a/v3/status',
    ])
      expect(applicationAt(sandboxSecret, url)).toEqual({ name: 'default', rest: url });
  });

  it('shows its secrets only for five minutes, to a user whom the console has sent (threat 2.23)', async () => {
    const sandbox = await testSandbox();
    const { call, credentials } = sandbox.as('user-a');
    const secrets = [credentials.apiKey, credentials.signingKey, credentials.webhookSecret, credentials.resetToken];
    const shown = async (query = '') => {
      const { text } = await call('GET', `/${query}`);
      return secrets.filter((secret) => text.includes(secret)).length;
    };
    expect(await shown()).toBe(0);
    const now = sandbox.clock.now();
    expect(await shown(signedQuery(credentials.resetToken, now))).toBe(secrets.length);
    expect(await shown(signedQuery(credentials.resetToken, now - 5 * 60_000))).toBe(0);
    expect(await shown(signedQuery(sandbox.as('user-b').credentials.resetToken, now))).toBe(0);
    expect((await call('GET', '/sandbox/reset')).status).toBe(403);
    expect((await call('GET', `/sandbox/reset${signedQuery(credentials.resetToken, now)}`)).status).toBe(200);
  });
});
