import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { framingHandlers } from '#server/api/framing.ts';
import { createProvider } from '#server/auth/identityProvider.ts';
import { createFetch, isException, proxyFor, secretsOfProxies } from '#server/http/outgoingProxy.ts';
import { failureResult } from '#server/sandbox/webhooks/attemptOutcome.ts';
import { postOutside, postVia } from '#server/sandbox/webhooks/transport.ts';
import { TransportError } from '#server/upstream/exchange.ts';
import { createTransport } from '#server/upstream/transport.ts';
import { failureOf } from '#server/upstream/transportFailure.ts';
import { maskAll } from '#server/mask.ts';
import { connectProxy } from '#tests/support/connectProxy.ts';
import { listening } from '#tests/support/listen.ts';
import { rawResponse, rawService } from '#tests/support/rawService.ts';

const limits = { timeouts: { headers: 4000, body: 4000, total: 8000 }, maxBytes: 10_000 };
const proxies = (url: string, except: readonly string[] = []) => ({ https: url, http: url, except });
const portOf = (url: string) => Number(new URL(url).port);

describe('A request to another machine', () => {
  const both = { https: 'http://s.example:1', http: 'http://p.example:2', except: [] as string[] };

  it.each<[url: string, except: string, proxy: string]>([
    ['https://api.example.com', '', 's.example:1'],
    ['http://api.example.com', '', 'p.example:2'],
    ['https://api.example.com', '*', ''],
    ['https://api.example.com', 'other.com,*', ''],
    ['https://api.example.com', 'example.com', ''],
    ['https://api.example.com', '.example.com', ''],
    ['https://api.example.com', '*.example.com', ''],
    ['https://api.example.com.', 'EXAMPLE.com.', ''],
    ['https://api.example.com', 'ample.com', 's.example:1'],
    ['https://example.com.evil.net', 'example.com', 's.example:1'],
    ['https://api.example.com:8443', 'example.com:8443', ''],
    ['https://api.example.com:8443', 'example.com:443', 's.example:1'],
    ['https://api.example.com', 'example.com:443', ''],
    ['http://api.example.com', 'api.example.com:80', ''],
    ['http://10.1.2.3:3001', '10.0.0.0/8', ''],
    ['http://11.1.2.3:3001', '10.0.0.0/8', 'p.example:2'],
    ['http://10.1.2.3:3001', '10.1.2.3:3001', ''],
    ['http://[fd00::5]:3001', 'fd00::/8', ''],
    ['http://[fd00::5]:3001', '[fd00::5]:3002', 'p.example:2'],
    ['http://[fd00::5]:3001', '[fd00::5]:3001', ''],
    ['https://localhost:1', '', ''],
    ['https://sandbox.localhost', '', ''],
    ['http://127.8.0.1', '', ''],
    ['http://[::1]:9', '', ''],
    ['http://[::ffff:127.0.0.1]:9', '', ''],
    ['http://0.0.0.0:9', '', ''],
  ])('to %s with NO_PROXY=%s goes to the proxy "%s" (behaviour 7.29)', (url, except, proxy) => {
    const list = except.split(',').filter(Boolean);
    expect(list.filter((each) => !isException(each))).toEqual([]);
    expect(proxyFor({ ...both, except: list }, new URL(url))?.host ?? '').toBe(proxy);
  });

  it.each([false, true])('goes byte for byte through a proxy with credentials, alone: %s', async (ownConnection) => {
    const { url, requests } = await rawService((_request, socket) => socket.write(rawResponse(201, { data: 1 })));
    const proxy = await connectProxy({ 'api.example.com': portOf(url) }, { credentials: 'ada:p%40ss%3Aword' });
    const transport = createTransport({ proxies: proxies(proxy.url) });
    onTestFinished(() => transport.close());
    const headers = ['x-many', 'one', 'x-many', 'two'];
    const request = {
      origin: 'http://api.example.com',
      path: '/a?b',
      method: 'POST',
      headers,
      body: '{}',
      ownConnection,
    };
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await transport(request, limits)).status).toBe(201);
      await pause(20); // until the connection is idle
    }
    expect(proxy.asked).toEqual(ownConnection ? ['api.example.com:80', 'api.example.com:80'] : ['api.example.com:80']);
    expect(proxy.others).toEqual([]);
    expect(requests.flatMap(({ headers: sent }) => Object.keys(sent)).join(' ')).not.toContain('proxy');
    expect(requests.map(({ path, body, connection }) => [path, body, connection])).toEqual([
      ['/a?b', '{}', 1],
      ['/a?b', '{}', ownConnection ? 2 : 1],
    ]);
  });

  it.each<[string, { credentials?: string; refuse?: number }, RegExp]>([
    [
      'other credentials',
      { credentials: 'ada:right' },
      /answered 407 to CONNECT api\.example\.com:443: it asks for a user/,
    ],
    ['a refusal', { refuse: 403 }, /answered 403 .* does not permit/],
    ['a redirect', { refuse: 302 }, /answered 302 to CONNECT/],
    ['no such host', {}, /answered 502 to CONNECT/],
  ])(
    'that a proxy refuses (%s) was not sent, and the failure names the proxy without its password (behaviour 8.8; threat 2.36)',
    async (_, how, words) => {
      const proxy = await connectProxy({}, how);
      const url = `http://ada:wrong-password@127.0.0.1:${proxy.port}`;
      const transport = createTransport({ proxies: proxies(url) });
      onTestFinished(() => transport.close());
      for (const ownConnection of [true, false]) {
        const request = { origin: 'https://api.example.com', path: '/', method: 'POST', headers: {}, ownConnection };
        const error: unknown = await transport(request, limits).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(TransportError);
        expect(error).toMatchObject({ fault: 'unreachable', sent: false });
        const { detail } = failureOf(error, 'https://api.example.com', 'id').problem;
        expect(detail).toMatch(words);
        expect(detail).toContain(`127.0.0.1:${proxy.port}`);
        expect(detail).not.toMatch(/wrong|ada:/);
      }
    },
  );

  it('was not sent if the proxy cannot be reached, or answers with what is no HTTP', async () => {
    const { url } = await rawService((_request, socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    for (const [address, words] of [
      ['http://127.0.0.1:1', 'the proxy 127.0.0.1:1 fails (ECONNREFUSED)'],
      [url, `the proxy ${new URL(url).host} fails`],
    ] as const) {
      const transport = createTransport({ proxies: proxies(address) });
      onTestFinished(() => transport.close());
      const request = { origin: 'https://api.example.com', path: '/', method: 'GET', headers: {} };
      const error: unknown = await transport(request, limits).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ fault: 'unreachable', sent: false });
      expect(failureOf(error, 'https://api.example.com', 'id').problem.detail).toContain(words);
    }
  });

  it('with bytes of the proxy after its answer is not sent over such a connection (threat 3.29)', async () => {
    const early = 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 201 X\r\ncontent-length: 2\r\n\r\n{}';
    const { url, requests } = await rawService((_request, socket) => socket.write(early));
    const transport = createTransport({ proxies: proxies(url) });
    onTestFinished(() => transport.close());
    const request = { origin: 'http://api.example.com', path: '/', method: 'POST', headers: {}, ownConnection: true };
    await expect(transport(request, limits)).rejects.toMatchObject({ fault: 'unasked', sent: false });
    expect(requests.map(({ method }) => method)).toEqual(['CONNECT']);
  });
});

describe('The sign-in provider', () => {
  it('is asked through the proxy; a refusal of the proxy is the cause of the failure (behaviour 8.8)', async () => {
    const issuer = 'http://login.example.com';
    const handle: RequestListener = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        }),
      );
    const proxy = await connectProxy({ 'login.example.com': portOf(await listening(handle, createServer)) });
    const config = { issuer, clientId: 'console', publicUrl: 'https://console.example.com' };
    const { url } = await createProvider(config, createFetch(proxies(proxy.url))).start();
    expect(url).toMatch(/^http:\/\/login\.example\.com\/authorize\?/);
    expect(proxy.asked).toEqual(['login.example.com:80']);
    const refusing = await connectProxy({}, { refuse: 407 });
    const error: unknown = await createProvider(config, createFetch(proxies(refusing.url)))
      .start()
      .catch((reason: unknown) => reason);
    const causes: string[] = [];
    for (let each = error; each instanceof Error; each = each.cause) causes.push(each.message);
    expect(causes.join(' ')).toContain('answered 407 to CONNECT login.example.com:80');
  });
});

describe('A page that is to be shown in a frame', () => {
  it('is asked for its headers through the proxy (behaviour 7.29)', async () => {
    const url = await listening((_request, response) => response.writeHead(200, { 'x-frame-options': 'DENY' }).end());
    const proxy = await connectProxy({ 'bank.example.com': portOf(url) });
    const upstream = { providerOrigins: ['http://bank.example.com'], transferUrl: 'http://transfer.example.com/' };
    const context = { config: { upstream, fetch: createFetch(proxies(proxy.url)) } };
    const input = { query: { link: 'http://bank.example.com/login' }, origin: () => 'http://127.0.0.1:3000' };
    const { data } = await framingHandlers.getFraming(context, input);
    expect(data.refusal).toContain('X-Frame-Options');
    expect(proxy.asked).toEqual(['bank.example.com:80']);
  });
});

describe('A webhook', () => {
  const request = { headers: { 'x-a': 'b' }, body: '{}' };
  const resolvesTo = (...addresses: string[]) => ({
    resolve: (_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      ),
  });
  const signal = () => AbortSignal.timeout(5000);

  it('to the configured receiver goes through the proxy by name, and directly to this machine', async () => {
    const heard: string[] = [];
    const url = await listening((received, response) => {
      heard.push(`${received.method} ${received.headers.host} ${received.url}`);
      response.writeHead(204).end();
    });
    const proxy = await connectProxy({ 'console.example.com': portOf(url) });
    const post = postVia(proxies(proxy.url));
    const sent = await post('http://console.example.com:8080/notifications?a=b', { ...request, signal: signal() });
    expect(sent.status).toBe(204);
    expect(proxy.asked).toEqual(['console.example.com:8080']);
    expect((await post(`${url}/own`, { ...request, signal: signal() })).status).toBe(204);
    expect(proxy.asked).toHaveLength(1);
    expect(heard).toEqual(['POST console.example.com:8080 /notifications?a=b', `POST ${new URL(url).host} /own`]);
  });

  it('to a receiver of a user goes through the proxy to the address that was checked, never to a refused one (threat 2.25)', async () => {
    const url = await listening((_received, response) => response.writeHead(204).end());
    const proxy = await connectProxy({ '203.0.113.7': portOf(url), '93.184.216.34': portOf(url) });
    const post = (address: string, shared: boolean, ...found: string[]) =>
      postOutside(postVia(proxies(proxy.url)), address, {
        ...request,
        signal: signal(),
        shared,
        ...resolvesTo(...found),
      });
    expect(await post('http://hooks.example.com/', true, '93.184.216.34')).toMatchObject({ status: 204 });
    expect(proxy.asked).toEqual(['93.184.216.34:80']);
    for (const refused of ['169.254.169.254', '10.0.0.1', '127.0.0.1', '100.100.100.200'])
      await expect(post('http://hooks.example.com/', true, refused)).rejects.toThrow('receives no webhooks');
    await expect(post('http://hooks.example.com/', false, '93.184.216.34', '169.254.169.254')).rejects.toThrow();
    await expect(post('http://169.254.169.254/', false)).rejects.toThrow();
    expect(proxy.asked).toHaveLength(1);
  });

  it('that the proxy refuses is reported with the proxy, not as a receiver without an answer (behaviour 8.8)', async () => {
    const proxy = await connectProxy({}, { refuse: 407 });
    const error: unknown = await postVia(proxies(proxy.url))('https://console.example.com/', {
      ...request,
      signal: signal(),
    }).catch((reason: unknown) => reason);
    expect(failureResult(error, 10_000).outcome).toMatch(/^not sent: the proxy 127\.0\.0\.1:\d+ answered 407/);
  });
});

describe('The log', () => {
  it('shows no credentials of a proxy, as written, decoded or as they are sent (threat 2.36)', () => {
    const url = 'http://ada:p%40ss%3Aword@proxy.example.com:3128/';
    const lines: string[] = [];
    const mask = maskAll(secretsOfProxies(proxies(url)));
    const log = pino({ hooks: { streamWrite: mask } }, { write: (line: string) => void lines.push(line) });
    for (const text of [url, 'p@ss:word', 'Basic YWRhOnBAc3M6d29yZA==']) log.info(text);
    expect(lines.join('')).not.toMatch(/p%40ss|p@ss|YWRhOnBAc3M6d29yZA/);
  });
});
