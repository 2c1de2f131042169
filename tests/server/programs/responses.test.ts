import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { endpoints, header } from '#server/upstream/wire.ts';
import { apiAt } from '#tests/support/api.ts';
import { answering } from '#tests/support/fakeUpstream.ts';
import { common, organisation } from '#tests/support/integrator.ts';
import { scripted } from '#tests/support/programs.ts';

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
