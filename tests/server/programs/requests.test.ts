import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gzipSync } from 'node:zlib';
import { programTokenHeader } from '#contract/programs.ts';
import { jsonLimits } from '#server/http/json.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask, common, organisation } from '#tests/support/integrator.ts';
import { listening } from '#tests/support/listen.ts';
import { guess, problemOf, scripted } from '#tests/support/programs.ts';
import { sandboxCredentials as credentials } from '#tests/support/sandboxCredentials.ts';
import { apiAt } from '#tests/support/api.ts';

/** Sends raw bytes and returns the whole response. */
async function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(bytes);
  const ended = text(socket).catch(() => '');
  return Promise.race([ended, wait(3000).then(() => 'nothing')]);
}

describe('A program’s request through the console', () => {
  it.each([
    '/program',
    '/program/',
    '/program/sandbox/clock',
    '/program/idp/authorize',
    '/program/v3',
    '/program/v3/../sandbox/clock',
    '/program/v3/%2e%2e/sandbox/clock',
    '/program/v3/.%2E/sandbox/clock',
    '/program/v3/%252e%252e/sandbox/clock',
    '/program/v3/..;/sandbox/clock',
    '/program/v3/..%2fsandbox',
    '/program/v3/..%5csandbox',
    '/program/v3//sandbox',
    '/program//v3/providers',
    '/program/v3/a%00b',
    '/program/v3/%zz',
    '/program/v3/a#/b',
    '/program/v3/provid\\..\\x',
    '/program@evil.example/v3/',
    '/program/http://evil.example/v3/',
    '/program/%68ttp:%2f%2fevil.example/v3/',
    '/program/V3/providers',
  ])('is refused for a path outside the protocol: %s (threat 6.25)', async (path) => {
    const { program, url, upstream } = await scripted({ '/': answering({}) });
    const { status } = await ask(url, 'GET', path, { [programTokenHeader]: program.token });
    expect([400, 404]).toContain(status);
    expect(upstream.asked).toEqual([]);
  });

  it('reaches no other host, whatever its request line or Host header says (threat 6.25)', async () => {
    let reached = 0;
    const evil = await listening((_request, response) => void response.end(String((reached += 1))));
    const { program, url, upstream } = await scripted({ '/v3/': answering({}) });
    const token = `${programTokenHeader}: ${program.token}\r\n`;
    const host = `Host: ${new URL(url).host}\r\n`;
    const lines = [
      `GET ${evil}/program/v3/providers HTTP/1.1\r\n${host}`,
      `GET ${url.replace('http://', 'http://user@')}/program/v3/providers HTTP/1.1\r\n${host}`,
      `CONNECT ${new URL(evil).host} HTTP/1.1\r\n${host}`,
      `GET /program/v3/providers HTTP/1.1\r\nHost: ${new URL(evil).host.replace('127.0.0.1', 'evil.example')}\r\n`,
      `OPTIONS * HTTP/1.1\r\n${host}`,
      `OPTIONS /program/v3/providers HTTP/1.1\r\n${host}Origin: http://evil.example\r\nAccess-Control-Request-Headers: x-console-token\r\n`,
      `TRACE /program/v3/providers HTTP/1.1\r\n${host}`,
    ];
    for (const line of lines) {
      const answer = await raw(url, `${line}${token}Connection: close\r\n\r\n`);
      expect(answer, line).toMatch(/^$|^HTTP\/1.1 (4|204|501)/);
      expect(answer.toLowerCase()).not.toContain('access-control-allow');
    }
    expect([reached, upstream.asked]).toEqual([0, []]);
    const { status } = await program.called('GET', '/v3/providers', { 'x-forwarded-host': 'evil.example' });
    expect([status, upstream.asked[0]?.headers.host]).toEqual([200, new URL(upstream.url).host]);
  });

  it('is forwarded unchanged but without hop-by-hop headers, cookies and program token (behaviour 7.10; threat 6.26)', async () => {
    const { program, upstream } = await scripted({ '/v3/': answering({}) });
    await program.called(
      'POST',
      '/v3/batchpayments?a=1&a=%20&b=',
      {
        ...common,
        connection: 'x-hop, close',
        'x-hop': '1',
        te: 'trailers',
        'keep-alive': 'timeout=1',
        'proxy-authorization': 'Basic eA==',
        cookie: 'session=1',
        'x-multiple': ['a', 'b'],
        'x-console-call': 'forged',
        authorization: 'Basic eA==',
      },
      '{"a": 1.10}',
    );
    const [{ path, body, headers }] = upstream.asked as [(typeof upstream.asked)[number]]; // one call was made
    expect([path, body]).toEqual(['/v3/batchpayments?a=1&a=%20&b=', '{"a": 1.10}']);
    expect(headers).toMatchObject({
      ...common,
      'x-multiple': 'a, b',
      authorization: 'Basic eA==',
      'content-length': '11',
    });
    for (const name of ['x-hop', 'te', 'proxy-authorization', 'cookie', 'x-console-call', programTokenHeader])
      expect(headers).not.toHaveProperty(name);
    expect(JSON.stringify(upstream.asked)).not.toContain(program.token);
  });

  it('carries none of the console’s own credentials (threat 6.24)', async () => {
    const { program, upstream } = await scripted({ '/': answering({}) });
    for (const path of ['/v3/providers', endpoints.accessToken, '/api-msg-v1/status', '/network-v1/accounts'])
      await program.called('GET', path);
    const all = JSON.stringify(upstream.asked);
    expect(upstream.asked).toHaveLength(4);
    for (const each of [credentials.apiKey, credentials.signingKey, credentials.applicationId, header.signature])
      expect(all).not.toContain(each);
  });

  it('goes to the host and base path that a live service has for its path', async () => {
    const hosts = await Promise.all([0, 1, 2, 3].map(() => fakeUpstream({ '/': answering({}) })));
    const [baseUrl = '', authUrl = '', messagingUrl = '', networkUrl = ''] = hosts.map(({ url }) => url);
    const changes = { environment: 'live' as const, baseUrl: `${baseUrl}/own/`, authUrl, messagingUrl, networkUrl };
    const { program } = await scripted({}, { changes });
    for (const path of ['/v3/providers', '/auth-v1/accessToken', '/api-msg-v1/status', '/network-v1/accounts'])
      expect((await program.called('GET', path)).status).toBe(200);
    const asked = hosts.map((host) => host.asked.map(({ path }) => path));
    expect(asked).toEqual([
      ['/own/v3/providers'],
      ['/auth-v1/accessToken'],
      ['/api-msg-v1/status'],
      ['/network-v1/accounts'],
    ]);
    for (const path of ['/files/x', '/idp/userinfo', '/own/v3/providers'])
      expect((await program.called('GET', path)).status).toBe(404);
  });

  it('cannot smuggle a second request (threat 6.26)', async () => {
    const { program, url, upstream } = await scripted({ '/v3/': answering({}) });
    const head = `POST /program/v3/batchpayments HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${programTokenHeader}: ${program.token}\r\n`;
    const second = 'GET /v3/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const framing of [
      `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
      `Content-Length: 0\r\nContent-Length: ${second.length}\r\n\r\n${second}`,
      `Transfer-Encoding: xchunked\r\n\r\n${second}`,
      `X-A: b\r\n Content-Length: ${second.length}\r\n\r\n${second}`,
    ])
      await raw(url, `${head}Connection: close\r\n${framing}`);
    expect(upstream.asked.filter(({ path }) => path.includes('smuggled'))).toEqual([]);
  });

  it('is refused with 413 if its body is too large, with or without Content-Length (threat 6.28)', async () => {
    const { program, upstream, url } = await scripted({ '/v3/': answering({}) });
    const large = Buffer.alloc(jsonLimits.batch.bytes + 1, 'x');
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const { status, entry } = await program.called('POST', '/v3/batchpayments', headers, large);
      expect([status, (await entry()).wrong?.join()]).toEqual([413, expect.stringContaining('larger than') as string]);
    }
    expect((await ask(url, 'POST', '/program/v3/batchpayments', guess, large)).status).toBe(401);
    expect(upstream.asked).toEqual([]);
    expect((await program.called('POST', '/v3/batchpayments', {}, large.subarray(1))).status).toBe(200);
  });

  it('gets a problem if the service times out, disconnects or responds invalidly (behaviour 7.13)', async () => {
    const limits = { patience: { headers: 100, total: 200 }, bytes: 5000 };
    const { program } = await scripted(
      {
        '/v3/silent': () => undefined,
        '/v3/reset': (response) => void response.destroy(),
        '/v3/cut': (response) =>
          void response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy()),
        '/v3/endless': (response) => void response.end('x'.repeat(6000)),
        '/v3/noise': (response) => void response.socket?.end('noise\r\n\r\n'),
      },
      { limits },
    );
    for (const [path, status, code] of [
      ['/v3/silent', 504, 'upstream-timeout'],
      ['/v3/reset', 502, 'upstream-unreachable'],
      ['/v3/noise', 502, 'upstream-invalid'],
      ['/v3/cut', 502, 'upstream-invalid'],
      ['/v3/endless', 502, 'upstream-invalid'],
    ] as const) {
      const answered = await program.called('GET', path);
      expect(problemOf(answered)).toMatchObject({ status, code });
      expect(await answered.entry()).toMatchObject({ status: 0, reason: problemOf(answered).detail });
    }
    const lost = await program.called('POST', '/v3/silent', {}, '{}');
    expect(problemOf(lost)).toMatchObject({ status: 504, outcome: 'unknown' });
  });

  it('is aborted at the service when the program disconnects, and recorded so (threat 6.28)', async () => {
    let gone = 0;
    const { program, url, upstream } = await scripted({
      '/v3/silent': (response) => void response.on('close', () => (gone += 1)),
      '/v3/providers': answering({}),
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `GET /program/v3/silent HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${programTokenHeader}: ${program.token}\r\n\r\n`,
    );
    await eventually(() => Promise.resolve(expect(upstream.asked).toHaveLength(1)));
    socket.destroy();
    await eventually(() => Promise.resolve(expect(gone).toBe(1)));
    const { data } = await eventually(async () => {
      const found = await program.api.done('getTimeline', { query: { kind: 'program', text: 'silent' } });
      expect(found.data).toHaveLength(1);
      return found;
    });
    expect(data[0]).toMatchObject({ status: 0, reason: 'The program hung up before the answer was complete.' });
    expect((await program.called('GET', '/v3/providers')).status).toBe(200);
  });

  it('is refused with 429 while 16 others are pending (threat 6.28)', async () => {
    const waiting: (() => void)[] = [];
    const { program } = await scripted({ '/v3/': (response) => void waiting.push(() => response.end('{}')) });
    const calls = Array.from({ length: 16 }, () => program.called('GET', '/v3/providers'));
    await eventually(() => Promise.resolve(expect(waiting).toHaveLength(16)));
    expect(problemOf(await program.called('GET', '/v3/providers'))).toMatchObject({ status: 429 });
    waiting.forEach((answer) => answer());
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('leaves no program token in the logs (threat 6.29)', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const { program } = await scripted({ '/v3/reset': (response) => void response.destroy() }, { log });
    await program.called('GET', `/v3/reset?token=${program.token}`);
    await program.called('GET', `/v3/..?token=${program.token}`);
    expect(lines.join('')).toContain('/program/*');
    expect(lines.join('')).not.toContain(program.token.slice(program.made.beginning.length));
  });
});

/** Headers with which an answer would affect the console's own origin in a browser. */
const ofOrigin = [
  'set-cookie',
  'clear-site-data',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'x-frame-options',
  'vary',
  'age',
  'strict-transport-security',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'cross-origin-embedder-policy',
  'origin-agent-cluster',
  'document-policy',
  'no-vary-search',
  'refresh',
  'link',
  'content-location',
  'sourcemap',
  'x-sourcemap',
  'report-to',
  'reporting-endpoints',
  'nel',
  'service-worker-allowed',
  'alt-svc',
  'accept-ch',
  'critical-ch',
  'supports-loading-mode',
  'set-login',
  'speculation-rules',
  'x-robots-tag',
  'x-xss-protection',
  'server',
  'x-powered-by',
  'timing-allow-origin',
  'server-timing',
  'x-dns-prefetch-control',
];

/** Headers that would steer a proxy or a cache before the console, or contradict those of the console. */
const ofProxy = [
  'cache-control',
  'expires',
  'pragma',
  'surrogate-control',
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'x-accel-redirect',
  'x-accel-expires',
  'x-sendfile',
  'x-lighttpd-send-file',
  'x-reproxy-url',
  'edge-control',
  'content-security-policy',
  'content-security-policy-report-only',
  'x-content-type-options',
];

const harmless = {
  'content-type': 'text/html',
  'x-ratelimit-remaining': '7',
  etag: '"1"',
  'retry-after': '3',
  'content-digest': 'sha-256=:eA==:',
  'x-jws-signature': 'a..b',
};

/** A program of a service that sends all of these headers. */
const withAllHeaders = () =>
  scripted({
    '/v3/': (response) =>
      void response
        .writeHead(200, {
          ...Object.fromEntries([...ofOrigin, ...ofProxy].map((name) => [name, 'from the service'])),
          ...harmless,
          connection: 'x-gone, close',
          'x-gone': 'from the service',
        })
        .end('<script>1</script>'),
  });

const fromService = (headers: object) =>
  Object.entries(headers).flatMap(([name, value]) => (String(value).includes('from the service') ? [name] : []));

const masking = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/) as string,
};

describe('The response to a program', () => {
  it.each([
    ['sec-fetch-site', 'none'],
    ['sec-fetch-mode', 'cors'],
    ['origin', 'moz-extension://x'],
    ['user-agent', 'Mozilla/5.0 (X11)'],
  ])(
    'has no header that affects the console’s origin, in a browser, known by its %s (threat 6.27)',
    async (name, value) => {
      const { program } = await withAllHeaders();
      const { headers, answer } = await program.called('GET', '/v3/providers', { [name]: value });
      expect(answer).toBe('<script>1</script>');
      expect(headers).toMatchObject({ ...harmless, ...masking });
      expect(fromService(headers)).toEqual([]);
    },
  );

  it('has no header that steers a proxy or a cache before the console, and all others (threat 6.27)', async () => {
    const { program } = await withAllHeaders();
    const { headers } = await program.called('GET', '/v3/providers', { 'user-agent': 'node' });
    expect(headers).toMatchObject({ ...harmless, ...masking });
    expect(fromService(headers).sort()).toEqual([...ofOrigin].sort());
  });

  it('is forwarded byte for byte, also compressed, and decoded for the timeline (behaviour 7.10)', async () => {
    const zipped = gzipSync(
      '{"detail":"Rules are broken","errors":[{"path":"a","ruleId":"r-1","message":"too long"}]}',
    );
    const bytes = Buffer.from([0, 255, 254, 10, 13, 0]);
    const { program } = await scripted({
      '/v3/zipped': (response) => void response.writeHead(422, { 'content-encoding': 'gzip' }).end(zipped),
      '/v3/bytes': (response) => void response.writeHead(200, { 'x-request-id': 'caf\u00e9' }).end(bytes),
      '/v3/long': (response) => void response.end('x'.repeat(3_000_000)),
    });
    const refused = await program.called('GET', '/v3/zipped');
    expect([refused.status, refused.bytes.equals(zipped)]).toEqual([422, true]);
    expect((await refused.entry()).wrong).toContain('Rule r-1 is broken: a: too long');
    const odd = await program.called('GET', '/v3/bytes');
    expect([odd.bytes.equals(bytes), odd.headers['x-request-id']]).toEqual([true, 'caf\u00e9']);
    const long = await program.called('GET', '/v3/long');
    expect(long.bytes).toHaveLength(3_000_000);
    expect((await long.entry()).response).toMatchObject({ bytes: 3_000_000, truncated: true });
  });
});

describe('A program’s request to a live service', () => {
  it('is recorded with missing headers, broken rules and signature faults (behaviour 7.11)', async () => {
    const refused = answering({ error: { code: 'x', message: 'No.' } }, 401);
    const { program, upstream } = await scripted({
      '/auth-v1/': refused,
      [endpoints.accessToken]: refused,
      '/v3/': refused,
      '/v3/batchpayments/': answering({
        data: {},
        error: { detail: [{ ruleId: 'r-9', target: 'reference', message: 'too long' }] },
      }),
    });
    const wrong = async (calling: ReturnType<typeof program.called>) => (await (await calling).entry()).wrong;
    expect(await wrong(program.called('GET', '/v3/providers', { [header.application]: 'a' }))).toEqual([
      'No.',
      'Header x-api-key is missing',
    ]);
    expect(await wrong(program.called('POST', '/v3/batchpayments', common, '{}'))).toEqual([
      'No.',
      'Header authorization is missing',
      'Header x-idempotency-key is missing',
    ]);
    expect(await wrong(program.called('GET', '/v3/batchpayments/b', common))).toEqual([
      'Rule r-9 is broken: reference: too long',
    ]);
    expect(
      await wrong(program.called('POST', endpoints.createOrganisation, common, organisation({ colour: 'red' }))),
    ).toEqual([
      'No.',
      'Header x-nonce is missing',
      'Header x-signature is missing',
      'Header x-idempotency-key is missing',
      'Unknown field colour: this call has none, it is ignored',
    ]);
    const keyed = { [header.idempotency]: '1' };
    const console = await (await program.signed({ headers: keyed })).entry();
    expect(console.wrong?.[1]).toContain('The console’s address was signed');
    expect(console.baseString).toContain(encodeURIComponent(upstream.url + endpoints.createOrganisation));
    expect(console.signed).toContain(encodeURIComponent('/program'));
    const unfit = await (await program.signed({ at: upstream.url, headers: keyed, sign: () => 'eA==' })).entry();
    expect(unfit.wrong?.[1]).toContain('No usual mistake');
    const right = await (await program.signed({ at: upstream.url, headers: keyed })).entry();
    expect([right.wrong?.[1], right.baseString]).toEqual([
      expect.stringContaining('is right by the key') as string,
      '',
    ]);
    const unknown = await program.signed({
      at: upstream.url,
      path: endpoints.accessToken,
      method: 'GET',
      headers: { [header.organisation]: 'o' },
    });
    expect((await unknown.entry()).wrong?.[1]).toContain('does not know the key');
  });

  it('is not recorded with TIMELINE_ENTRIES=0, which GET /api/programs reports', async () => {
    const { program, url } = await scripted({ '/v3/': answering({}) }, { entries: 0 });
    expect((await program.api.done('getPrograms')).data.recorded).toBe(false);
    expect((await program.called('GET', '/v3/providers')).status).toBe(200);
    expect((await apiAt(url).done('getTimeline')).data).toEqual([]);
  });
});
