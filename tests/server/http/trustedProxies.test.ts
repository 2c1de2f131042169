import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask, integratorAt } from '#tests/support/integrator.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { userAgent } from '#tests/support/userAgent.ts';

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
