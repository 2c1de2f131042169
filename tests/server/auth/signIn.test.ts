import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calls, type CallName } from '#contract/calls.ts';
import { subjectHeader } from '#contract/constants.ts';
import { eventsPath } from '#server/api/events.ts';
import { timelinePaths } from '#server/api/timeline.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { logInAt, userAgent } from '#tests/support/userAgent.ts';

const minute = 60_000;

describe('A client without a session', () => {
  it('gets 401 from the API, however the path is written, and is redirected from pages to sign-in (threat 2.6)', async () => {
    const { url, refused } = await sharedUse();
    expect(await refused('getSettings')).toMatchObject({
      type: 'urn:problem:signed-out',
      title: 'You are not signed in',
      status: 401,
      code: 'signed-out',
      detail: 'Your session has ended, or there was none.',
    });
    for (const path of ['/API/settings', '/api/settings/', '/api/providers/x.js', '/api//settings'])
      expect([401, 404], path).toContain((await fetch(url + path, { redirect: 'manual' })).status);
    const page = await fetch(`${url}/settings?guided=true`, { redirect: 'manual' });
    expect(page.headers.get('location')).toBe('/signin?then=%2Fsettings%3Fguided%3Dtrue');
  });

  it('can read health, the OpenAPI description, static files and the signed-out page', async () => {
    const { url } = await sharedUse();
    for (const path of ['/healthz', '/api/openapi.json', '/main.js', '/signedout'])
      expect((await fetch(url + path)).status, path).toBe(200);
  });
});

describe('Signing in', () => {
  it('uses PKCE, state and nonce, new for each attempt (threat 2.10)', async () => {
    const { url, config } = await sharedUse();
    const asked = await Promise.all(
      [1, 2].map(async () => {
        const { headers } = await fetch(`${url}/signin`, { redirect: 'manual' });
        expect(headers.getSetCookie().join()).not.toMatch(/eyJ|state|nonce/);
        return new URL(headers.get('location')!);
      }),
    );
    for (const { origin, searchParams } of asked) {
      expect(origin).toBe(config.access!.issuer);
      expect(Object.fromEntries(searchParams)).toMatchObject({
        response_type: 'code',
        redirect_uri: `${url}/signin/callback`,
        code_challenge_method: 'S256',
      });
    }
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(new Set(asked.map(({ searchParams }) => searchParams.get(name))).size).toBe(2);
  });

  it('returns to the page it started from, and to no other address (threat 1.9)', async () => {
    const { signedIn, url } = await sharedUse();
    for (const [from, back] of [
      ['/settings?guided=true', '/settings?guided=true'],
      ['/signin?then=https://evil.example/', '/'],
      ['/signin?then=//evil.example/', '/'],
      ['/signin?then=/%5Cevil.example/', '/'],
      ['/signin?then=/.//evil.example', '/'],
      ['/signin?then=/x/..//evil.example', '/'],
      ['/signin?then=/settings/..//evil.example', '/'],
      ['/signin?then=/.%5C/evil.example', '/'],
      ['/signin?then=/%2509//evil.example', '/'],
      ['/signin?then=%2F%09%2Fevil.example', '/'],
      [(url: string) => `/signin?then=${url}//evil.example`, '/'],
      [(url: string) => `/signin?then=${url}@evil.example/settings`, '/'],
      [(url: string) => `/signin?then=${url}/settings`, '/settings'],
      ['/signin?then=/unknown', '/'],
      ['/signin?then=/api/settings', '/'],
      ['/signin?then=/signin', '/'],
      ['/signin?then=/settings%23//evil.example', '/settings'],
      ['/signin?then=/settings&then=//evil.example', '/'],
      [`/signin?then=/settings%3F${'x'.repeat(4000)}`, '/settings'],
      ['/signin?then=/journeys/debtor%3Fat=state', '/journeys/debtor?at=state'],
    ] as const) {
      const at = typeof from === 'string' ? from : from(url);
      expect((await signedIn('ada', at)).answer.headers.get('location'), at).toBe(back);
    }
  });

  it('escapes the user’s name in the page', async () => {
    const { url, signedIn } = await sharedUse();
    const { visit, done } = await signedIn('ada');
    expect(await (await visit(`${url}/`)).text()).toMatch(
      /<meta name="user" content="ada &lt;&amp; Co&gt;" \/><meta name="subject" content="[0-9a-f]{32}" \/><\/head>/,
    );
    expect((await done('getSettings')).useMock).toBe('true');
  });

  it('fails with a wrong state, code or issuer, in another browser, when repeated and after ten minutes (threat 2.10)', async () => {
    const { url, folder, wait } = await sharedUse();
    const tries = {
      'another state': (callback: string) => callback.replace(/state=[^&]+/, 'state=guessed'),
      'no state': (callback: string) => callback.replace(/&?state=[^&]+/, ''),
      'another code': (callback: string) => callback.replace(/code=[^&]+/, 'code=guessed'),
      'another issuer': (callback: string) => callback.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example'),
      late: (callback: string) => (wait(10 * minute), callback),
    };
    for (const [what, change] of Object.entries(tries)) {
      const agent = userAgent();
      const answer = await agent.visit(change(await logInAt(agent, url, 'ada')));
      expect(answer.status, what).toBe(what === 'another issuer' ? 502 : 403);
      expect(await answer.text()).toContain('You are not signed in');
      expect([...agent.cookiesFor(url).keys()], what).not.toContain('session');
    }
    const agent = userAgent();
    const callback = await logInAt(agent, url, 'ada');
    const [[name, attempt] = ['', '']] = agent.cookiesFor(url);
    expect((await userAgent().visit(callback)).status, 'in another browser').toBe(403);
    expect((await agent.visit(callback)).status).toBe(302);
    expect((await agent.visit(callback)).status, 'a second time').toBe(403);
    agent.cookiesFor(url).set(name, attempt);
    expect((await agent.visit(callback)).status, 'a second time, with the cookie of the first').toBe(403);
    expect(readFileSync(join(folder, 'console.sqlite-wal'), 'latin1')).not.toContain(
      agent.cookiesFor(url).get('session'),
    );
  });

  it('succeeds in several tabs of a browser at once, in whichever order they return (threat 2.10)', async () => {
    const { url } = await sharedUse();
    const agent = userAgent();
    const first = await agent.follow(`${url}/settings`, (location) => location.includes('/auth?'));
    const callback = await logInAt(agent, `${url}/debtors`, 'ada');
    const isBack = (location: string) => location.includes('/signin/callback?');
    const other = await agent.follow(first.url, isBack);
    for (const [at, page] of [
      [other.url, '/settings'],
      [callback, '/debtors'],
    ] as const) {
      const answer = await agent.visit(at);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, page]);
    }
    expect([...agent.cookiesFor(url).keys()]).toEqual(['session']);
  });

  it('keeps only the latest ten attempts of a browser (threat 2.10)', async () => {
    const { url } = await sharedUse();
    const agent = userAgent();
    for (let begun = 0; begun < 12; begun += 1) await agent.visit(`${url}/signin`);
    expect(agent.cookiesFor(url).size).toBe(10);
    const { url: at } = await agent.follow(`${url}/signin`, (location) => location.includes('/auth?'));
    expect(agent.cookiesFor(url).size).toBe(10);
    const answer = await agent.visit(await logInAt(agent, at, 'ada'));
    expect(answer.status).toBe(302);
  });

  it('gives a session a new id and ends the previous session (threat 2.11)', async () => {
    const { url, signedIn, here, apiOf } = await sharedUse();
    const { cookiesFor, visit, follow } = await signedIn('ada');
    const before = cookiesFor(url).get('session')!;
    const { url: callback } = await follow(`${url}/signin`, (location) => location.includes('/signin/callback?'));
    await visit(here(callback));
    expect(cookiesFor(url).get('session')).not.toBe(before);
    const thief = userAgent();
    thief.cookiesFor(url).set('session', before);
    expect(await apiOf(thief).refused('getSettings')).toMatchObject({ code: 'signed-out' });
  });

  it('answers 502 if the identity provider cannot be reached, and the console keeps running', async () => {
    const nowhere = { issuer: 'http://127.0.0.1:1', clientId: 'console' };
    const { url } = await sharedUse({ provider: (publicUrl) => Promise.resolve({ ...nowhere, publicUrl }) });
    const answer = await fetch(`${url}/signin`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('The sign-in service cannot be reached');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

describe('A session of a signed-in user', () => {
  it('is held in a cookie with HttpOnly and SameSite=Lax (threat 2.11)', async () => {
    const { signedIn } = await sharedUse();
    const cookies = (await signedIn('ada')).answer.headers.getSetCookie();
    expect(cookies.at(-1)).toMatch(/^session=[\w-]{43}; path=\/; samesite=lax; httponly$/);
  });

  it('is held in a Secure cookie and sent with HSTS if the console’s public URL uses TLS (threat 2.14)', async () => {
    const { signedIn, url } = await sharedUse({ publicUrl: 'https://console.example' });
    const { answer, done } = await signedIn('ada');
    expect(answer.headers.getSetCookie().at(-1)).toMatch(
      /^__Host-session=[\w-]{43}; path=\/; samesite=lax; secure; httponly$/,
    );
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect((await done('getSettings')).useMock).toBe('true');
    const plain = await fetch(`${(await sharedUse()).url}/healthz`);
    expect([plain.headers.get('strict-transport-security'), new URL(url).protocol]).toEqual([null, 'http:']);
  });

  it('ends at the console and at the identity provider when the user signs out (threat 2.11)', async () => {
    const { url, signedIn, config, apiOf } = await sharedUse();
    const agent = await signedIn('ada');
    const stolen = userAgent();
    stolen.cookiesFor(url).set('session', agent.cookiesFor(url).get('session')!);
    const { location } = await agent.done('signOut');
    expect(await apiOf(stolen).refused('getSettings')).toMatchObject({ code: 'signed-out' });

    const page = await agent.visit(location);
    expect(new URL(location).origin).toBe(config.access!.issuer);
    const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(await page.text()) ?? [];
    const end = await agent.follow(`${config.access!.issuer}/session/end/confirm`, undefined, { xsrf, logout: 'yes' });
    expect(end.url).toMatch(new RegExp(`^${url}/signedout`));
    expect(await end.response.text()).toContain('You are signed out.');
    const again = await agent.follow(`${url}/`);
    expect(new URL(again.url).pathname, 'the provider asks who it is').toMatch(/^\/interaction\//);
  });

  it('cannot be ended by a request from another site (threat 1.8)', async () => {
    const { signedIn } = await sharedUse();
    const { refused, done } = await signedIn('ada');
    for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect(await refused('signOut', { headers })).toMatchObject({ code: 'forbidden' });
    await done('getSettings');
  });
});

describe('A page left open while another user signed in from another tab', () => {
  const subjectIn = async (page: Response) => /name="subject" content="(\w+)"/.exec(await page.text())?.[1] ?? '';

  it('has every call refused with 409 and without effect (behaviour 3.19; threat 2.7)', async () => {
    const { url, signedIn } = await sharedUse();
    const browser = await signedIn('ada');
    const ofAda = { [subjectHeader]: await subjectIn(await browser.visit(`${url}/`)) };
    const body = { key: 'providerCountry' as const, value: 'GB' };
    await browser.done('setSetting', { body, headers: ofAda });

    browser.cookiesFor(url).clear();
    const grace = await signedIn('grace');
    const [[name, session] = ['', '']] = grace.cookiesFor(url);
    browser.cookiesFor(url).set(name, session);
    const before = await grace.done('getSettings');
    for (const each of Object.keys(calls) as CallName[])
      expect(await browser.refused(each, { headers: ofAda }), each).toMatchObject({
        status: 409,
        code: 'another-user',
        detail: expect.stringContaining('another user') as string,
        ...(calls[each].method !== 'GET' && { outcome: 'not-sent' }),
      });
    expect(await browser.refused('setSetting', { body, headers: ofAda })).toMatchObject({ code: 'another-user' });
    // The browser requests these itself, without custom headers.
    for (const path of [eventsPath, ...Object.values(timelinePaths)])
      expect((await browser.visit(`${url}${path}?${new URLSearchParams(ofAda).toString()}`)).status, path).toBe(409);
    expect(await grace.done('getSettings'), 'and she is still signed in').toEqual(before);

    const ofGrace = { [subjectHeader]: await subjectIn(await browser.visit(`${url}/`)) };
    expect(ofGrace).not.toEqual(ofAda);
    await browser.done('setSetting', { body, headers: ofGrace });
    await signedIn('ada').then((ada) => ada.done('getSettings', { headers: ofAda }));
  });
});
