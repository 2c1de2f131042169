import { describe, expect, it } from 'vitest';
import type { FaultRule } from '#contract/controlShapes.ts';
import { faultPlaces } from '#contract/faults.ts';
import { faultOf } from '#rules/driftFault.ts';
import { compare } from '#server/drift/compare.ts';
import { changedAt, changedResponse } from '#server/sandbox/faults/changedPlace.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { labAt } from '#tests/support/lab.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { operations } from '#server/upstream/operations.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testLab } from '../../sandbox/testLab.ts';

const told = (call: string, path: string, expected: string, came: string) => ({ call, path, expected, came });
const status = 'one of Received, AwaitingAuthorisation, Pending, Authorised, Suspended, Cancelled, Rejected';

/** Differences of every kind, as `compare` tells them. */
const differences = [
  told('subscription', 'data.status', status, '"Frozen"'),
  told('subscription', 'data.status', status, 'nothing'),
  told('subscription', 'data.subscriptionId', 'a text', 'a number'),
  told('subscription', 'data.subscriptionId', 'a text', 'null'),
  told('subscription', 'data.suspendedByConsumer', 'true or false', 'a text'),
  told('subscription', 'data.nickname', 'no such member', 'a text'),
  told('subscription', 'data', 'an object', 'a list'),
  told('subscription', '', 'an object', 'a list'),
  told('subscription', '', 'status 200', 'status 203'),
  told('subscription', '', 'the type application/json', 'text/plain'),
  told('subscription', '', 'the type application/json', 'no type'),
  told('subscription', '', 'JSON', 'text/html'),
  told('subscription', '', 'JSON', 'no body'),
  told('providers', 'data[].country', 'a list', 'a text'),
  told('providers', 'data[].accountType.validationRules[].ruleId', 'a text', 'nothing'),
  told('providers', 'data[].maximumPaymentCount', 'a whole number', 'a number'),
  told('banks', 'data', 'a list', 'an object'),
  told('keySet', 'keys', 'a list', 'nothing'),
  told('keySet', 'keys[].kty', 'a text', 'a number'),
  told('keySet', '', 'JSON', 'text/html'),
  told('consumerStatus', 'version', 'a text', 'nothing'),
  told('consumerStatus', '', 'status 200', 'status 204'),
  told('messagingStatus', 'name', 'a text', 'null'),
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
    expect(calls.filter((call) => !faultOf(told(call, 'a', 'a text', 'nothing')).rule)).toEqual([]);
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
    await lab.set(faultOf(told('subscription', 'title', 'a text', 'nothing')).rule!);
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
    [told('webhook refunded', '', 'x', 'nothing'), 'The fault lab has no faults for webhook refunded.'],
    [told('batch', 'a.'.repeat(200), 'a text', 'nothing'), 'Its place is longer than a fault may name.'],
    [told('batch', '', 'status 200', 'status 999'), 'The sandbox cannot answer with status 999.'],
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
