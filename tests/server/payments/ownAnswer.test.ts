import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CallName } from '#contract/calls.ts';
import type { Created } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { createdBy } from '#server/upstream/writeReplies.ts';
import { batch, creatingWrites } from '#tests/support/creatingWrites.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, refusal, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';
import { integratorAt } from '#tests/support/integrator.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import type { Request } from '#tests/support/api.ts';

const own = batch('BBB');

/** A console of a company, and a service that answers with `script`. */
async function consoleWith(prefix: string, script: Script, folder = temporaryFolder()) {
  const service = await fakeUpstream({ [prefix]: script });
  const server = await testConsole({ upstreamUrl: service.url, folder });
  await server.store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    userJwt: unsignedJwt(),
    accountId: 'a',
  });
  return { server, service };
}

const ids = { organisationId: 'o', companyId: 'c' };

/** The batch that an answer is believed to have made. */
function madeBy(answer: object | string, headers: Record<string, string> = {}, sent: object = own): string {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const all = { 'content-type': 'application/json', ...headers };
  const reply = {
    status: 201,
    text,
    headers: all,
    bytes: () => Buffer.from(text),
    interactionId: 'mine',
    retryAfter: 0,
  };
  return createdBy(reply, 'createBatch', { ...sent, ...ids }).data.batchId;
}
const b = { batchId: 'b' };

describe('The answer to a batch', () => {
  it.each<[string, object, string?]>([
    ['has another externalId', { data: { ...b, externalId: 'AAA' } }],
    ['has another externalId beside its data', { externalId: 'AAA', data: b }],
    ['names another subscription', { data: { ...b, externalId: 'BBB', subscriptionId: 'another' } }],
    ['names another company', { data: { ...b, companyId: 'another' } }],
    ['names another organisation', { data: { ...b, organisationId: 'another' } }],
    ['names another company in its attributes', { data: { ...b, attributes: { companyId: 'another' } } }],
    ['has an externalId that is read as the same date', { data: { ...b, externalId: '2026-11-2' } }, '2026-1-12'],
    ['has an externalId with a blank elsewhere', { data: { ...b, externalId: '12 3' } }, '1 23'],
    ['has an externalId with another sign', { data: { ...b, externalId: 'run-*' } }, 'run-a'],
  ])('is not its own if it %s (behaviour 4.51; threat 3.30; wire 4.5)', (_, answer, externalId = 'BBB') => {
    expect(() => madeBy(answer, {}, { ...own, externalId })).toThrow(
      /^The answer is about another request: it has \S+ “.+”, the request had “.+”\./,
    );
  });

  it.each<[string, object, Record<string, string>?]>([
    ['another batchId beside its data', { batchId: 'other', data: b }],
    ['another batchId in another spelling', { data: { ...b, batch_id: 'other' } }],
    ['another batchId within a member', { data: b, meta: { created: { BatchID: 7 } } }],
    ['another batchId in its payments', { data: { ...b, payments: [{ batchId: 'b' }, { batchId: 'c' }] } }],
    ['the link of another batch', { data: b, links: { self: 'https://s/v3/batchpayments/other' } }],
    ['the link of another batch in its data', { data: { ...b, links: { self: { href: '/batchpayments/c?x=1' } } } }],
    ['the location of another batch', { data: b }, { location: '/v3/batchpayments/other/' }],
    ['a link to another batch in a header', { data: b }, { link: '</v3/batchpayments/c>; rel="self"' }],
    ['another batch in a header of any name', { data: b }, { 'x-resource': 'https://s/batchpayments/c' }],
    ['the content of another batch', { data: b }, { 'content-location': '/v3/batchpayments/other' }],
    ['another batch by a relation', { data: b, links: [{ rel: 'self', href: '/v3/batchpayments/other' }] }],
    ['another batch in a list of links', { data: b, _links: { self: [{ href: '/v3/batchpayments/other' }] } }],
    ['another batch in a list of texts', { data: b, links: { self: ['/v3/batchpayments/b', '/v3/batchpayments/c'] } }],
    [
      'another batch in a second link of a header',
      { data: b },
      { link: '</batchpayments/b>; a, </batchpayments/c>; a' },
    ],
    ['another batch in the first of two locations', { data: b }, { location: '/batchpayments/c, /batchpayments/b' }],
    ['another batch in a header of its name', { data: b }, { 'x-batch-id': 'other' }],
    ['another batch included', { data: b, included: [{ data: { batchId: 'other' } }] }],
  ])('is not believed if it names %s (behaviour 4.51; threat 3.30)', (_, answer, headers) => {
    expect(() => madeBy(answer, headers)).toThrow(/^The answer names two: “.+” \(.+\) and “.+” \(.+\)/);
  });

  it('is not believed if it has its batchId twice in one object (behaviour 4.51; threat 3.30)', () => {
    const twice = '{"data":{"batchId":"other","batchId":"b","status":"Received"}}';
    expect(() => madeBy(twice)).toThrow(/^The answer has the member “batchId” twice/);
  });

  it.each(['', ' ', '\t\n', '\u00a0', '\u200b', '\ufeff \u2060'])(
    'is not believed with a blank id: %j (threat 3.19)',
    (blank) => {
      expect(() => madeBy({ data: { batchId: blank } })).toThrow('lacks what its protocol promises');
    },
  );

  it.each<[string, object]>([
    [
      'B 1',
      {
        batchId: ' b 1 ',
        links: { self: 'https://s/v3/batchpayments/B%201', authorise: 'https://s/v3/batchpayments/other' },
        data: { batchId: 'B 1', batch_id: null, id: 'x', links: { self: '/x' } },
      },
    ],
    ['b', { data: { ...b, ...own, externalId: ' bbb ', requestedExecutionDateTime: '2026-11-21T00:00:00Z' } }],
    [
      'b',
      { data: { ...b, payments: own.payments.toReversed(), controlSum: 12.5, companyId: 'C', organisationId: null } },
    ],
    ['b', { data: { ...b, payments: [{ instructedAmount: { amount: '10', currency: 'gbp' } }, {}] } }],
    ['b', { data: { ...b, externalId: '', payments: null, subscriptionId: 'S', status: 'Received' } }],
  ])('is believed, whatever else it repeats in whatever form: %s of %j (wire 4.5)', (batchId, answer) => {
    expect(madeBy(answer)).toBe(batchId);
  });
});

describe('A batch whose answer', () => {
  it.each([
    [201, { data: b }],
    [422, refusal(422)],
  ])(
    'with status %i has the interaction id of another request has an unknown outcome (threat 3.30)',
    async (status, answer) => {
      const { server } = await consoleWith(
        endpoints.batches,
        (response) =>
          void response
            .writeHead(status, { 'content-type': 'application/json', 'x-fapi-interaction-id': randomUUID() })
            .end(JSON.stringify(answer)),
      );
      expect(await server.refused('createBatch', { body: own })).toMatchObject({
        outcome: 'unknown',
        errors: [{ path: 'x-fapi-interaction-id' }],
      });
    },
  );

  it.each([
    [201, { data: { batchId: 'b' } }],
    [422, refusal(422)],
  ])(
    'with status %i names another batch in a field after its chunks has an unknown outcome (wire 4.4, 4.5; threat 3.31)',
    async (status, answer) => {
      const { server } = await consoleWith(endpoints.batches, (response) => {
        response.writeHead(status, { 'content-type': 'application/json', trailer: 'Location' });
        response.write(JSON.stringify(answer));
        response.addTrailers({ location: '/v3/batchpayments/other' });
        response.end();
      });
      expect(await server.refused('createBatch', { body: own, key: 'key' })).toMatchObject({ outcome: 'unknown' });
    },
  );
});

describe.each(creatingWrites)('%s', (name, prefix, answer, request) => {
  const ask = name as 'createBatch'; // all are called alike
  const kind = name.slice('create'.length).toLowerCase() as Created; // the names differ only in this
  const requestOf = (turn: string) => request(turn) as Request<'createBatch'>;

  it('that is answered with an id of an earlier write has an unknown outcome, also after a restart and in another spelling (behaviour 4.51; threat 3.30)', async () => {
    const folder = temporaryFolder();
    const id = randomUUID();
    const { server } = await consoleWith(prefix, answering(answer(id), 201), folder);
    await server.done(ask, requestOf('AAA'));
    for (const [turn, again] of [
      ['BBB', id],
      ['CCC', id.toUpperCase()],
    ] as const) {
      const restarted = await consoleWith(prefix, answering(answer(again), 201), folder);
      const problem = await restarted.server.refused(ask, { ...requestOf(turn), key: turn });
      expect(problem).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
      expect(problem.detail).toContain('which the service has returned to an earlier request already');
    }
  });

  it('that is answered with an id of another user’s write has an unknown outcome (threat 3.30)', async () => {
    const { server } = await consoleWith(prefix, answering(answer('same'), 201));
    await server.storage.writes.noteCreated('another', { kind, id: 'same' }, 'a key of another workspace');
    expect(await server.refused(ask, requestOf('BBB'))).toMatchObject({ outcome: 'unknown' });
  });

  it('that is answered with an id that a program has received has an unknown outcome (threat 3.30)', async () => {
    for (const headers of [{}, { 'x-idempotency-key': randomUUID() }, { 'accept-encoding': 'gzip' }]) {
      const id = randomUUID();
      const zip = 'accept-encoding' in headers;
      const script: Script = (response) => {
        const text = JSON.stringify(answer(id));
        response.writeHead(201, { 'content-type': 'application/json', ...(zip && { 'content-encoding': 'gzip' }) });
        response.end(zip ? gzipSync(text) : text);
      };
      const { server, service } = await consoleWith(prefix, script);
      const program = await integratorAt(server.url);
      expect(await program.called('POST', prefix, headers, '{}')).toMatchObject({ status: 201 });
      service.scripts[prefix] = answering(answer(id.toUpperCase()), 201);
      const problem = await server.refused(ask, requestOf('BBB'));
      expect(problem).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
    }
  });

  it('is not suspected for an id that a program has only read, or was refused with', async () => {
    const { server, service } = await consoleWith(prefix, answering(answer('own'), 200));
    const program = await integratorAt(server.url);
    await program.called('GET', prefix);
    service.scripts[prefix] = answering(answer('own'), 409);
    await program.called('POST', prefix, {}, '{}');
    service.scripts[prefix] = answering(answer('own'), 201);
    expect(await server.call(ask, requestOf('BBB'))).toMatchObject({ ok: true });
  });
});

it.each([
  ['number', '{"data":{"batchId":12345678901234567890}}', '12345678901234567890'],
  ['text between blanks', JSON.stringify({ batchId: ` ${'x'.repeat(200)} ` }), 'X'.repeat(200)],
  ['text with a direction override', '{"batchId":"own\\u202e1"}', 'own\u202e1'],
  ['text after a byte order mark', '\ufeff{"batchId":"own"}', 'own'],
])(
  'A batch that is answered with an id that a program has received as a %s has an unknown outcome',
  async (_, text, batchId) => {
    const { server, service } = await consoleWith(
      endpoints.batches,
      (response) => void response.writeHead(201, { 'content-type': 'application/json' }).end(text),
    );
    await (await integratorAt(server.url)).called('POST', endpoints.batches, {}, '{}');
    service.scripts[endpoints.batches] = answering({ data: { batchId } }, 201);
    expect(await server.refused('createBatch', { body: own })).toMatchObject({ outcome: 'unknown' });
  },
);

/** What each answer says of another request. */
const ofOthers: Partial<Record<CallName, object>> = {
  createCompany: { companyId: 'x', externalId: 'another' },
  createOrganisation: { organisationId: 'x', primarySigningKey: 'k', externalId: 'another' },
  createAccount: { data: { id: 'x', attributes: { externalId: 'AAA' } } },
  createDataset: { data: { id: 'x', attributes: { externalId: 'other' } } },
  createSubscription: { data: { subscriptionId: 'x', organisationId: 'another' } },
  createBatch: { data: { batchId: 'x', companyId: 'another' } },
};
const data = { creditorId: randomUUID(), subscriptionId: 's', name: 'n', status: '', additionalData: '{}' };

it.each<[CallName, string, object, object]>([
  ...creatingWrites.map(([name, prefix, , request]): [CallName, string, object, object] => [
    name,
    prefix,
    ofOthers[name]!,
    request('BBB'),
  ]),
  [
    'patchSubscription',
    endpoints.subscriptions,
    { data: { subscriptionId: 'x' } },
    { params: { subscriptionId: 's' }, body: { data: { suspendedByConsumer: true } } },
  ],
  ['putCreditor', endpoints.messaging, { data: { subscriptionId: 'x' } }, { body: { data } }],
])(
  '%s that is answered about another request has an unknown outcome (behaviour 4.51; threat 3.30)',
  async (name, prefix, answer, request) => {
    const { server } = await consoleWith(prefix, answering(answer, 202));
    const problem = await server.refused(name as 'createCompany', request); // all are called alike
    expect(problem).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
    expect(problem.detail).toMatch(/^The answer is about another request/);
  },
);

it('A blank id of a batch is refused before anything is read', async () => {
  const { server, service } = await consoleWith(endpoints.batches, answering({ data: b }));
  const value = JSON.stringify([{ batchId: '\u200b', status: 'Received' }]);
  for (const reply of [
    await server.refused('getBatch', { params: { batchId: ' ' } }),
    await server.refused('setSetting', { body: { key: 'postedBatches', value } }),
    await server.refused('setSetting', { body: { key: 'batchId', value: '\u00a0' } }),
  ])
    expect(reply).toMatchObject({ status: 400 });
  expect(service.askedFor(endpoints.batches)).toEqual([]);
});
