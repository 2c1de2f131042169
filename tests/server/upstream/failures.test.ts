import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Problem } from '#contract/problem.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';
import { clientOf, company, health, problemOf } from '#tests/support/client.ts';
import { operationOf } from '#contract/serviceCalls.ts';
import type { Upstream } from '#server/upstream/client.ts';
import { timeouts, type TimeoutClass } from '#server/upstream/timeouts.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const healthy = { ...health, status: 'Up', httpStatus: 200 };

const json = { 'content-type': 'application/json' };
const limits = { patience: { headers: 150, body: 150, total: 600 }, backOff: 1, budget: 200, bytes: 1024 * 1024 };

const refusing =
  (status: number, headers: Record<string, string> = {}): Script =>
  (response) =>
    void response
      .writeHead(status, { ...json, ...headers })
      .end(JSON.stringify({ title: `Status ${status}`, status, errors: [{ path: 'bank', message: 'no' }] }));

/** Bytes sent by endless answers. */
let sent = 0;
function* pieces() {
  for (const piece = Buffer.alloc(64 * 1024, ' '); sent < 5 * 1024 ** 3; sent += piece.length) yield piece;
}
const endless: Script = (response) =>
  void Readable.from(pieces()).pipe(response.writeHead(200, { ...json, 'content-length': 5 * 1024 ** 3 }));

const cut: Script = (response) => {
  response.writeHead(200, { ...json, 'content-length': 100 });
  response.write('{"version":"1"', () => response.destroy());
};
const deep: Script = (response) =>
  void response
    .writeHead(200, json)
    .end(`{"version":"1","branch":"b","name":"n","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
const html: Script = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
const redirect: Script = (response) => void response.writeHead(302, { location: '/v3/elsewhere' }).end();

/** Compressed, whatever the request accepts. */
const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 1]);
const gzipped =
  (status: number): Script =>
  (response) =>
    void response.writeHead(status, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(health)));

const invalid = (detail: string) => ({ code: 'upstream-invalid', status: 502, detail }) as const;

const page = '<h1>A page of a proxy</h1>';

/** `written`: what the problem of a write has instead, because the answer does not say that nothing was done. */
type Row = [what: string, script: Script, expected: Partial<Problem>, written?: Partial<Problem>];
const undecided = { code: 'upstream-invalid', status: 502, outcome: 'unknown' } as const;
const evidence = (status: number) => ({ upstream: { status, body: expect.stringContaining('Status') as string } });

const broken: Row[] = [
  ['hangs up without an answer', (response) => void response.destroy(), { code: 'upstream-unreachable', status: 502 }],
  ['sends no headers in time', () => undefined, { code: 'upstream-timeout', status: 504 }],
  ['cuts the body short', cut, { code: 'upstream-invalid', status: 502 }],
  [
    'speaks no HTTP',
    (response) => void response.socket?.end('SSH-2.0-x\r\n'),
    { code: 'upstream-invalid', status: 502 },
  ],
  [
    'sends invalid JSON',
    (response) => void response.writeHead(200, json).end('{"a":'),
    invalid('Expected JSON, received application/json that is incomplete or wrong.'),
  ],
  [
    'sends nothing',
    (response) => void response.writeHead(200, json).end(),
    invalid('Expected JSON, received no body (status 200).'),
  ],
  [
    'answers 204 where a body is needed',
    (response) => void response.writeHead(204).end(),
    invalid('Expected JSON, received no body (status 204).'),
  ],
  [
    'compresses its JSON as nobody can read',
    (response) => void response.writeHead(200, { ...json, 'content-encoding': 'zstd' }).end(zstd),
    invalid(expect.stringContaining('is compressed (zstd)') as string),
  ],
  [
    'compresses its refusal',
    gzipped(422),
    { code: 'upstream-refused', status: 422, upstream: { status: 422, body: JSON.stringify(health) } },
    undecided,
  ],
  ['sends JSON of another shape', answering({ branch: 'secret' }), { code: 'upstream-invalid', status: 502 }],
  ['nests its JSON without end', deep, { code: 'upstream-invalid', status: 502 }],
  ['sends an HTML page', html, invalid('Expected JSON, received text/html.')],
  ['redirects', redirect, { code: 'upstream-invalid', status: 502, upstream: { status: 302, body: '' } }],
  ['sends 5 GB', endless, { code: 'upstream-invalid', status: 502 }],
  ['answers 400', refusing(400), { code: 'upstream-refused', status: 400, ...evidence(400) }],
  ['answers 401 again and again', refusing(401), { code: 'key-rejected', status: 401, ...evidence(401) }],
  ['answers 403', refusing(403), { code: 'upstream-forbidden', status: 403, ...evidence(403) }],
  ['answers 404', refusing(404), { code: 'not-found', status: 404, ...evidence(404) }],
  ['answers 409', refusing(409), { code: 'upstream-conflict', status: 409, ...evidence(409) }],
  [
    'answers 409 without a full stop',
    answering({ title: 'Busy', status: 409, code: 'Busy', detail: 'It is busy' }, 409),
    { code: 'upstream-conflict', status: 409 },
    {
      code: 'upstream-conflict',
      status: 409,
      detail: expect.stringContaining('It is busy. This does not say') as string,
    },
  ],
  [
    'answers 422 with details',
    refusing(422),
    { code: 'upstream-refused', status: 422, errors: [{ path: 'bank', message: 'no' }] },
  ],
  [
    'answers 429 with Retry-After',
    refusing(429, { 'retry-after': '7' }),
    { code: 'upstream-busy', status: 429, retryAfter: 7 },
  ],
  ...[407, 408, 421, 425].map((status): Row => [
    `answers ${status}, which browsers and proxies would take for their own`,
    (response) => void response.writeHead(status).end(),
    {
      code: 'upstream-failed',
      status: 502,
      upstream: { status, body: '' },
      detail: expect.stringContaining(`(status ${status})`) as string,
    },
    undecided,
  ]),
  ...Object.entries({ 400: page, 404: page, 410: '', 422: '[]', 499: '{"code":"No"}' }).map(([status, body]): Row => [
    `answers ${status} with ${body || 'nothing'}, which may be a proxy's (wire 4.9)`,
    (response) => void response.writeHead(Number(status)).end(body),
    { code: 'upstream-failed', status: 502, upstream: { status: Number(status), body } },
    undecided,
  ]),
  [
    'answers 429 until the year 9999',
    refusing(429, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }),
    { code: 'upstream-busy', status: 429, retryAfter: 86_400 },
  ],
  [
    'answers 429 for more seconds than there are',
    refusing(429, { 'retry-after': '9'.repeat(30) }),
    { code: 'upstream-busy', status: 429, retryAfter: 86_400 },
  ],
  ['answers 500', refusing(500), { code: 'upstream-failed', status: 502, ...evidence(500) }],
  ['answers 503', refusing(503), { code: 'upstream-busy', status: 503, ...evidence(503) }],
];

describe('A service that', () => {
  it.each(broken)(
    '%s is reported by a matching problem on reads and writes, and the console keeps working (threat 3.1, 3.3, 3.21)',
    async (_, script, expected, written = {}) => {
      sent = 0;
      const { consumerStatus, createOrganisation } = endpoints;
      const service = await fakeUpstream({ [consumerStatus]: script, [createOrganisation]: script });
      const server = await testConsole({ upstreamUrl: service.url, limits });

      expect(await server.refused('getConsumerHealth')).toMatchObject(expected);
      const reply = await server.call('createOrganisation', { body: organisationBody, key: 'key' });
      const problem = { ...expected, ...written };
      expect(reply).toMatchObject({ ok: false, status: problem.status, problem });
      expect(reply.headers.get('content-type')).toContain('application/problem+json');
      expect(reply.headers.get('retry-after')).toBe(
        expected.retryAfter === undefined ? null : String(expected.retryAfter),
      );
      // Signed once more with another nonce after a 401 (wire, section 2.2).
      expect(service.askedFor(createOrganisation)).toHaveLength(problem.status === 401 ? 2 : 1);
      expect(sent).toBeLessThan(64 * 1024 ** 2);
      expect(JSON.stringify(reply)).not.toContain('secret');

      service.scripts[consumerStatus] = answering(health);
      expect((await server.done('getConsumerHealth')).data).toEqual(healthy);
    },
  );

  it.each([
    ['refuses connections', 'http://127.0.0.1:1', /nothing listens there/],
    ['has no address', 'http://nowhere.invalid', /its name (is not known|cannot be looked up)/],
  ])('%s is reported as upstream-unreachable, with the cause', async (_, upstreamUrl, detail) => {
    const server = await testConsole({ upstreamUrl, limits });
    expect(await server.refused('getConsumerHealth')).toMatchObject({
      code: 'upstream-unreachable',
      status: 502,
      detail: expect.stringMatching(detail) as string,
    });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe('Retries of requests to the service', () => {
  const onceBusy = (headers = {}): Script => {
    let times = 0;
    return (response, asked) => ((times += 1) === 1 ? refusing(503, headers) : answering(health))(response, asked);
  };

  it('are made for reads, each with a new interaction id (wire 3.1)', async () => {
    const service = await fakeUpstream({ [endpoints.consumerStatus]: onceBusy() });
    expect(await clientOf(service.url).health('consumer')).toEqual(healthy);
    expect(new Set(service.asked.map(({ headers }) => headers['x-fapi-interaction-id'])).size).toBe(2);
  });

  it.each([
    ['in seconds', { 'retry-after': '1' }],
    [
      'until a time of its own clock, which is years behind',
      { date: 'Tue, 01 Jan 2019 00:00:00 GMT', 'retry-after': 'Tue, 01 Jan 2019 00:00:01 GMT' },
    ],
    [
      'until a time of its own clock, in an answer that a cache has kept for an hour',
      { date: 'Tue, 01 Jan 2019 00:00:00 GMT', age: '3600', 'retry-after': 'Tue, 01 Jan 2019 01:00:01 GMT' },
    ],
  ])('wait as long as Retry-After says: %s', async (_, headers) => {
    const service = await fakeUpstream({ [endpoints.consumerStatus]: onceBusy(headers) });
    const started = performance.now();
    expect(await clientOf(service.url).health('consumer')).toEqual(healthy);
    expect(performance.now() - started).toBeGreaterThanOrEqual(900);
  });

  it('are not made if Retry-After exceeds the time budget (threat 3.4)', async () => {
    const service = await fakeUpstream({ [endpoints.consumerStatus]: onceBusy({ 'retry-after': '3600' }) });
    expect(await problemOf(clientOf(service.url).health('consumer'))).toMatchObject({ retryAfter: 3600 });
    expect(service.asked).toHaveLength(1);
  });

  it('end after three attempts', async () => {
    const service = await fakeUpstream({ [endpoints.consumerStatus]: refusing(503) });
    expect(await problemOf(clientOf(service.url).health('consumer'))).toMatchObject({ code: 'upstream-busy' });
    expect(service.asked).toHaveLength(3);
  });

  it('are never made for writes (threat 3.4)', async () => {
    const service = await fakeUpstream({ [endpoints.batches]: answering({}, 503) });
    const batch = { externalId: 'e', requestedExecutionDateTime: 'd', payments: [] };
    await problemOf(clientOf(service.url).createBatch(company, batch, 'key'));
    expect(service.askedFor(endpoints.batches)).toHaveLength(1);
  });
});

const organisation = { organisationId: company.organisationId, signingKey: company.signingKey };
const scope = { country: 'GB', language: 'en' };
const batch = { externalId: 'e', requestedExecutionDateTime: executionDate, payments: [] };
const subscription = { data: { providerId: 'p', additionalData: '{}' } };
const body = { data: {} } as never; // not read, because no response follows

/** Each request of the client, and its time-out class. */
const asking: Readonly<
  Record<
    Exclude<keyof Upstream, 'partOf' | 'lab' | 'example' | 'serviceClock'>,
    [TimeoutClass, (client: Upstream, url: string) => Promise<unknown>]
  >
> = {
  createOrganisation: ['usual', (client) => client.createOrganisation(body, 'key')],
  createCompany: ['usual', (client) => client.createCompany(organisation, body, 'key')],
  token: ['usual', (client) => client.token(company)],
  provenToken: ['usual', (client) => client.provenToken(company)],
  freshToken: ['usual', (client) => client.freshToken(company)],
  createAccount: ['usual', (client) => client.createAccount(unsignedJwt(), body, 'key')],
  createDataset: ['usual', (client) => client.createDataset(unsignedJwt(), body, 'key')],
  userInfo: ['usual', (client) => client.userInfo(unsignedJwt())],
  send: ['usual', (client) => client.send(company, 'creditorputs', body, 'key')],
  providers: ['usual', (client) => client.providers(scope)],
  provider: ['usual', (client) => client.provider('p', 'en')],
  localInstruments: ['usual', (client) => client.localInstruments('en')],
  fileFormats: ['usual', (client) => client.fileFormats(scope)],
  translation: ['usual', (client) => client.translation('key', 'en')],
  health: ['usual', (client) => client.health('consumer')],
  banks: ['banks', (client) => client.banks()],
  createSubscription: ['createSubscription', (client) => client.createSubscription(company, subscription, 'key')],
  subscription: ['subscription', (client) => client.subscription(company, 's')],
  patchSubscription: ['patchSubscription', (client) => client.patchSubscription(company, 's', body)],
  createBatch: ['createBatch', (client) => client.createBatch(company, batch, 'key')],
  batch: ['batch', (client) => client.batch(company, 'b')],
  paymentFile: ['paymentFile', (client, url) => client.paymentFile(`${url}/files/f`)],
};

describe('The time-out of a request to the service', () => {
  it('is 100 s if the service may ask the bank, and less than 30 s if it asks none', () => {
    for (const asked of [
      'banks',
      'createSubscription',
      'subscription',
      'patchSubscription',
      'createBatch',
      'batch',
    ] as const) {
      expect(timeouts[asked].headers, asked).toBe(100_000);
      expect(timeouts[asked].total, asked).toBeGreaterThan(100_000);
    }
    expect(timeouts.usual.headers).toBeLessThan(30_000);
  });

  it.each(Object.entries(asking))('is that of its time-out class: %s (wire 13.1)', async (name, [asked, ask]) => {
    // Tokens are issued at once; nothing else gets a response.
    const service = await fakeUpstream({ '/': () => undefined });
    if (/token/i.test(name)) service.scripts[endpoints.accessToken] = () => undefined;
    const short = { headers: 300, body: 300, total: 300 };
    const client = clientOf(service.url, { table: { ...timeouts, [asked]: short } });
    expect((await problemOf(ask(client, service.url))).code).toBe('upstream-timeout');
    expect(service.asked.length).toBeGreaterThan(0);
    expect(service.asked.map(({ method, path }) => operationOf(method, path))).not.toContain(undefined); // serviceCalls.ts names it
  });
});
