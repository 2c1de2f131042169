import { describe, expect, it } from 'vitest';
import { compare } from '#server/drift/compare.ts';
import type { Exchange } from '#server/drift/exchange.ts';
import type { FaultRule } from '#contract/controlShapes.ts';
import { faultPlaces } from '#contract/faults.ts';
import { faultOf } from '#rules/driftFault.ts';
import { changedAt, changedResponse } from '#server/sandbox/faults/changedPlace.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { labAt } from '#tests/support/lab.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { operations } from '#server/upstream/operations.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testLab } from '../../sandbox/testLab.ts';

const at = '2026-01-01T00:00:00Z';
const batch = {
  data: {
    batchId: 'b',
    status: 'Processing',
    externalId: 'e',
    requestedExecutionDateTime: '2026-01-02T00:00:00Z',
    payments: [
      {
        paymentId: 'p',
        status: 'Processing',
        creditor: { name: 'A', own: 1 },
        instructedAmount: { amount: '1.00', currency: 'GBP' },
      },
    ],
  },
  links: { self: 'http://service.example/v3/batchpayments/b' },
};
const cameBack = { paymentId: 'p', status: 'Returned', extendedStatus: 'AC04', additionalData: '{}' };
const provider = {
  providerId: 'p',
  name: 'P',
  country: ['GB'],
  accountType: { capabilities: ['X'], validationRules: [{ ruleId: 'r', validation: { jsonPath: 'a.b' } }] },
};
const created = { data: { batchId: 'b', externalId: 'e', status: 'Received' }, links: batch.links };
const health = { version: '1', branch: 'b', name: 'n' };
const problem = { type: 'about:blank', title: 'Not Found', status: 404, code: 'NotFound', detail: 'There is none' };

const answer = (
  [method, path]: readonly [string, string],
  body: unknown,
  { status = 200, type = 'application/json' } = {},
): Exchange => ({
  kind: 'answer',
  at,
  method,
  path,
  status,
  type,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const told = (...exchanges: Exchange[]) =>
  compare(exchanges).findings.map(
    ({ call, path, expected, came, effect }) => `${call} ${path}: ${expected}, ${came}: ${effect}`,
  );

const readBatch = ['GET', '/v3/batchpayments/b'] as const;
const createBatch = ['POST', '/a/app/v3/batchpayments'] as const;
const providers = ['GET', '/v3/providers'] as const;
const token = ['POST', '/auth-v1/accessToken'] as const;
const organisation = ['POST', '/auth-v1/organisations'] as const;

describe('An answer that is as described', () => {
  it.each<[string, Exchange]>([
    ['a batch, with members of the sender’s own', answer(readBatch, batch)],
    ['a created batch', answer(createBatch, created, { status: 201 })],
    ['a list of providers', answer(providers, { data: [provider] })],
    ['an empty list', answer(providers, { data: [] })],
    ['a message without a body', answer(['POST', '/api-msg-v1/updates'], '', { status: 202, type: '' })],
    ['a type with parameters', answer(providers, { data: [] }, { type: 'application/json; charset=utf-8' })],
    ['a refusal', answer(readBatch, problem, { status: 404, type: 'application/problem+json' })],
    ['a masked link', answer(readBatch, { ...batch, links: { ...batch.links, paymentFile: '$PAYMENT_FILE' } })],
    ['a payment file', answer(['GET', '/files/b'], 'HDR', { type: 'text/plain' })],
  ])('gives no finding: %s (behaviour 10.24.1)', (_, exchange) => {
    expect(told(exchange)).toEqual([]);
  });
});

describe('A difference from the description', () => {
  const { status: _status, ...withoutStatus } = batch.data;
  const { batchId: _batchId, ...withoutId } = batch.data;
  const { links: _links, ...withoutLinks } = batch;
  const changed = (member: object) => answer(readBatch, { ...batch, data: { ...batch.data, ...member } });

  it.each<[string, Exchange, string[]]>([
    [
      'a member that is missing and needed',
      answer(readBatch, { ...batch, data: withoutId }),
      ['batch data.batchId: a text, nothing: fails'],
    ],
    [
      'another such member',
      answer(readBatch, { ...batch, data: withoutStatus }),
      ['batch data.status: a text, nothing: fails'],
    ],
    [
      'a member that is missing and not needed',
      answer(readBatch, withoutLinks),
      ['batch links: an object, nothing: works'],
    ],
    [
      'a renamed member',
      changed({ batchId: undefined, batchID: 'b' }),
      ['batch data.batchId: a text, nothing: fails', 'batch data.batchID: no such member, a text: works'],
    ],
    ['a new member', changed({ settledAt: 'now' }), ['batch data.settledAt: no such member, a text: works']],
    ['a number instead of a text', changed({ batchId: 7 }), ['batch data.batchId: a text, a number: works']],
    ['an object instead of a text', changed({ batchId: {} }), ['batch data.batchId: a text, an object: fails']],
    ['null', answer(readBatch, { ...batch, error: null }), ['batch error: an object, null: works']],
    ['a list instead of an object', answer(readBatch, [batch]), ['batch : an object, a list: fails']],
    [
      'a time in another form',
      changed({ payments: [{ ...batch.data.payments[0], paymentCompletedDate: '1.1.2026' }] }),
      ['batch data.payments[].paymentCompletedDate: a text with the format date-time, another text: works'],
    ],
    ['nothing of a payment that came back', changed({ payments: [{ ...batch.data.payments[0], ...cameBack }] }), []],
    [
      'an object as additional data of a payment',
      changed({ payments: [{ ...batch.data.payments[0], ...cameBack, additionalData: {} }] }),
      ['batch data.payments[].additionalData: a text, an object: works'],
    ],
    [
      'an element of a list',
      answer(providers, { data: [provider, { name: 'Q' }] }),
      [
        'providers data[].providerId: a text, nothing: partly',
        'providers data[].country: a list, nothing: works',
        'providers data[].accountType: an object, nothing: works',
      ],
    ],
    [
      'a wrapped body',
      answer(token, { data: { jwt: 'x' } }),
      ['accessToken jwt: a text, nothing: works', 'accessToken data: no such member, an object: works'],
    ],
    [
      'another known name',
      answer(token, { access_token: 'x' }),
      ['accessToken jwt: a text, nothing: works', 'accessToken access_token: no such member, a text: works'],
    ],
    [
      'no token',
      answer(token, { bearer: 'x' }),
      ['accessToken jwt: a text, nothing: fails', 'accessToken bearer: no such member, a text: works'],
    ],
    [
      'no signing key',
      answer(
        organisation,
        {
          sageCRMId: 's',
          primaryCountry: 'GBR',
          adminEmail: 'a@example.com',
          defaultLanguage: 'en',
          externalId: 'e',
          organisationId: 'o',
        },
        { status: 201 },
      ),
      ['createOrganisation primarySigningKey: a text, nothing: fails'],
    ],
    [
      'a status of a subscription',
      answer(['GET', '/v3/subscriptions/s'], {
        data: {
          subscriptionId: 's',
          organisationId: 'o',
          providerId: 'p',
          status: 'Authorized',
          suspendedByConsumer: false,
        },
      }),
      [
        'subscription data.status: one of Received, AwaitingAuthorisation, Pending, Authorised, Suspended, Cancelled, Rejected, "Authorized": works',
      ],
    ],
    [
      'another success of a read',
      answer(['GET', '/v3/status'], health, { status: 203 }),
      ['consumerStatus : status 200, status 203: works'],
    ],
    [
      'another success of a write',
      answer(createBatch, created, { status: 200 }),
      ['createBatch : status 201, status 200: works'],
    ],
    [
      'a success of a write that is not believed',
      answer(createBatch, created, { status: 207 }),
      ['createBatch : status 201, status 207: fails'],
    ],
    [
      'a redirect',
      answer(['GET', '/v3/status'], '', { status: 302, type: '' }),
      ['consumerStatus : status 200, status 302: fails', 'consumerStatus : JSON, no body: fails'],
    ],
    [
      'a page instead of JSON',
      answer(providers, '<html>', { type: 'text/html' }),
      ['providers : JSON, text/html: fails'],
    ],
    [
      'JSON that is cut short',
      answer(providers, '{"data":[', {}),
      ['providers : JSON, a text that is not JSON: fails'],
    ],
    [
      'another type',
      answer(providers, { data: [] }, { type: 'text/json' }),
      ['providers : the type application/json, text/json: works'],
    ],
    [
      'a body where there is none',
      answer(['POST', '/api-msg-v1/updates'], {}, { status: 202 }),
      ['updates : no body, application/json: works'],
    ],
    [
      'a refusal in another form',
      answer(createBatch, { error: { message: 'No' } }, { status: 400 }),
      [
        'createBatch : the type application/problem+json, application/json: works',
        'createBatch title: a text, nothing: fails',
        'createBatch status: a number, nothing: fails',
        'createBatch code: a text, nothing: fails',
        'createBatch detail: a text, nothing: fails',
        'createBatch type: a text, nothing: fails',
        'createBatch error: no such member, an object: fails',
      ],
    ],
    [
      'a refusal without a code',
      answer(
        createBatch,
        { ...problem, code: undefined, status: 400 },
        { status: 400, type: 'application/problem+json' },
      ),
      ['createBatch code: a text, nothing: fails'],
    ],
    [
      'a refusal that is a page',
      answer(createBatch, '<p>No</p>', { status: 400, type: 'text/html' }),
      ['createBatch : JSON, text/html: fails'],
    ],
  ])('is found, with what it means for the console: %s (behaviour 10.24.1)', (_, exchange, found) => {
    expect(told(exchange)).toEqual(found);
  });

  it('is counted once for each kind, with the first and last time (behaviour 10.24.1)', () => {
    const status = ['GET', '/v3/status'] as const;
    const later = { ...answer(status, { ...health, name: 2 }), at: '2026-01-03T00:00:00Z' };
    const { findings, compared } = compare([answer(status, { ...health, name: 1 }), answer(status, health), later]);
    expect(findings).toEqual([
      {
        call: 'consumerStatus',
        path: 'name',
        expected: 'a text',
        came: 'a number',
        times: 2,
        effect: 'works',
        first: at,
        last: later.at,
      },
    ]);
    expect(compared).toEqual({ consumerStatus: 3 });
  });

  it('is found in webhooks, also in lists of them and of unknown types (behaviour 10.24.1)', () => {
    const webhook = (body: unknown): Exchange => ({ kind: 'webhook', at, body: JSON.stringify(body) });
    const good = {
      type: 'batchUpdated',
      resource: { id: 'b', type: 'BatchPayment', url: 'http://a/b' },
      data: { status: 'Completed' },
    };
    expect(told(webhook(good))).toEqual([]);
    const returns = {
      ...good,
      data: { status: 'Completed', payments: [cameBack, { ...cameBack, extendedStatus: 4 }] },
    };
    expect(told(webhook(returns))).toEqual(['webhook batchUpdated data.payments[].extendedStatus: a text, a number: works']); // prettier-ignore
    expect(told(webhook([good, { ...good, data: {} }]))).toEqual([
      'webhook batchUpdated data.status: a text, nothing: works',
    ]);
    expect(told(webhook({ ...good, type: 'batchChanged' }))).toEqual([
      'webhook type: a type that is described, "batchChanged": works',
    ]);
    expect(told(webhook({}))).toEqual(['webhook type: a type that is described, nothing: fails']);
  });

  it.each([0, 401, 403, 407, 429, 500, 503])(
    'cannot be told from an answer with status %i, which counts as none (behaviour 10.24.2)',
    (status) => {
      const found = compare([answer(providers, '', { status, type: '' })]);
      expect(found).toMatchObject({
        findings: [],
        compared: {},
        blocked: { providers: expect.any(String) as unknown },
      });
      expect(compare([answer(providers, '', { status }), answer(providers, { data: [] })]).blocked).toEqual({});
    },
  );
});

const difference = (call: string, path: string, expected: string, came: string) => ({ call, path, expected, came });
const status = 'one of Received, AwaitingAuthorisation, Pending, Authorised, Suspended, Cancelled, Rejected';

/** Differences of every kind, as `compare` tells them. */
const differences = [
  difference('subscription', 'data.status', status, '"Frozen"'),
  difference('subscription', 'data.status', status, 'nothing'),
  difference('subscription', 'data.subscriptionId', 'a text', 'a number'),
  difference('subscription', 'data.subscriptionId', 'a text', 'null'),
  difference('subscription', 'data.suspendedByConsumer', 'true or false', 'a text'),
  difference('subscription', 'data.nickname', 'no such member', 'a text'),
  difference('subscription', 'data', 'an object', 'a list'),
  difference('subscription', '', 'an object', 'a list'),
  difference('subscription', '', 'status 200', 'status 203'),
  difference('subscription', '', 'the type application/json', 'text/plain'),
  difference('subscription', '', 'the type application/json', 'no type'),
  difference('subscription', '', 'JSON', 'text/html'),
  difference('subscription', '', 'JSON', 'no body'),
  difference('providers', 'data[].country', 'a list', 'a text'),
  difference('providers', 'data[].accountType.validationRules[].ruleId', 'a text', 'nothing'),
  difference('providers', 'data[].maximumPaymentCount', 'a whole number', 'a number'),
  difference('banks', 'data', 'a list', 'an object'),
  difference('keySet', 'keys', 'a list', 'nothing'),
  difference('keySet', 'keys[].kty', 'a text', 'a number'),
  difference('keySet', '', 'JSON', 'text/html'),
  difference('consumerStatus', 'version', 'a text', 'nothing'),
  difference('consumerStatus', '', 'status 200', 'status 204'),
  difference('messagingStatus', 'name', 'a text', 'null'),
];

const paths: Readonly<Record<string, string>> = {
  providers: '/v3/providers',
  banks: '/v3/banks',
  keySet: endpoints.keySet,
  consumerStatus: endpoints.consumerStatus,
  messagingStatus: endpoints.messagingStatus,
};

describe('A difference from the description, turned into a fault', () => {
  it('comes from the sandbox as it came from the service (behaviour 10.24.6)', async () => {
    const lab = await testLab();
    for (const difference of differences) {
      const { rule } = faultOf(difference);
      const { ruleId } = await lab.set(rule!);
      const { call, path, expected, came } = difference;
      const address = paths[call] ?? `/v3/subscriptions/${lab.who.subscriptionId}`;
      const { headers, text, status: sent } = await lab.call('GET', address, { token: lab.who.token });
      const { findings } = compare([
        {
          kind: 'answer',
          at: '',
          method: 'GET',
          path: address,
          status: sent,
          body: text,
          type: headers.get('content-type') ?? '',
        },
      ]);
      expect(findings.map(({ call: of, path: at, expected: e, came: c }) => [of, at, e, c])).toContainEqual([
        call,
        path,
        expected,
        came,
      ]);
      await lab.lab('DELETE', `/faults/${ruleId}`);
    }
  });

  it('is a fault for every operation and webhook that is described (behaviour 10.24.6)', () => {
    const calls = [...Object.keys(operations), 'webhook', ...faultPlaces.webhook.map((type) => `webhook ${type}`)];
    expect(calls.filter((call) => !faultOf(difference(call, 'a', 'a text', 'nothing')).rule)).toEqual([]);
  });

  it('of a call that anybody may make does not come by a rule for any call', async () => {
    const lab = await testLab();
    await lab.set({
      on: 'call',
      of: 'any',
      fault: { kind: 'status', status: 503 },
      times: 'always',
      probability: 1,
      seed: 1,
    });
    for (const path of [endpoints.keySet, endpoints.consumerStatus, endpoints.messagingStatus])
      expect((await lab.call('GET', path)).status).toBe(200);
  });

  it('comes in refusals too, and leaves a response without such a place as it is', async () => {
    const lab = await testLab();
    await lab.set(faultOf(difference('subscription', 'title', 'a text', 'nothing')).rule!);
    const token = lab.who.token;
    const refused = await lab.call('GET', '/v3/subscriptions/none', { token });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      404,
      expect.not.objectContaining({ title: expect.anything() as unknown }),
    ]);
    const read = await lab.call('GET', `/v3/subscriptions/${lab.who.subscriptionId}`, { token });
    expect(JSON.parse(read.text)).toMatchObject({ data: { subscriptionId: lab.who.subscriptionId } });
  });

  it.each([
    [difference('webhook refunded', '', 'x', 'nothing'), 'The fault lab has no faults for webhook refunded.'],
    [difference('batch', 'a.'.repeat(200), 'a text', 'nothing'), 'Its place is longer than a fault may name.'],
    [difference('batch', '', 'status 200', 'status 999'), 'The sandbox cannot answer with status 999.'],
  ])('is none where the fault lab has no place for it: %j', (difference, reason) => {
    expect(faultOf(difference)).toEqual({ reason });
  });

  it.each(['', 'a banana', 'status 404', 'a text of 9999999 characters', 'nothing\n'])(
    'refuses %j as what comes, and says what may',
    async (came) => {
      const lab = await testLab();
      const answer = await lab.lab('POST', '/faults', {
        on: 'call',
        of: 'batch',
        fault: { kind: 'changed', path: '', came },
      });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('what comes instead: nothing, null')]);
    },
  );
});

describe('A changed place', () => {
  it.each([
    ['a member whose name has a dot', { 'a.b': { c: 1 } }, 'a.b.c', 'null', { 'a.b': { c: null } }],
    [
      'each element of lists in lists',
      { a: [[{ b: 1 }], [{ b: 2 }]] },
      'a[][].b',
      '"x"',
      { a: [[{ b: 'x' }], [{ b: 'x' }]] },
    ],
    ['a list of another length', { a: [1, 2] }, 'a', 'a list of 3', { a: [1, 2, 1] }],
    ['a longer text', { a: 'b' }, 'a', 'a text of 4 characters', { a: 'xxxx' }],
    ['an inherited name', {}, 'constructor', 'a number', { constructor: 0.5 }],
    ['a missing parent', { a: 1 }, 'b.c', 'a number', { a: 1 }],
    ['a value that was told by its beginning', { a: 1 }, 'a', '"cut off', { a: 'cut off' }],
  ])('is %s', (_, value, path, came, expected) => {
    expect(changedAt(value, path, came)).toEqual(expected);
  });

  it.each([
    ['half a body', { status: 201, type: 'application/json', body: '{"data":' }],
    ['status 200 and half a body', { status: 200, type: 'application/json', body: '{"data":' }],
    ['status 504 and half a body', { status: 504, type: 'application/json', body: '{"data":' }],
    ['status 202', { status: 202, type: 'application/json', body: '{"data":"batch"}' }],
  ])('is the whole response with %s', (came, expected) => {
    const sent = { status: 201, type: 'application/json', body: '{"data":"batch"}' };
    expect(changedResponse(sent, { path: '', came })).toEqual(expected);
  });
});

describe('The console', () => {
  it('tells the differences in its timeline and of one entry, and that the fault brings them back (behaviour 10.24.5)', async () => {
    let sandboxUrl = '';
    const server = await testConsole({
      upstreamUrl: async (url) =>
        ({ url: sandboxUrl } = await testSandbox({ webhookUrl: url + notificationsPath })).url,
    });
    const { subscriptionId } = await walk(server);
    const lab = labAt(sandboxUrl);
    const before = (await server.done('getDrift')).data;
    expect(before.differences).toEqual([]);
    expect(before.compared).toBeGreaterThan(5);
    expect(Date.parse(before.since)).toBeLessThan(Date.now());
    const frozen = { call: 'subscription', path: 'data.status', expected: status, came: '"Frozen"' };
    await lab.set(faultOf(frozen).rule!);
    await server.done('getSubscription', { params: { subscriptionId } });
    const { differences } = (await server.done('getDrift')).data;
    expect(differences).toMatchObject([{ ...frozen, effect: 'works' }]);
    const { entry } = differences[0]!;
    expect((await server.done('getDrift', { query: { entry } })).data.differences).toEqual(differences);
    const reply = await server.call('getDrift', { query: { entry: '999999' } });
    expect(reply).toMatchObject({ status: 404 });
    await eventually(async () =>
      expect((await server.done('getTimeline', { query: {} })).data.some(({ name }) => name === 'getDrift')).toBe(
        false,
      ),
    );
  });
});

it('a rule that was made of a difference has the words of the form (behaviour 10.24.6)', () => {
  const { rule } = faultOf(differences[0]!);
  expect(rule).toEqual({
    on: 'call',
    of: 'subscription',
    times: 'always',
    probability: 1,
    seed: 1,
    fault: { kind: 'changed', path: 'data.status', came: '"Frozen"' },
  } satisfies FaultRule);
});
