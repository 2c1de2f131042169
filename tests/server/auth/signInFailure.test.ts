import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { scriptedProvider, type Changes, foreignKey } from '#tests/support/scriptedProvider.ts';
import { userAgent } from '#tests/support/userAgent.ts';

const clientSecret = 'hunter2-hunter2-hunter2';
const trying = 'Trying again does not help: whoever operates this console has to mend it';

const json =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** The log of a console while a user tries to sign in, and what the user reads. */
async function failing(changes: Changes, more: { issuer?: string } = {}) {
  let log = '';
  const { url } = await sharedUse({
    log: pino({ level: 'warn' }, new Writable({ write: (line, _, done) => ((log += String(line)), done()) })),
    provider: async (publicUrl) => ({ ...(await scriptedProvider(publicUrl, changes)), clientSecret, ...more }),
  });
  const atStart = async () => (await expect.poll(() => log).not.toBe(''), log);
  const { response } = await userAgent().follow(`${url}/settings`);
  return { status: response.status, page: await response.text(), log: () => log, atStart, url };
}

describe('A sign-in that fails', () => {
  it.each<[string, Changes, string[]]>([
    [
      'the client secret is wrong',
      { token: json(401, { error: 'invalid_client', error_description: 'Invalid client secret' }) },
      ['invalid_client', 'Invalid client secret'],
    ],
    [
      'the client secret is wrong, by a challenge',
      {
        token: json(401, { error: 'invalid_client', error_description: 'AADSTS7000215: wrong secret' }, { 'www-authenticate': 'Basic realm="x"' }), // prettier-ignore
      },
      ['AADSTS7000215: wrong secret'],
    ],
    [
      'the client may not use the code flow',
      { token: json(400, { error: 'unauthorized_client', error_description: 'flow disabled' }) },
      ['unauthorized_client', 'flow disabled'],
    ],
    [
      'the scope is unknown at the provider',
      { refusal: { error: 'invalid_scope', error_description: 'Invalid scopes: mail' } },
      ['invalid_scope', 'Invalid scopes: mail'],
    ],
    ['the ID token is for another client', { claims: { aud: 'another' } }, ['"aud"']],
    ['the clocks differ', { claims: { exp: 1, iat: 0 } }, ['"exp"']],
    ['userinfo has another user', { userInfo: { sub: 'eve' } }, ['"sub"']],
    ['the token endpoint is a page', { token: (response) => void response.end('<html>') }, ['content-type']],
  ])('because %s is told as the operator’s, with the cause in the log (behaviour 8.6)', async (_, changes, causes) => {
    const { status, page, log } = await failing(changes);
    expect(status).toBe(502);
    expect(page).toContain(trying);
    expect(page).not.toMatch(/refused or abandoned/);
    for (const cause of causes) expect(JSON.parse(log().trim()), cause).toMatchObject({ reason: expect.stringContaining(cause) as string }); // prettier-ignore
  });

  it.each<[string, Changes, RegExp]>([
    ['fails', { token: json(500, {}) }, /HTTP 500/],
    ['is overloaded', { token: json(503, { error: 'slow_down' }) }, /slow_down/],
    ['takes no more requests', { userInfo: json(429, {}) }, /HTTP 429/],
    ['says so', { refusal: { error: 'temporarily_unavailable' } }, /temporarily_unavailable/],
    ['hangs up', { token: (response) => void response.destroy() }, /fetch failed.*(other side closed|ECONNRESET)/],
  ])(
    'because the provider %s is told as passing, with the cause in the log (behaviour 8.6)',
    async (_, changes, cause) => {
      const { status, page, log } = await failing(changes);
      expect(status).toBe(502);
      expect(page).toContain('The sign-in service cannot be reached. Try again later.');
      expect(log()).toMatch(cause);
    },
  );

  it.each<[string, Changes]>([
    ['the user has refused', { refusal: { error: 'access_denied', error_description: 'The user said no' } }],
    ['the code is spent', { token: json(400, { error: 'invalid_grant', error_description: 'Code is spent' }) }],
  ])('because %s is told as the user’s, with the cause in the log (behaviour 8.6)', async (_, changes) => {
    const { status, page, log } = await failing(changes);
    expect(status).toBe(403);
    expect(page).toContain('refused or abandoned');
    expect(log()).toMatch(/The user said no|Code is spent/);
  });

  it('writes no secret of the client, no code and no token into the log (threat 2.1)', async () => {
    const token = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from('{"sub":"ada"}').toString('base64url')}.c2lnbmF0dXJl`;
    const basic = Buffer.from(`console:${clientSecret}`).toString('base64');
    for (const body of [
      { error: 'invalid_client', error_description: `secret ${clientSecret} of code-of-ada` },
      { error: 'invalid_client', error_description: `Basic ${basic} and ${token}` },
      { error: 'invalid_client', error_description: encodeURIComponent(`${clientSecret}&x=code-of-ada`) },
    ]) {
      const { log } = await failing({ token: json(401, body, { 'www-authenticate': 'Basic realm="x"' }) });
      expect(log()).toContain('invalid_client');
      for (const secret of [clientSecret, 'code-of-ada', basic, token, 'c2lnbmF0dXJl'])
        expect(log()).not.toContain(secret);
    }
  });
});

describe('The start of a console with sign-in', () => {
  it.each<[string, Changes, { issuer?: string }, RegExp]>([
    ['cannot be reached', {}, { issuer: 'http://127.0.0.1:59998' }, /ECONNREFUSED/],
    ['states another issuer', { metadata: { issuer: 'https://login.example.com' } }, {}, /issuer/],
  ])('warns if the provider %s (behaviour 8.7)', async (_, changes, more, cause) => {
    const { atStart } = await failing(changes, more);
    expect(await atStart()).toMatch(cause);
    expect(await atStart()).toContain('nobody can sign in until it can');
  });
});

async function signingIn(changes: Changes) {
  const { url } = await sharedUse({ provider: (publicUrl) => scriptedProvider(publicUrl, changes) });
  const agent = userAgent();
  const { response } = await agent.follow(`${url}/settings`);
  const page = await response.text();
  return { status: response.status, page, session: agent.cookiesFor(url).get('session') };
}

const gzipped = (text: string) => {
  const zipped = gzipSync(text);
  return (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zipped);
};
const deep = (depth: number) => (response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(`{"sub":"ada","name":${'['.repeat(depth)}${']'.repeat(depth)}}`);
const none = { header: { alg: 'none' }, key: null };

describe('Signing in', () => {
  it('succeeds with an ID token that the provider has signed for this client', async () => {
    for (const changes of [{}, { claims: { azp: 'console' } }, { claims: { aud: ['console'] } }])
      expect(await signingIn(changes)).toMatchObject({ status: 200, session: expect.any(String) as string });
  });

  it.each<[string, Changes]>([
    ['is not signed', none],
    [
      'is not signed, which the provider says it may do',
      { ...none, metadata: { id_token_signing_alg_values_supported: ['none', 'RS256'] } },
    ],
    ['is signed by another key', { key: foreignKey }],
    ['is signed by a key of an unknown id', { key: foreignKey, header: { kid: 'foreign' } }],
    ['brings its own key', { key: foreignKey, header: { jwk: foreignKey.export({ format: 'jwk' }) } }],
    ['has an empty signature', { key: null }],
    ['was issued to another client', { claims: { azp: 'another' } }],
    ['was issued to another client of several', { claims: { aud: ['console', 'another'], azp: 'another' } }],
    ['names a client that is no text', { claims: { azp: { console: true } } }],
    ['is for another audience', { claims: { aud: 'another' } }],
    ['has expired', { claims: { exp: 1 } }],
  ])('is refused if the ID token %s (threat 2.30)', async (_, changes) => {
    expect(await signingIn(changes)).toMatchObject({ status: 502, session: undefined });
  });

  it.each<[string, Changes]>([
    ['is a decompression bomb', { userInfo: gzipped(`{"sub":"ada","name":"${'x'.repeat(50_000_000)}"}`) }],
    ['has a list of keys that is one', { keys: gzipped(`{"keys":[${'{},'.repeat(10_000_000)}{}]}`) }],
    ['has a name of 20 MB', { userInfo: { sub: 'ada', name: 'x'.repeat(20_000_000) } }],
    ['is a token without end', { token: { access_token: 'x'.repeat(1_000_000), token_type: 'Bearer' } }],
    ['is too deep', { userInfo: deep(10_000) }],
    ['has too many values', { userInfo: { sub: 'ada', groups: Array.from({ length: 120_000 }, () => 1) } }],
    ['names another user', { userInfo: { sub: 'grace' } }],
    ['is no object', { userInfo: [] }],
  ])('is refused if an answer of the provider %s (threat 2.31)', async (_, changes) => {
    expect(await signingIn(changes)).toMatchObject({ status: 502, session: undefined });
  });

  it.each<[string, unknown, string]>([
    ['is an object', { first: 'Ada' }, 'ada@example.com'],
    ['is a list', ['Ada'], 'ada@example.com'],
    ['is a number', 7, 'ada@example.com'],
    ['is null', null, 'ada@example.com'],
    ['is empty', ' \n', 'ada@example.com'],
    ['is long', '😀'.repeat(5000), '😀'.repeat(100)],
    ['has several lines and a direction of its own', 'Ada\u202e\n\u0000Lovelace', 'Ada Lovelace'],
  ])('shows the user on every page if the name %s (threat 2.31)', async (_, name, shown) => {
    const { status, page } = await signingIn({ userInfo: { sub: 'ada', name, email: 'ada@example.com' } });
    expect(status).toBe(200);
    expect(page).toContain(`name="user" content="${shown}"`);
  });
});
