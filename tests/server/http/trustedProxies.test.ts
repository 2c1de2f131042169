import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask, integratorAt } from '#tests/support/integrator.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { userAgent } from '#tests/support/userAgent.ts';
import { clientNetwork, includesEverybody, isNetwork, networkOf, isInNetwork } from '#server/http/networks.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';

/** The address of the test, which acts as a proxy. */
const here = '127.0.0.1';
const user = '198.51.100.7';
const other = '198.51.100.8';

type More = Partial<Parameters<typeof testConsole>[0]>;
const consoleBehind = async (trustedProxies: readonly string[], more: More = {}) =>
  testConsole({ upstreamUrl: (await fakeUpstream({})).url, trustedProxies, ...more });

/** The address that the console takes for the client’s: it refuses every webhook and names that address. */
async function addressSeen(trustedProxies: readonly string[], forwarded: string | string[]): Promise<string> {
  const webhook = { secret: 'whsec_c2VjcmV0', sources: ['192.0.2.1'] };
  const { url } = await consoleBehind(trustedProxies, { changes: { webhook } });
  const { answer } = await ask(url, 'POST', '/notifications', { 'x-forwarded-for': forwarded });
  return /not accepted from (\S*): see/.exec(answer)?.[1] ?? answer;
}

describe('The address of a client', () => {
  it.each([
    ['that of the connection, whatever the client says', [], user, here],
    ['what the proxy says', [here], user, user],
    ['the last that is no trusted proxy’s, as earlier ones may be forged', [here], `192.0.2.1, ${user}`, user],
    [
      'the last one, even if an earlier one is forged as a trusted proxy’s',
      [here, '10.0.0.0/8'],
      `192.0.2.1, 10.0.0.9, ${user}`,
      user,
    ],
    ['found behind several proxies', [here, '10.0.0.0/8'], `192.0.2.1, ${user}, 10.0.0.9, 10.0.0.8`, user],
    ['no further away than the first proxy that is not trusted', [here], `${user}, 10.0.0.9`, '10.0.0.9'],
    ['the first proxy’s if all of them are trusted', [here, '10.0.0.0/8'], '10.0.0.9, 10.0.0.8', '10.0.0.9'],
    ['read across several header lines', [here, '10.0.0.0/8'], ['192.0.2.1', user, '10.0.0.9'], user],
    ['without its port', [here], `${user}:4711`, user],
    ['without the brackets of IPv6', [here], '[2001:db8::7]:4711', '2001:db8::7'],
    ['an IPv4 one within IPv6', [here, '10.0.0.0/8'], `${user}, ::ffff:10.0.0.9`, user],
    ['the proxy’s if the proxy says "unknown"', [here], '192.0.2.1, unknown', here],
    ['the proxy’s if the proxy hides it', [here, '10.0.0.0/8'], '192.0.2.1, _gateway, 10.0.0.9', '10.0.0.9'],
    ['the proxy’s if what it says is no address', [here], '192.0.2.1, evil.example', here],
    ['the proxy’s if it says nothing', [here], ' , ,', here],
    ['found after a thousand others', [here], `${'192.0.2.1, '.repeat(1000)}${user}`, user],
  ])('is %s (threat 6.11)', async (_, proxies, forwarded, expected) => {
    expect(await addressSeen(proxies, forwarded)).toBe(expected);
  });

  it('decides whether a webhook is accepted (threat 5.2)', async () => {
    const webhook = { header: { name: 'x-key', value: 'v' }, sources: [user] };
    const { url } = await consoleBehind([here], { changes: { webhook } });
    const headers = { 'x-key': 'v', 'content-type': 'application/json' };
    const from = async (forwarded: string) =>
      (await ask(url, 'POST', '/notifications', { ...headers, 'x-forwarded-for': forwarded }, '[]')).status;
    expect(await from(`${user}, ${other}`)).toBe(403);
    expect(await from(`${other}, ${user}`)).toBe(204);
  });

  it('is logged with each request', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const { url } = await consoleBehind([here], { log });
    await ask(url, 'GET', '/healthz', { 'x-forwarded-for': `192.0.2.1, ${user}` });
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ address: user, route: '/healthz' }]);
  });

  it('is not forwarded to the service with the calls of programs', async () => {
    const upstream = await fakeUpstream({ '/v3/': answering({}) });
    const { url } = await testConsole({ upstreamUrl: upstream.url, trustedProxies: [here] });
    const told = { 'x-forwarded-for': user, 'x-forwarded-proto': 'https', forwarded: `for=${user}`, via: '1.1 proxy' };
    expect((await (await integratorAt(url)).called('GET', '/v3/providers', told)).status).toBe(200);
    expect(Object.keys(upstream.asked[0]!.headers).filter((name) => name in told)).toEqual([]);
  });

  it('is not local behind a trusted proxy, so that the sandbox’s home page hides its credentials', async () => {
    const page = async (trustedProxies: readonly string[]) => {
      const { url } = await testSandbox({ trustedProxies });
      return (await ask(url, 'GET', '/', { 'x-forwarded-for': user })).answer.includes('shown on this machine only');
    };
    expect([await page([here]), await page([])]).toEqual([true, false]);
  });
});

describe('The protocol of a request', () => {
  it.each([
    ['as the proxy says', [here], 'https', 'https'],
    ['as the nearest proxy says', [here], ['http', 'https'], 'https'],
    ['not as the client says, who comes first', [here], 'https, http', 'http'],
    ['in whatever case it is written', [here], 'HTTPS', 'https'],
    ['only if it is http or https', [here], 'javascript', 'http'],
    ['what the connection has, if nobody is trusted', [], 'https', 'http'],
    ['what the connection has, if another is trusted', ['10.0.0.0/8'], 'https', 'http'],
  ])('is taken %s (threat 6.11)', async (_, proxies, forwarded, expected) => {
    const { url } = await consoleBehind(proxies);
    const { answer } = await ask(url, 'POST', '/api/login', { 'x-forwarded-proto': forwarded });
    const { fields } = JSON.parse(answer) as { fields: { redirect_uri: string } }; // the answer of startLogin
    expect(fields.redirect_uri).toBe(`${expected}://${new URL(url).host}/api/jwtredirect`);
  });

  it('decides the own origin: behind TLS, a page of plain HTTP cannot change anything', async () => {
    const { url } = await consoleBehind([here]);
    const { host } = new URL(url);
    const write = async (origin: string, proto: string) =>
      (await ask(url, 'POST', '/api/login', { origin: `${origin}://${host}`, 'x-forwarded-proto': proto })).status;
    expect([await write('http', 'https'), await write('https', 'https'), await write('http', 'http')]).toEqual([
      403, 200, 200,
    ]);
  });

  it.each([[[]], [[here]]])(
    'cannot remove HSTS or Secure cookies of a console with TLS; trusted proxies: %j (threat 6.11)',
    async (trustedProxies) => {
      const { url } = await sharedUse({ publicUrl: 'https://console.example', trustedProxies });
      const answer = await userAgent().visit(`${url}/signin`, undefined, { 'x-forwarded-proto': 'http' });
      expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=/);
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-signin-.*; secure; httponly$/)]);
    },
  );
});

describe('TRUSTED_PROXIES', () => {
  it('accepts addresses and networks', () => {
    expect(parseConfig({ TRUSTED_PROXIES: ' 10.0.0.0/8,2001:db8::1, ' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '2001:db8::1',
    ]);
  });
});

describe('IP networks', () => {
  it.each([
    [['203.0.113.0/24'], '203.0.113.9', true],
    [['203.0.113.0/24'], '::ffff:203.0.113.9', true],
    [['203.0.113.0/24'], '::ffff:cb00:7109', true],
    [['203.0.113.0/24'], '203.0.114.9', false],
    [['127.0.0.0/8', '::1'], '::1', true],
    [['127.0.0.0/8', '::1'], '127.0.0.1', true],
    [['127.0.0.0/8', '::1'], '192.168.0.7', false],
    [['2001:db8::/32'], '2001:db8::7', true],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['203.0.113.7'], '', false],
    [[], '203.0.113.7', false],
  ])('%j contain the address %s: %s', (networks, address, expected) => {
    expect(isInNetwork(networks)(address)).toBe(expected);
  });

  it.each([
    [['0.0.0.0/0'], true],
    [['10.1.2.3/0'], true],
    [['::/0'], true],
    [['0.0.0.0/1', '128.0.0.0/1'], true],
    [['128.0.0.0/2', '10.0.0.7', '0.0.0.0/1', '192.0.0.0/2'], true],
    [['0.0.0.0/1', '128.0.0.0/2'], false],
    [['::/1', '8000::/1'], true],
    [['2000::/4', '3000::/4'], true],
    [['2000::/4', '3000::/5'], false],
    [['::ffff:0:0/96'], true],
    [['::ffff:0.0.0.0/97', '128.0.0.0/1'], true],
    [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '::1', 'fe80::1%eth0'], false],
    [[], false],
    [['a:b:c:d:e:f:a:b:c:d:e:f', 'proxy.example', '/', '1.2.3.4/33'], false],
  ])('%j contain every address: %s', (networks, expected) => {
    expect(includesEverybody(networks)).toBe(expected);
  });

  it.each(['', 'example.com', '1.2.3', '1.2.3.4/33', '1.2.3.4/x', '::1/129', '1.2.3.4/-1'])(
    'refuse the invalid notation %j',
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ...['', 'unknown', '_hidden', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4:', '1.2.3.4:x', '1.2.3.4/8'].map(
      (text) => [text],
    ),
    ...['[1.2.3.4]', '[2001:db8::1', '2001:db8::1]:1', '[]', 'evil.example', '"1.2.3.4"', '1'.repeat(10_000)].map(
      (text) => [text],
    ),
  ] as [string, string?][])('normalise the client address %j to %j', (text, address) => {
    expect(clientNetwork(text)).toBe(address);
  });
});

describe('The network by which the rate limit counts a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('of the address %j is %j', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('The allowed sources of webhooks', () => {
  it('are those in WEBHOOK_SOURCES, which refuses an invalid address; all by default (threat 5.2)', () => {
    const live = liveEnvironment('http://127.0.0.1:1');
    expect(parseConfig(live).live?.webhook.sources).toBeUndefined();
    const given = { ...live, WEBHOOK_SOURCES: '203.0.113.0/24, ::1' };
    expect(parseConfig(given).live?.webhook.sources).toEqual(['203.0.113.0/24', '::1']);
    expect(() => parseConfig({ ...live, WEBHOOK_SOURCES: 'elsewhere' })).toThrow(/^WEBHOOK_SOURCES is "elsewhere": /);
  });
});
