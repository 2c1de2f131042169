import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parseAllowed } from '#server/auth/allowed.ts';
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
