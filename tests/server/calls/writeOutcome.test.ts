import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { newCall, runInCall } from '#server/calls/callContext.ts';
import { outcomeOf } from '#server/calls/writeOutcome.ts';
import { systemClock } from '#server/clock.ts';
import { TransportError } from '#server/upstream/exchange.ts';
import { createHttp } from '#server/upstream/http.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { silent, testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { parse, stringify } from '#contract/json.ts';
import { fingerprintInTurns, fingerprintOf } from '#server/calls/fingerprint.ts';

const body = {
  externalId: 'e',
  subscriptionId: 's',
  requestedExecutionDateTime: executionDate,
  payments: [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'n' } }],
};
const lost: Script = (response) => void response.destroy();
const token = { jwt: `e30.${Buffer.from('{"exp":4102444800}').toString('base64url')}.x` };

async function consoleWith(scripts: Record<string, Script>) {
  const service = await fakeUpstream(scripts);
  const server = await testConsole({ upstreamUrl: service.url, limits: { patience: { headers: 300 }, backOff: 1 } });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  return { service, server };
}

describe('The problem of a failed write', () => {
  it.each<[string, Script]>([
    ['is refused by 400', answering({ title: 'Bad', status: 400, code: 'No' }, 400)],
    ['is refused by 429', answering({ title: 'Too many', status: 429, code: 'No' }, 429)],
    ['is refused by 401, also with a new token', answering({ title: 'No', status: 401, code: 'No' }, 401)],
  ])('has the outcome "refused" when the write %s', async (_, script) => {
    const { server } = await consoleWith({ [endpoints.batches]: script });
    expect(await server.refused('createBatch', { body })).toMatchObject({ outcome: 'refused' });
  });

  it.each<[string, Script]>([
    ['is answered by 500', answering({ title: 'Oops', status: 500 }, 500)],
    ['is answered by 503', answering({ title: 'Busy', status: 503 }, 503)],
    ['is answered by 409', answering({ title: 'Conflict', status: 409, code: 'No' }, 409)],
    ['is answered by 408', answering({ title: 'Slow', status: 408, code: 'No' }, 408)],
    ['is answered by a redirect', answering('', 302)],
    ['is answered by what cannot be used', answering({ data: {} }, 201)],
    ['is not answered in time', () => undefined],
    ['is cut off', lost],
  ])('has the outcome "unknown" when the write %s', async (_, script) => {
    const { server } = await consoleWith({ [endpoints.batches]: script });
    expect(await server.refused('createBatch', { body, key: 'key' })).toMatchObject({ outcome: 'unknown' });
  });

  it('has the outcome "not-sent" if no token is available, and frees the key', async () => {
    const { server, service } = await consoleWith({ [endpoints.accessToken]: answering({ title: 'Oops' }, 500) });
    expect(await server.refused('createBatch', { body, key: 'key' })).toMatchObject({ outcome: 'not-sent' });
    service.scripts[endpoints.accessToken] = answering(token, 201);
    service.scripts[endpoints.batches] = answering({ data: { batchId: 'b', status: 'Received' } }, 201);
    await server.done('createBatch', { body: { ...body, externalId: 'f' }, key: 'key' });
    expect(service.askedFor(endpoints.batches)).toHaveLength(1);
  });

  it('has the outcome "not-sent" if the service refuses the connection', async () => {
    const server = await testConsole({ upstreamUrl: 'http://127.0.0.1:1' });
    expect(await server.refused('createOrganisation', { body: organisationBody })).toMatchObject({
      code: 'upstream-unreachable',
      outcome: 'not-sent',
    });
  });

  it('has the outcome "not-sent" if the console refuses the request', async () => {
    const server = await testConsole({ upstreamUrl: 'http://127.0.0.1:1' });
    const refusals = [
      await server.refused('createBatch', { body }),
      await server.refused('createBatch', { body: { ...body, payments: [] } }),
      await server.refused('createBatch', { body, headers: { 'idempotency-key': 'a key' } }),
      await server.refused('createBatch', { body, headers: { 'content-type': 'text/plain' } }),
      await server.refused('patchSubscription', { params: { subscriptionId: 's' }, body: {} as never }),
    ];
    for (const problem of refusals) expect(problem).toMatchObject({ outcome: 'not-sent' });
  });

  it('keeps the outcome "unknown" after a lost response if the repeat is refused or not sent', async () => {
    const { server, service } = await consoleWith({ [endpoints.batches]: lost });
    await server.refused('createBatch', { body, key: 'key' });
    service.scripts[endpoints.batches] = answering({ title: 'Bad', status: 400, code: 'No' }, 400);
    const refused = await server.refused('createBatch', { body, key: 'key' });
    expect(refused).toMatchObject({ outcome: 'unknown', repeat: 'refused' });
    service.scripts[endpoints.batches] = answering({ title: 'Who?', code: 'No' }, 401);
    service.scripts[endpoints.accessToken] = answering({ title: 'Oops' }, 500);
    const again = await server.refused('createBatch', { body, key: 'key' });
    expect(again).toMatchObject({ outcome: 'unknown', repeat: 'refused' });
    const unsent = await server.refused('createBatch', { body, key: 'key' });
    expect(unsent).toMatchObject({ outcome: 'unknown', repeat: 'not-sent' });
  });

  it.each([
    [500, 'unknown'],
    [201, 'refused'],
  ])(
    'of which a 401 may refuse only a copy, for its nonce, depends on its repeat: the token is answered with %i (wire 2.2.12)',
    async (status, outcome) => {
      const { server, service } = await consoleWith({
        [endpoints.createCompany]: (...exchange) => {
          service.scripts[endpoints.accessToken] = answering(status === 201 ? token : {}, status);
          return answering({ title: 'Used', code: 'No' }, 401)(...exchange);
        },
      });
      expect(await server.refused('createCompany', { body: companyBody('x') })).toMatchObject({ outcome });
      expect(service.askedFor(endpoints.createCompany)).toHaveLength(status === 201 ? 2 : 1);
    },
  );

  it('has an outcome for a PATCH without an idempotency key, and none for a GET', async () => {
    const { server } = await consoleWith({ [endpoints.subscriptions]: lost });
    const params = { subscriptionId: 's' };
    const change = { data: { suspendedByConsumer: true } };
    expect(await server.refused('patchSubscription', { params, body: change })).toMatchObject({ outcome: 'unknown' });
    expect(await server.refused('getSubscription', { params })).not.toHaveProperty('outcome');
  });
});

it('A write is tracked in the attempt of its call, whether or not that call is recorded (threat 3.19)', async () => {
  const call = newCall({});
  const transport = () => Promise.reject(new TransportError('cut-short', true, new Error('lost')));
  const http = createHttp({ transport, clock: systemClock, newId: () => 'i', log: silent });
  const lose = () => http.send({ method: 'POST', url: 'http://service.example/batchpayments' });
  await expect(runInCall(call, lose)).rejects.toThrow();
  expect(outcomeOf(call.attempt)).toBe('unknown');
});

/** The value with the members of its objects in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, turned(member)] as const);
  return Object.fromEntries(members.reverse());
}

/** Objects that share names, so that the same name has objects of several shapes. */
const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('', 'text', 0, -1.5, true, null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '1', '10', '2', '__proto__'), tie('value'), { maxKeys: 5 }),
}));

it('A request’s fingerprint ignores the order of object members and differs for any other change', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(fingerprintOf('name', turned(one))).toBe(fingerprintOf('name', one));
      expect(fingerprintOf('another', one)).not.toBe(fingerprintOf('name', one));
      const isSame = stringify(sorted(one)) === stringify(sorted(other));
      expect(fingerprintOf('name', one) === fingerprintOf('name', other)).toBe(isSame);
    }),
  );
});

// Fingerprints are stored: if they changed, a repeat would conflict with its own key.
it('A request’s fingerprint equals the one that earlier versions stored, taken at once or in turns', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      const text = `name ${stringify(sorted(one))}`;
      expect(fingerprintOf('name', one)).toBe(createHash('sha256').update(text).digest('hex'));
      expect(await fingerprintInTurns('name', one)).toBe(fingerprintOf('name', one));
    }),
  );
  const exact = parse('{"b":9007199254740993,"a":[{"z":120.50,"y":1},{"y":1,"z":120.50}]}');
  const text = 'name {"a":[{"y":1,"z":120.50},{"y":1,"z":120.50}],"b":9007199254740993}';
  expect(fingerprintOf('name', exact)).toBe(createHash('sha256').update(text).digest('hex'));
});

/** The value with sorted members, as earlier versions sorted them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
