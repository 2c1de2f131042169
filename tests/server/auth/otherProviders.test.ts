import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parseAllowed } from '#server/auth/allowed.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { foreignKey, jwtOf, publicKeyOf, scriptedProvider, type Changes } from '#tests/support/scriptedProvider.ts';
import { userAgent } from '#tests/support/userAgent.ts';

const minute = 60_000;
const clientSecret = 'a secret/with:signs';

/** A console with a provider that is conform and unlike the others; what the token endpoint was sent. */
async function at(changes: Changes, more: { clientSecret?: string; allowed?: string; slash?: string } = {}) {
  const { allowed, slash = '', ...config } = more;
  const lines: string[] = [];
  const sent: { authorization: string | undefined; body: URLSearchParams }[] = [];
  const started = await sharedUse({
    log: pino({ level: 'warn' }, new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) })),
    provider: async (url) => {
      const onToken: Changes['onToken'] = ({ headers: { authorization } }, body) =>
        void sent.push({ authorization, body: new URLSearchParams(body) });
      const { issuer, ...provider } = await scriptedProvider(url, Object.assign(changes, { onToken }));
      const condition = allowed !== undefined && { allowed: parseAllowed(allowed) };
      return { ...provider, issuer: issuer + slash, ...config, ...condition };
    },
  });
  const agent = userAgent();
  const { response } = await agent.follow(`${started.url}/settings`);
  const reasons = () => lines.map((line) => (JSON.parse(line) as { reason?: string }).reason ?? '').join('\n');
  const session = agent.cookiesFor(started.url).get('session');
  return { ...started, ...started.apiOf(agent), status: response.status, page: await response.text(), session, sent, reasons, lines }; // prettier-ignore
}

const offering = (...methods: string[]): Changes => ({ metadata: { token_endpoint_auth_methods_supported: methods } });

describe('A client with a secret', () => {
  const basic = `Basic ${Buffer.from('console:a+secret%2Fwith%3Asigns').toString('base64')}`;

  it.each<[string, Changes]>([
    ['names none', {}],
    ['offers it last', offering('private_key_jwt', 'client_secret_post', 'client_secret_basic')],
  ])('authenticates by client_secret_basic if the provider %s (behaviour 8.9)', async (_, changes) => {
    const { status, sent } = await at(changes, { clientSecret });
    expect(status).toBe(200);
    expect(sent.map(({ authorization }) => authorization)).toEqual([basic]);
    expect(sent[0]!.body.has('client_secret')).toBe(false);
  });

  it('authenticates by client_secret_post if the provider offers no other way (behaviour 8.9)', async () => {
    const { status, sent } = await at(offering('client_secret_post'), { clientSecret });
    expect(status).toBe(200);
    expect(sent[0]).toMatchObject({ authorization: undefined });
    expect(Object.fromEntries(sent[0]!.body)).toMatchObject({ client_id: 'console', client_secret: clientSecret });
  });

  it('authenticates by client_secret_jwt, which does not hold the secret, if the provider offers no other way (behaviour 8.9)', async () => {
    const { status, sent } = await at(offering('client_secret_jwt'), { clientSecret });
    expect(status).toBe(200);
    const [header = ''] = (sent[0]!.body.get('client_assertion') ?? '').split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'HS256' });
    expect(sent[0]!.body.toString()).not.toContain('with');
  });

  it('also renews its tokens in the way that the provider offers (behaviour 8.9)', async () => {
    const { sent, wait, done } = await at({ ...offering('client_secret_post'), refreshes: true }, { clientSecret });
    wait(2 * minute);
    await done('getSettings');
    expect(sent.map(({ body }) => [body.get('grant_type'), body.get('client_secret')])).toEqual([
      ['authorization_code', clientSecret],
      ['refresh_token', clientSecret],
    ]);
  });
});

describe('A provider', () => {
  it.each<[string, string[], string | undefined, RegExp]>([
    ['a private key', ['private_key_jwt'], clientSecret, /only private_key_jwt .*authenticates by client_secret_basic/],
    ['a private key', ['private_key_jwt'], undefined, /only private_key_jwt .*as a public client/],
    ['a certificate', ['tls_client_auth', 'self_signed_tls_client_auth'], clientSecret, /only tls_client_auth, self_/],
    ['no secret', ['none'], clientSecret, /only none .*leave OIDC_CLIENT_SECRET out/],
    ['nothing', [], clientSecret, /only nothing/],
  ])(
    'whose clients need %s is refused at the start, with the ways of both (behaviour 8.9)',
    async (_, methods, secret, cause) => {
      const { status, page, reasons, lines } = await at(offering(...methods), {
        ...(secret !== undefined && { clientSecret: secret }),
      });
      expect(status).toBe(502);
      expect(page).toContain('whoever operates this console has to mend it');
      expect(reasons()).toMatch(cause);
      expect(lines.join('')).toContain('nobody can sign in until it can');
      expect(reasons()).not.toContain(clientSecret);
    },
  );

  it.each([['client_secret_basic', 'client_secret_post'], ['none']])(
    'that does not say that it has public clients is used without a secret: %s (behaviour 8.9)',
    async (...methods) => {
      const { status, sent } = await at(offering(...methods));
      expect(status).toBe(200);
      expect(sent[0]!.authorization).toBeUndefined();
      expect(sent[0]!.body.get('client_id')).toBe('console');
    },
  );
});

describe('A provider without a userinfo endpoint', () => {
  const metadata = { userinfo_endpoint: undefined };
  const claims = { name: 'Ada Lovelace', groups: ['payments'] };

  it('signs a user in by the claims of the ID token (behaviour 8.10)', async () => {
    const { status, page } = await at({ metadata, claims }, { allowed: 'group:payments' });
    expect(status).toBe(200);
    expect(page).toContain('name="user" content="Ada Lovelace"');
    const other = await at({ metadata, claims }, { allowed: 'group:others' });
    expect([other.status, other.session]).toEqual([403, undefined]);
  });

  it('confirms a user by a new ID token where it has issued a refresh token (behaviour 8.10; threat 2.12)', async () => {
    const changes: Changes = { metadata, claims, refreshes: true };
    const { wait, done, refused } = await at(changes, { allowed: 'group:payments' });
    for (let passed = 0; passed < 60; passed += 2) {
      wait(2 * minute);
      await done('getSettings');
    }
    changes.claims = { ...claims, groups: [] };
    wait(2 * minute);
    expect(await refused('getSettings')).toMatchObject({ code: 'signed-out' });
  });

  it.each([
    ['seconds', {}],
    ['milliseconds', { exp: Date.now() + 10 * minute }],
  ])(
    'confirms a user until the ID token expires where it has issued no refresh token, by an expiry in %s (behaviour 8.10; threat 2.12)',
    async (_, expiry) => {
      const { wait, done, refused, reasons } = await at(
        { metadata, claims: { ...claims, ...expiry } },
        { allowed: 'group:payments' },
      );
      for (let passed = 0; passed < 8; passed += 2) {
        wait(2 * minute);
        await done('getSettings');
      }
      wait(2 * minute);
      expect(await refused('getSettings')).toMatchObject({ status: 401, code: 'signed-out' });
      expect(reasons()).toContain('the ID token has expired, and the sign-in service has no userinfo endpoint');
    },
  );
});

it.each([null, ''])('A provider whose userinfo endpoint is %j has none (behaviour 8.10)', async (userinfo_endpoint) => {
  const { status, page } = await at({ metadata: { userinfo_endpoint }, claims: { name: 'Ada Lovelace' } });
  expect([status, page]).toEqual([200, expect.stringContaining('content="Ada Lovelace"')]);
});

it.each<[string, Changes, string]>([
  ['an audience in a list', { claims: { aud: ['console'] } }, 'Ada'],
  ['several audiences, and this client as the party', { claims: { aud: ['console', 'api'], azp: 'console' } }, 'Ada'],
  ['a key without a name', { header: { kid: undefined } }, 'Ada'],
  ['an issue 90 s ahead, and no other time', { claims: { iat: Math.floor(Date.now() / 1000) + 90 } }, 'Ada'],
  ['no names', { userInfo: { sub: 'ada' } }, 'ada'],
  ['names that are no texts', { userInfo: { sub: 'ada', name: ['Ada'], email: null, preferred_username: 5 } }, 'ada'],
  ['ways to authenticate that are null', { metadata: { token_endpoint_auth_methods_supported: null } }, 'Ada'],
  ['ways to authenticate that are a text', { metadata: { token_endpoint_auth_methods_supported: 'none' } }, 'Ada'],
])('A provider with %s signs a user in (behaviour 8.10)', async (_, changes, name) => {
  const { status, page } = await at(changes);
  expect([status, page]).toEqual([200, expect.stringContaining(`name="user" content="${name}"`)]);
});

describe('A userinfo endpoint that answers a JWT', () => {
  const answering = (jwt: string) => (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/jwt' }).end(jwt);
  const named = { userinfo_signing_alg_values_supported: ['RS256'] };

  it.each<[string, object]>([
    ['names its algorithms', named],
    ['does not', {}],
  ])('is read if its provider %s (behaviour 8.10)', async (_, metadata) => {
    const { status, page } = await at({ metadata, userInfo: answering(jwtOf({ sub: 'ada', name: 'Ada of JWT' })) });
    expect(status).toBe(200);
    expect(page).toContain('name="user" content="Ada of JWT"');
  });

  it.each<[string, string]>([
    ['is signed by another key', jwtOf({ sub: 'ada' }, {}, foreignKey)],
    ['is not signed', jwtOf({ sub: 'ada' }, { alg: 'none' }, null)],
    ['names another user', jwtOf({ sub: 'eve' })],
    ['is for another client', jwtOf({ sub: 'ada', aud: 'another' })],
    ['is of another issuer', jwtOf({ sub: 'ada', iss: 'https://login.example.com' })],
  ])('is refused if it %s (threat 2.30)', async (_, jwt) => {
    const { status, session } = await at({ metadata: named, userInfo: answering(jwt) });
    expect([status, session]).toEqual([502, undefined]);
  });
});

describe('The cause of a refused sign-in', () => {
  it('states both issuers if they differ by a slash (behaviour 8.6)', async () => {
    const { reasons, status } = await at({ path: '/realm' }, { slash: '/' });
    expect(status).toBe(502);
    expect(reasons()).toMatch(
      /expected "http:\/\/127\.0\.0\.1:\d+\/realm\/", received "http:\/\/127\.0\.0\.1:\d+\/realm": OIDC_ISSUER has to be/,
    );
  });

  it.each<[string, Changes, RegExp]>([
    [
      'issuer of the ID token',
      { claims: { iss: 'https://login.example.com/' } },
      /expected "http:\S+", received "https:\/\/login\.example\.com\/"/,
    ],
    ['audience of the ID token', { claims: { aud: ['another'] } }, /expected "console", received \["another"\]/],
    ['user of userinfo', { userInfo: { sub: 'eve' } }, /expected "ada", received "eve"/],
  ])('states both values of the %s (behaviour 8.6)', async (_, changes, cause) => {
    expect((await at(changes)).reasons()).toMatch(cause);
  });

  const page =
    (status: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Log in</h1>');

  it.each<[string, Changes, RegExp]>([
    [
      'a page as metadata',
      { discovery: page(200) },
      /\/\.well-known\/openid-configuration answered HTTP 200 \("text\/html"\)/,
    ],
    [
      'metadata that are no JSON',
      { discovery: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<h1>') },
      /\/\.well-known\/openid-configuration answered what is not JSON, although its type says so/,
    ],
    ['no metadata', { discovery: page(404) }, /\/\.well-known\/openid-configuration answered HTTP 404/],
    [
      'a redirect of the metadata',
      { discovery: page(302, { location: '/login?next=secret' }) },
      /HTTP 302 .*a redirect to http:\/\/127\.0\.0\.1:\d+\/login, which is not followed/,
    ],
    ['a page as keys', { keys: page(200) }, /\/jwks answered HTTP 200 \("text\/html"\)/],
    ['no keys', { keys: page(404) }, /\/jwks answered HTTP 404/],
    [
      'a redirect of the token endpoint',
      { token: page(307, { location: 'https://a.example/t' }) },
      /\/token answered HTTP 307 .*to https:\/\/a\.example\/t,/,
    ],
    ['a page as userinfo', { userInfo: page(200) }, /\/userinfo answered HTTP 200 \("text\/html"\)/],
    [
      'no address of keys',
      { metadata: { jwks_uri: undefined } },
      /metadata of the sign-in service have no address as jwks_uri:/,
    ],
    [
      'no endpoints',
      { metadata: { token_endpoint: null, authorization_endpoint: '/auth' } },
      /no address as authorization_endpoint, token_endpoint:/,
    ],
    [
      'another algorithm',
      { header: { alg: 'RS512' } },
      /expected \["RS256"\], received alg "RS512", kid "own"|expected "RS256", received alg "RS512", kid "own"/,
    ],
    [
      'a key that is not published',
      { header: { kid: 'new' } },
      /the token has alg "RS256", kid "new", the keys are those of "http\S+\/jwks"/,
    ],
    [
      'several keys without a name',
      { header: { kid: undefined }, keys: { keys: [publicKeyOf(), publicKeyOf(foreignKey)] } },
      /multiple applicable keys.* the token has alg "RS256", kid nothing/,
    ],
  ])('states who answered what: %s (behaviour 8.6)', async (_, changes, cause) => {
    const { status, reasons } = await at(changes);
    expect(status).toBe(502);
    expect(reasons()).toMatch(cause);
    expect(reasons()).not.toContain('secret');
  });

  it('states no nonce (threat 2.1)', async () => {
    const { reasons } = await at({ claims: { nonce: 'guessed' } });
    expect(reasons()).toContain('nonce');
    expect(reasons()).not.toMatch(/guessed|received/);
  });

  const from = (iat: number, times: object): Changes => ({ claims: { iat: now() + iat, ...times } });
  const now = () => Math.floor(Date.now() / 1000);

  it.each<[string, () => Changes, RegExp]>([
    [
      '90 s ahead',
      () => from(90, { nbf: now() + 90 }),
      /valid from 20\S+Z \(nbf\), .* says 20\S+Z, the sign-in service’s clock is (89|90) s ahead of this machine’s, and 30 s are tolerated/,
    ],
  ])('states which clocks differ and by how much: %s (behaviour 8.6)', async (_, changes, cause) => {
    const { status, reasons } = await at(changes());
    expect(status).toBe(502);
    expect(reasons()).toMatch(cause);
  });

  it('is no difference of the clocks that is tolerated (behaviour 8.6)', async () => {
    for (const times of [
      { nbf: now() + 20, iat: now() + 20 },
      { exp: now() - 20, iat: now() - 80 },
    ])
      expect(await at({ claims: times })).toMatchObject({ status: 200 });
  });
});
