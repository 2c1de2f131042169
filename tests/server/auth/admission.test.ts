import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parseAllowed, lacksOf, type Claims } from '#server/auth/allowed.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { scriptedProvider, type Changes } from '#tests/support/scriptedProvider.ts';
import { userAgent } from '#tests/support/userAgent.ts';

const minute = 60_000;

/** A console that admits some users of a provider, whose answers the test changes. */
async function at(allowed: string, changes: Changes = {}, folder?: string) {
  const lines: string[] = [];
  const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
  const started = await sharedUse({
    log,
    ...(folder !== undefined && { folder }),
    provider: async (url) => ({ ...(await scriptedProvider(url, changes)), allowed: parseAllowed(allowed) }),
  });
  async function signIn(agent = userAgent()) {
    const { response } = await agent.follow(`${started.url}/settings`);
    return { ...agent, status: response.status, page: await response.text(), ...started.apiOf(agent) };
  }
  return { ...started, lines, signIn };
}

describe('A user of the provider', () => {
  it.each<[string, Changes]>([
    ['in the ID token', { claims: { groups: ['payments'] } }],
    ['at the userinfo endpoint', { userInfo: { sub: 'ada', groups: ['payments'] } }],
  ])('is signed in if OIDC_ALLOWED names a group that is %s', async (_, changes) => {
    const { signIn, wait } = await at('group:payments', changes);
    const { status, done } = await signIn();
    expect(status).toBe(200);
    wait(3 * minute);
    await done('getSettings');
  });

  it('whom OIDC_ALLOWED does not admit learns which claim is missing, not who is admitted, and has no session (threat 2.34)', async () => {
    const changes: Changes = { userInfo: { sub: 'ada', email: 'ada@evil.example', email_verified: true } };
    const { signIn, lines, url } = await at('group:payments, domain:example.com', changes);
    const { status, page, cookiesFor } = await signIn();
    expect(status).toBe(403);
    expect(page).toMatch(
      /this console does not admit you, because no group is named \(claim groups, .*\), and the domain/,
    );
    expect(page).not.toMatch(/payments|example\.com|ada@/);
    expect([...cookiesFor(url).keys()]).toEqual([]);
    expect(lines.join('')).toContain('"subject":"ada"');
  });

  it.each<[string, Changes, (changes: Changes) => void]>([
    [
      'userinfo names another group',
      { userInfo: { sub: 'ada', groups: ['payments'] } },
      (changes) => (changes.userInfo = { sub: 'ada', groups: [] }),
    ],
    [
      'userinfo names no group, although the ID token of the sign-in does',
      { claims: { groups: ['payments'] }, userInfo: { sub: 'ada', groups: ['payments'] } },
      (changes) => (changes.userInfo = { sub: 'ada' }),
    ],
    [
      'userinfo names no group, and a refresh brings no new ID token',
      { claims: { groups: ['payments'] }, userInfo: { sub: 'ada', groups: ['payments'] }, refreshes: true },
      (changes) => {
        changes.userInfo = { sub: 'ada' };
        changes.token = { access_token: 'access', token_type: 'Bearer' };
      },
    ],
    [
      'a renewed ID token names another group',
      { claims: { groups: ['payments'] }, refreshes: true },
      (changes) => (changes.claims = { groups: ['others'] }),
    ],
    [
      'a renewed ID token names another user',
      { claims: { groups: ['payments'] }, refreshes: true },
      (changes) => (changes.claims = { groups: ['payments'], sub: 'eve' }),
    ],
  ])('is signed out within two minutes once %s (threat 2.34)', async (_, changes, change) => {
    const { signIn, wait } = await at('group:payments', changes);
    const { done, refused } = await signIn();
    wait(2 * minute);
    await done('getSettings');
    change(changes);
    wait(2 * minute);
    expect(await refused('getSettings')).toMatchObject({ status: 401, code: 'signed-out' });
  });

  it('is signed out at the next request once a restarted console admits others, also while the provider is down (threat 2.34)', async () => {
    const changes: Changes = { claims: { groups: ['payments'] } };
    const first = await at('group:payments', changes);
    const { cookiesFor } = await first.signIn();
    const session = cookiesFor(first.url).get('session')!;
    await first.storage.close();
    for (const [allowed, isAdmitted] of [
      ['all', true],
      ['subject:ada', true],
      ['group:others', false],
      ['group:payments', false],
    ] as const) {
      const down: Changes = { metadata: {}, token: (response) => void response.destroy(), userInfo: () => undefined };
      const again = await at(allowed, down, first.folder);
      const agent = userAgent();
      agent.cookiesFor(again.url).set('session', session);
      const api = again.apiOf(agent);
      if (isAdmitted) await api.done('getSettings');
      else expect(await api.refused('getSettings'), allowed).toMatchObject({ code: 'signed-out' });
      await again.storage.close();
    }
  });
});

describe('A client secret that the provider no longer accepts', () => {
  it.each<[string, Record<string, string>]>([
    ['by the protocol', {}],
    ['by a challenge', { 'www-authenticate': 'Basic realm="x"' }],
  ])(
    '%s is no refusal of the user: the session continues for ten minutes, and the cause is in the log (threat 2.12)',
    async (_, headers) => {
      const changes: Changes = { refreshes: true };
      const { signIn, wait, lines } = await at('all', changes);
      const { done, refused } = await signIn();
      changes.token = (response) =>
        void response
          .writeHead(401, { 'content-type': 'application/json', ...headers })
          .end('{"error":"invalid_client","error_description":"Secret expired"}');
      wait(3 * minute);
      await done('getSettings');
      expect(lines.join('')).toContain('Secret expired');
      wait(8 * minute);
      expect(await refused('getSettings')).toMatchObject({ code: 'signed-out', detail: expect.stringContaining('cannot be asked') as string }); // prettier-ignore
      Reflect.deleteProperty(changes, 'token');
      wait(minute);
      await done('getSettings');
    },
  );
});

const lacks = (allowed: string, ...sources: Claims[]) => lacksOf(parseAllowed(allowed), sources);
const verified = (email: unknown, more: Claims = {}): Claims => ({ sub: 'ada', email, email_verified: true, ...more });

describe('OIDC_ALLOWED', () => {
  it.each<[string, string, Claims]>([
    ['Entra lists it', 'group:payments', { groups: ['others', 'payments'] }],
    ['it is the only group, as a text', 'group:payments', { groups: 'payments' }],
    ['it is a role of the application', 'group:Payer', { roles: ['Payer'] }],
    ['Keycloak nests it', 'group:payer', { realm_access: { roles: ['offline_access', 'payer'] } }],
    ['Keycloak gives its path', 'group:/company/payments', { groups: ['/company/payments'] }],
    ['Cognito names it', 'group:payments', { 'cognito:groups': ['payments'] }],
    ['it is the last of several conditions', 'subject:x, domain:a.example , group:payments', { groups: ['payments'] }],
    ['its name has commas', String.raw`group:CN=Pay\,OU=Groups\,DC=x`, { groups: ['CN=Pay,OU=Groups,DC=x'] }],
    ['the claim is named by its path', 'claim:resource_access.console.roles=pay', { resource_access: { console: { roles: ['pay'] } } }], // prettier-ignore
    ['the claim’s name is an address', 'claim:https://x.example/groups=pay', { 'https://x.example/groups': ['pay'] }],
    ['the claim is a number', 'claim:level=3', { level: 3 }],
    ['the claim is a truth value', 'claim:staff=true', { staff: true }],
    ['the id is named', 'subject:auth0|7', { sub: 'auth0|7' }],
  ])('admits a user if %s', (_, allowed, claims) => {
    expect(lacks(allowed, { sub: 'ada', ...claims })).toBeUndefined();
  });

  it.each<[string, string, Claims]>([
    ['an address of the domain', 'domain:example.com', verified('ada@example.com')],
    ['other capitals', 'domain:Example.COM', verified('Ada@EXAMPLE.com')],
    ['email_verified as a text', 'domain:example.com', { email: 'ada@example.com', email_verified: 'true' }],
    ['a domain of other letters', 'domain:bücher.example', verified('ada@xn--bcher-kva.example')],
    ['the organisation at Google', 'domain:example.com', { hd: 'example.com', iss: 'https://accounts.google.com' }],
    [
      'an address of another domain of the organisation at Google',
      'domain:example.net',
      verified('ada@example.net', { hd: 'example.com', iss: 'https://accounts.google.com' }),
    ],
  ])('admits a user by domain with %s', (_, allowed, claims) => {
    expect(lacks(allowed, claims)).toBeUndefined();
  });

  it.each<[string, Claims, string]>([
    ['no e-mail address', { sub: 'ada' }, 'no e-mail address is named (claim email)'],
    ['an unverified address', { email: 'ada@example.com' }, 'not marked as verified (claim email_verified)'],
    ['email_verified as "false"', { email: 'ada@example.com', email_verified: 'false' }, '(claim email_verified)'],
    ['email_verified as 1', { email: 'ada@example.com', email_verified: 1 }, '(claim email_verified)'],
    ['email_verified as a list', { email: 'ada@example.com', email_verified: [true] }, '(claim email_verified)'],
    ['a domain that ends alike', verified('ada@evil-example.com'), 'domain of your e-mail address is not admitted'],
    ['a domain that begins alike', verified('ada@example.com.evil'), 'domain of your e-mail address is not admitted'],
    ['a subdomain', verified('ada@pay.example.com'), 'domain of your e-mail address is not admitted'],
    ['the domain before the @', verified('example.com@evil.example'), 'domain of your e-mail address is not admitted'],
    ['two @', verified('ada@evil.example@example.com'), 'no e-mail address is named'],
    ['a quoted @', verified('"ada@example.com"@evil.example'), 'no e-mail address is named'],
    ['a dot at the end', verified('ada@example.com.'), 'domain of your e-mail address is not admitted'],
    ['escaped letters', verified('ada@ex%61mple.com'), 'no e-mail address is named'],
    ['letters without width', verified('ada@exam\u200bple.com'), 'no e-mail address is named'],
    ['a list of addresses', verified(['ada@evil.example', 'ada@example.com']), 'no e-mail address is named'],
    ['an organisation that ends alike', { hd: 'evil-example.com' }, 'no e-mail address is named'],
    [
      'a private Google account of this domain',
      verified('ada@example.com', { iss: 'https://accounts.google.com' }),
      'your account belongs to no organisation (claim hd)',
    ],
  ])('refuses a user by domain with %s, and names the claim (threat 2.34)', (_, claims, lack) => {
    const found = lacks('domain:example.com', claims);
    expect(found).toEqual([expect.stringContaining(lack)]);
    expect(String(found)).not.toContain('example.com');
  });

  it.each<[string, string, Claims, string]>([
    ['no claim names groups', 'group:payments', {}, 'no group is named (claim groups, roles'],
    ['none of the groups is it', 'group:payments', { groups: ['payments2', 'Payments'] }, 'none of your groups'],
    ['a text contains it', 'group:payments', { groups: 'payments,admins' }, 'none of your groups'],
    ['a group is an object', 'group:payments', { groups: [{ name: 'payments' }] }, 'none of your groups'],
    ['groups are too many to list', 'group:payments', { _claim_names: { groups: 'src1' } }, 'more groups than'],
    [
      'the name is one that every object has',
      'claim:constructor.name=Object',
      {},
      'nothing is said (claim constructor.',
    ],
    ['the claim has another value', 'claim:staff=true', { staff: false }, 'your value is not admitted (claim staff)'],
    ['the id differs in case', 'subject:ADA', {}, 'your id is not admitted (claim sub)'],
    ['the subject is another claim', 'subject:eve', { subject: 'eve' }, 'your id is not admitted (claim sub)'],
  ])('refuses a user if %s, and names the claim (threat 2.34)', (_, allowed, claims, lack) => {
    expect(lacks(allowed, { sub: 'ada', ...claims })).toEqual([expect.stringContaining(lack)]);
  });

  it('takes e-mail address and verification from the same source (threat 2.34)', () => {
    const [unverified, other] = [{ email: 'ada@example.com' }, verified('ada@evil.example')];
    expect(lacks('domain:example.com', unverified, other)).toHaveLength(1);
    expect(lacks('domain:example.com', unverified, verified('ada@example.com'))).toBeUndefined();
  });

  it('says what a source has, rather than that another one has nothing', () => {
    expect(lacks('group:payments', { sub: 'ada' }, { groups: ['others'] })).toEqual([
      'none of your groups is admitted (claim groups)',
    ]);
  });

  it('admits everybody by "all" alone', () => {
    expect(lacks(' all ', {})).toBeUndefined();
    expect(() => parseAllowed('all, group:x')).toThrow('give all by itself');
  });

  it.each([
    ['', 'give all, or conditions'],
    [' , ,', 'give all, or conditions'],
    ['*', '"*" is no condition'],
    ['ALL', '"ALL" is no condition'],
    [
      'example.com',
      '"example.com" is no condition: give all, or conditions such as group:payments, domain:example.com',
    ],
    ['groups:payments', '"groups:payments" is no condition'],
    ['group:', '"group:" is no condition'],
    ['group=payments', '"group=payments" is no condition'],
    ['group:a;domain', undefined],
    ['domain:@example.com', '"@example.com" is no domain: give one such as domain:example.com'],
    ['domain:*.example.com', '"*.example.com" is no domain'],
    ['domain:.example.com', '".example.com" is no domain'],
    ['domain:example.com.', '"example.com." is no domain'],
    ['domain:https://example.com', '"https://example.com" is no domain'],
    ['domain:example com', '"example com" is no domain'],
    ['claim:department', '"claim:department" names no value'],
    ['claim:department=', '"claim:department=" names no value'],
    ['group:a, b', '"b" is no condition'],
  ])('of %j is refused with what would be right', (text, words) => {
    if (words === undefined) expect(parseAllowed(text)).toHaveLength(1);
    else expect(() => parseAllowed(text)).toThrow(words);
  });
});
