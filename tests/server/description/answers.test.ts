import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { member } from '#contract/member.ts';
import { differencesIn } from '#server/description/differences.ts';
import { webhookBodies } from '#server/upstream/webhooks.ts';
import { describedAt } from '#server/upstream/operations.ts';
import { atMost } from '#contract/shape.ts';
import { answeredCalls, type Answered } from '#server/sandbox/records/answered.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import type { Catalogue } from '#server/sandbox/catalogue/types.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { differencesOf, takeDiffering } from '#tests/support/describedAnswers.ts';

const health = { version: '3', branch: 'b', name: 'n' };
const answered = (change: Partial<Answered>, body: unknown = health): Answered => ({
  method: 'GET',
  path: '/v3/status',
  status: 200,
  request: '',
  type: 'application/json',
  body: JSON.stringify(body),
  ...change,
});
const batch = {
  data: { batchId: 'b', externalId: 'e', status: 'Received' },
  links: { self: 'http://a/v3/batchpayments/b' },
};
const post = { method: 'POST', path: '/v3/batchpayments', status: 201, request: '' };

describe('The comparison of an answer with the description', () => {
  it.each<[string, Answered, string[]]>([
    ['as described', answered({}), []],
    ['with an optional member', answered({}, { ...health, status: 'Up' }), []],
    [
      'without a member',
      answered({}, { version: '3', branch: 'b' }),
      ['consumerStatus 200: name: expected a text, came nothing'],
    ],
    [
      'with a member of another type',
      answered({}, { ...health, name: 3 }),
      ['consumerStatus 200: name: expected a text, came a number'],
    ],
    ['with null', answered({}, { ...health, name: null }), ['consumerStatus 200: name: expected a text, came null']],
    [
      'with a new member',
      answered({}, { ...health, uptime: 3 }),
      ['consumerStatus 200: uptime: expected no such member, came a number'],
    ],
    ['with a list instead of an object', answered({}, []), ['consumerStatus 200: : expected an object, came a list']],
    ['with another success', answered({ status: 202 }), ['consumerStatus 202: expected status 200']],
    [
      'of another type',
      answered({ type: 'text/plain' }),
      ['consumerStatus 200: expected the type application/json, came text/plain'],
    ],
    ['to a call that is not described', answered({ path: '/v3/new' }), ['GET /v3/new is not described']],
    ['that refuses such a call', answered({ path: '/v3/new', status: 404 }), []],
    ['to a batch', answered(post, batch), []],
    [
      'to a batch whose link is no address',
      answered(post, { ...batch, links: { self: 'b' } }),
      ['createBatch 201: links.self: expected a text with the format uri, came another text'],
    ],
    [
      'to a request that lacks a member',
      answered({ ...post, request: '{"data":{"externalId":"e"}}' }, batch),
      [
        'createBatch 201, request: data.requestedExecutionDateTime: expected a text, came nothing',
        'createBatch 201, request: data.payments: expected a list, came nothing',
      ],
    ],
  ])('%s', (_, call, found) => {
    expect(differencesOf(call)).toEqual(found);
  });

  it('finds differences in each call that a sandbox answers while tests run', async () => {
    answeredCalls.publish(answered({}, {}));
    expect(takeDiffering()).toHaveLength(3);
    const seen: Answered[] = [];
    const note = (call: unknown) => void seen.push(call as Answered);
    answeredCalls.subscribe(note);
    const sandbox = await createSandbox({ seed: 1 });
    await sandbox.fetch('/v3/status');
    await sandbox.close();
    answeredCalls.unsubscribe(note);
    expect(seen).toMatchObject([{ method: 'GET', path: '/v3/status', status: 200 }]);
  });

  it('finds the operation of a call below the path of an application, and none of an address within another', () => {
    expect(describedAt('GET', '/a/bank/v3/providers/p-1')).toBe('provider');
    expect(describedAt('PATCH', '/v3/subscriptions/s-1')).toBe('patchSubscription');
    expect(describedAt('POST', '/v3/subscriptions/organisations/o/subscriptions')).toBe('createSubscription');
    expect(describedAt('GET', '/v3/providers/p/rules')).toBeUndefined();
    expect(describedAt('DELETE', '/v3/providers')).toBeUndefined();
    expect(describedAt('GET', '/xv3/providers')).toBeUndefined();
  });
});

describe('The comparison of a value with a schema', () => {
  const found = (schema: z.ZodType, value: unknown, isClosed = true) =>
    differencesIn(schema, value, { isClosed }).map(
      ({ path, expected, came }) => `${path.join('.')}: ${expected}, ${came}`,
    );
  const id = z.string().regex(/^[a-z]+$/);
  const named = z.looseObject({ id });

  it.each<[string, z.ZodType, unknown, string[]]>([
    ['names patterns', named, { id: 'A' }, ['id: a text that matches ^[a-z]+$, another text']],
    ['names elements of lists', z.array(named), [{ id: 'a' }, {}], ['1.id: a text, nothing']],
    ['takes null where it may be', id.nullable(), null, []],
    ['looks into what may be null', z.array(named.nullable()), [{ id: 'a', b: 1 }], ['0.b: no such member, a number']],
    ['looks into what may be absent', named.optional(), { id: 'a', b: 1 }, ['b: no such member, a number']],
    ['needs what the console would supply', z.object({ a: named.default({ id: 'a' }) }), {}, ['a: an object, nothing']],
    ['lists values', z.enum(['A', 'B']), 'C', [': one of A, B, "C"']],
    ['does not show a value of another kind', z.enum(['A', 'B']), 7, [': one of A, B, a number']],
    ['names the only value', z.literal('A'), 'B', [': "A", "B"']],
    ['reads maps', z.record(z.string(), z.boolean()), { a: 1 }, ['a: true or false, a number']],
    ['looks into maps', z.record(z.string(), named), { a: { id: 'a', b: 1 } }, ['a.b: no such member, a number']],
    ['leaves open what has no members', z.record(z.string(), z.any()), { a: 1 }, []],
    ['leaves open what repeats a request', named.meta({ 'x-repeats': true }), { id: 'a', b: 1 }, []],
    ['tells whole numbers', z.int(), 1.5, [': a whole number, a number']],
    ['says nothing of rules that the description does not have', z.string().refine(() => false), 'a', []],
    ['checks formats', z.uuid(), 'a', [': a text with the format uuid, another text']],
    ['counts characters, not their halves', atMost(2), '😀😀', []],
    ['tells a long text', atMost(2), '😀😀😀', [': a text of at most 2 characters, a text of 3 characters']],
    ['tells a short list', z.array(id).min(2), ['a'], [': a list of at least 2 elements, a list of 1']],
    ['tells a small number', z.number().min(2), 1, [': a number of at least 2, a number']],
  ])('%s', (_, schema, value, expected) => {
    expect(found(schema, value)).toEqual(expected);
  });

  it('does not take members that every object has for described ones', () => {
    expect(found(named, JSON.parse('{"id":"a","constructor":1,"__proto__":2}'))).toEqual([
      'constructor: no such member, a number',
      '__proto__: no such member, a number',
    ]);
  });

  it('tells no more than 2,000 differences', () => {
    expect(found(z.array(id), Array(3000).fill(1))).toHaveLength(2000);
  });
});

/** The catalogue, whose providers also answer queries. */
const answeringQueries: Catalogue = {
  ...catalogue,
  providerById(...asked) {
    const found = catalogue.providerById(...asked);
    const { capabilities = [], ...accountType } = found?.accountType ?? { validationRules: [] };
    const queries = [...capabilities, 'DebtorQueries', 'CreditorQueries'];
    return found && { ...found, accountType: { ...accountType, capabilities: queries } };
  },
};

describe('A webhook of the sandbox', () => {
  it('is as described, for each type, accepted or refused (wire 18.1)', async () => {
    const transport = () => Promise.resolve({ status: 200, location: '' });
    const sandbox = await createSandbox({
      seed: 1,
      webhookUrl: 'http://receiver.example/',
      transport,
      catalogue: answeringQueries,
    });
    const { subscriptionId, debtorId, creditors, token } = await sandbox.prepare('payable');
    const { applicationId, apiKey } = sandbox.credentials;
    let keys = 0;
    const send = async (method: string, path: string, data: object) => {
      keys += 1;
      const id = `00000000-0000-4000-8000-${String(keys).padStart(12, '0')}`;
      const { status } = await sandbox.fetch(path, {
        method,
        headers: {
          'content-type': 'application/json',
          'x-application': applicationId,
          'x-api-key': apiKey,
          authorization: `Bearer ${token}`,
          'x-idempotency-key': id,
          'x-fapi-interaction-id': id,
        },
        body: JSON.stringify({ data }),
      });
      expect([path, status < 300]).toEqual([path, true]);
      await sandbox.clock.advance(60_000);
    };
    const creditorId = creditors[0]!.creditorId; // of a payable situation
    const unknown = '00000000-0000-4000-8000-000000000000';
    const message = (kind: string, data: object) => send('POST', `/api-msg-v1/${kind}`, { subscriptionId, ...data });
    await message('debtoraccountlistqueries', {});
    await message('creditorlistqueries', {});
    await message('debtoraccountputs', { debtorId: unknown });
    await message('creditorputs', { creditorId: unknown });
    const update = { resource: 'Subscription', id: subscriptionId };
    await message('updates', { ...update, properties: {} });
    await message('updates', { ...update, properties: { unknown: 1 } });
    await send('POST', '/v3/batchpayments', {
      externalId: 'e',
      subscriptionId,
      debtor: { debtorId },
      requestedExecutionDateTime: '2026-01-01T00:00:00Z',
      payments: [{ instructedAmount: { amount: '1', currency: 'GBP' }, creditor: { name: 'A', creditorId } }],
    });
    await message('creditordeletes', { creditorId });
    await message('debtoraccountdeletes', { debtorId: unknown });
    await send('PATCH', `/v3/subscriptions/${subscriptionId}`, { suspendedByConsumer: true });
    await sandbox.settled();
    const bodies = sandbox
      .webhooks()
      .flatMap(({ deliveries }) => deliveries.map(({ body }) => JSON.parse(body) as { type: string }));
    await sandbox.close();
    expect(new Set(bodies.map(({ type }) => type)).size).toBe(9);
    const found = (body: { type: string }) =>
      differencesIn(member(webhookBodies, body.type)!, body, { isClosed: true });
    expect(bodies.map((body) => [body.type, found(body)])).toEqual(bodies.map(({ type }) => [type, []]));
  });
});
