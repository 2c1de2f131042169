import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CallName } from '#contract/calls.ts';
import type { Created } from '#contract/serviceCalls.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { account, batch, creatingWrites, dataset } from '#tests/support/creatingWrites.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
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

describe('A batch whose answer', () => {
  it.each<[string, object]>([
    ['has another externalId', { externalId: 'AAA' }],
    ['names another subscription', { externalId: 'BBB', subscriptionId: 'another' }],
    ['names another company', { companyId: 'another' }],
    ['names another organisation', { organisationId: 'another' }],
    ['names another company in its attributes', { attributes: { companyId: 'another' } }],
  ])(
    '%s has an unknown outcome, with the member that differs (behaviour 4.51; threat 3.30; wire 4.5)',
    async (_, repeated) => {
      const { server } = await consoleWith(endpoints.batches, answering({ data: { batchId: 'b', ...repeated } }, 201));
      const problem = await server.refused('createBatch', { body: own, key: 'key' });
      expect(problem).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
      expect(problem.detail).toMatch(/^The answer is about another request: it has \S+ “.+”, the request had “.+”\./);
      expect((await server.done('getFacts')).pendingPayments).toMatchObject([
        { externalId: 'BBB', lost: problem.detail },
      ]);
    },
  );

  it.each([
    ['2026-1-12', '2026-11-2'],
    ['1 23', '12 3'],
    ['run-a', 'run-*'],
  ])(
    'has for the externalId %j the other one %j has an unknown outcome (behaviour 4.51)',
    async (externalId, other) => {
      const script = answering({ data: { batchId: 'b', externalId: other } }, 201);
      const { server } = await consoleWith(endpoints.batches, script);
      expect(await server.refused('createBatch', { body: { ...own, externalId } })).toMatchObject({
        outcome: 'unknown',
        errors: [{ path: 'externalId' }],
      });
    },
  );

  it('has another externalId beside the data, or the interaction id of another request, has an unknown outcome (threat 3.30)', async () => {
    const beside = answering({ externalId: 'AAA', data: { batchId: 'b' } }, 201);
    const { server, service } = await consoleWith(endpoints.batches, beside);
    expect(await server.refused('createBatch', { body: own, key: 'key' })).toMatchObject({ outcome: 'unknown' });
    for (const [status, body] of [
      [201, { data: { batchId: 'b' } }],
      [422, refusal(422)],
    ] as const) {
      service.scripts[endpoints.batches] = (response) =>
        void response
          .writeHead(status, { 'content-type': 'application/json', 'x-fapi-interaction-id': randomUUID() })
          .end(JSON.stringify(body));
      expect(await server.refused('createBatch', { body: batch(`CCC ${status}`), key: `key-${status}` })).toMatchObject(
        {
          outcome: 'unknown',
          errors: [{ path: 'x-fapi-interaction-id' }],
        },
      );
    }
  });

  it.each<[string, object, Record<string, string>?]>([
    ['another batchId beside its data', { batchId: 'other', data: { batchId: 'b' } }],
    ['another batchId in another spelling', { data: { batchId: 'b', batch_id: 'other' } }],
    ['another batchId within a member', { data: { batchId: 'b' }, meta: { created: { BatchID: 7 } } }],
    ['another batchId in its payments', { data: { batchId: 'b', payments: [{ batchId: 'b' }, { batchId: 'c' }] } }],
    ['the link of another batch', { data: { batchId: 'b' }, links: { self: 'https://s/v3/batchpayments/other' } }],
    [
      'the link of another batch in its data',
      { data: { batchId: 'b', links: { self: { href: '/batchpayments/c?x=1' } } } },
    ],
    ['the location of another batch', { data: { batchId: 'b' } }, { location: '/v3/batchpayments/other/' }],
    ['a link to another batch in a header', { data: { batchId: 'b' } }, { link: '</v3/batchpayments/c>; rel="self"' }],
    [
      'another batch in a header of any name',
      { data: { batchId: 'b' } },
      { 'x-resource': 'https://s/batchpayments/c' },
    ],
    ['the content of another batch', { data: { batchId: 'b' } }, { 'content-location': '/v3/batchpayments/other' }],
    ['another batch included', { data: { batchId: 'b' }, included: [{ data: { batchId: 'other' } }] }],
  ])('names %s has an unknown outcome (behaviour 4.51; threat 3.30)', async (_, answer, headers = {}) => {
    const { server } = await consoleWith(
      endpoints.batches,
      (response) =>
        void response.writeHead(201, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer)),
    );
    const problem = await server.refused('createBatch', { body: own, key: 'key' });
    expect(problem).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
    expect(problem.detail).toMatch(/^The answer names two: “.+” \(.+\) and “.+” \(.+\)/);
  });

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

  it('names its batch in several places, or has a link to something else, is accepted', async () => {
    const links = { self: 'https://s/v3/batchpayments/B%201', authorise: 'https://s/v3/batchpayments/other' };
    const answer = {
      batchId: ' b 1 ',
      links,
      data: { batchId: 'B 1', batch_id: null, id: 'x', links: { self: '/x' } },
    };
    const { server } = await consoleWith(endpoints.batches, answering(answer, 201));
    expect((await server.done('createBatch', { body: own })).data.batchId).toBe('B 1');
  });

  it('has its batchId twice in one object has an unknown outcome (behaviour 4.51; threat 3.30)', async () => {
    const text = '{"data":{"batchId":"other","batchId":"b","status":"Received"}}';
    const { server } = await consoleWith(
      endpoints.batches,
      (response) => void response.writeHead(201, { 'content-type': 'application/json' }).end(text),
    );
    const problem = await server.refused('createBatch', { body: own, key: 'key' });
    expect(problem).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
    expect(problem.detail).toMatch(/^The answer has the member “batchId” twice/);
  });

  it('repeats its ids in other spellings, and whatever else in whatever form, is accepted (wire 4.5)', async () => {
    const answers = [
      { ...own, externalId: ' bbb ', requestedExecutionDateTime: '2026-11-21T00:00:00Z' },
      {
        payments: own.payments.toReversed(),
        numberOfPayments: '2',
        controlSum: 12.5,
        companyId: 'C',
        organisationId: null,
      },
      { payments: [{ instructedAmount: { amount: '10', currency: 'gbp' }, creditor: { creditorId: '****1' } }, {}] },
      { externalId: '', payments: null, subscriptionId: 'S', status: 'Received' },
    ];
    for (const [index, answer] of answers.entries()) {
      const { server } = await consoleWith(
        endpoints.batches,
        answering({ data: { ...answer, batchId: `b${index}` } }, 201),
      );
      expect((await server.done('createBatch', { body: own })).data.batchId).toBe(`b${index}`);
    }
  });
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

  it('that is answered with two ids has an unknown outcome (behaviour 4.51; threat 3.30)', async () => {
    const id = (of: string) => ({ ...answer(of), ...(answer(of) as { data?: object }).data });
    const collection = prefix.slice(prefix.lastIndexOf('/') + 1);
    for (const [index, two] of [
      { ...id('one'), data: id('two') },
      { ...id('one'), meta: id('one'), data: id('two') },
      { ...answer('one'), links: { self: `https://s/v3/${collection}/two` } },
    ].entries()) {
      const { server } = await consoleWith(prefix, answering(two, 201));
      const problem = await server.refused(ask, requestOf(`turn ${index}`));
      expect(problem).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
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

  it.each([
    ['number', '{"id":12345678901234567890}', '12345678901234567890'],
    ['text of 200 characters between blanks', JSON.stringify({ id: ` ${'x'.repeat(200)} ` }), 'X'.repeat(200)],
    ['text with a direction override', '{"id":"own\\u202e1"}', 'own\u202e1'],
    ['text after a byte order mark, not wrapped in data', '\ufeff{"id":"own"}', 'own'],
  ])('that is answered with an id that a program has received as a %s has an unknown outcome', async (_, text, id) => {
    const { server, service } = await consoleWith(prefix, (response) => {
      const [member = ''] = Object.keys((answer('') as { data?: object }).data ?? answer(''));
      response.writeHead(201, { 'content-type': 'application/json' }).end(text.replace('"id"', `"${member}"`));
    });
    const program = await integratorAt(server.url);
    await program.called('POST', prefix, {}, '{}');
    service.scripts[prefix] = answering(answer(id), 201);
    expect(await server.refused(ask, requestOf('BBB'))).toMatchObject({ outcome: 'unknown' });
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

it.each<[string, CallName, string, object, Request<'createCompany'>]>([
  [
    'createCompany',
    'createCompany',
    endpoints.createCompany,
    { companyId: 'x', externalId: 'another' },
    { body: companyBody('Own') },
  ],
  [
    'createOrganisation',
    'createOrganisation',
    endpoints.createOrganisation,
    { organisationId: 'x', primarySigningKey: 'k', externalId: 'another' },
    { body: organisationBody } as never,
  ],
  [
    'createAccount',
    'createAccount',
    endpoints.accounts,
    { data: { id: 'x', attributes: { externalId: 'AAA' } } },
    { body: account('BBB') } as never,
  ],
  [
    'createDataset',
    'createDataset',
    endpoints.datasets,
    { data: { id: 'x', attributes: { externalId: 'other' } } },
    { body: dataset('BBB') } as never,
  ],
  [
    'createSubscription',
    'createSubscription',
    pathOf('createSubscription', 'o'),
    { data: { subscriptionId: 'x', organisationId: 'another' } },
    { body: { data: { providerId: 'p', additionalData: '{}' } } } as never,
  ],
  [
    'patchSubscription',
    'patchSubscription',
    endpoints.subscriptions,
    { data: { subscriptionId: 'x' } },
    { params: { subscriptionId: 's' }, body: { data: { suspendedByConsumer: true } } } as never,
  ],
  [
    'putCreditor',
    'putCreditor',
    endpoints.messaging,
    { data: { subscriptionId: 'x' } },
    {
      body: { data: { creditorId: randomUUID(), subscriptionId: 's', name: 'n', status: '', additionalData: '{}' } },
    } as never,
  ],
])(
  '%s that is answered about another request has an unknown outcome (behaviour 4.51; threat 3.30)',
  async (_, name, prefix, answer, request) => {
    const { server } = await consoleWith(prefix, answering(answer, 202));
    const problem = await server.refused(name as 'createCompany', request);
    expect(problem).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
    expect(problem.detail).toMatch(/^The answer is about another request/);
  },
);
