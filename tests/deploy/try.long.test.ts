import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, fetch as undiciFetch } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { hasNginx } from '../../deploy/try/nginx.ts';
import { startSetup, type Setup } from '../../deploy/try/setup.ts';
import { ready } from '../../scripts/ready.mjs';
import { apiAt } from '#tests/support/api.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { logInAt, userAgent } from '#tests/support/userAgent.ts';

/** A `fetch` that trusts the private authority. */
function trusting({ authority }: Setup): typeof fetch {
  const dispatcher = new Agent({ connect: { ca: readFileSync(authority) } });
  onTestFinished(() => dispatcher.destroy());
  return ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch; // it answers alike
}

/** A user's browser after signing in, and the API of each server and of nginx with its cookies. */
async function signedIn(setup: Setup, fetch: typeof globalThis.fetch, login: string) {
  const agent = userAgent(fetch);
  const { status } = await agent.visit(await logInAt(agent, `${setup.publicUrl}/`, login));
  const cookie = [...agent.cookiesFor(setup.publicUrl)].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = () => ({ cookie, 'x-forwarded-proto': 'https' });
  return { status, cookie, at: setup.consoles.map(({ url }) => apiAt(url, headers)) };
}

it.skipIf(!hasNginx())(
  'the set-up of deploy/try signs users in at a provider with a private authority, shares writes, restarts without a failure, removes a user and leaves nothing',
  { timeout: 300_000 },
  async () => {
    await ready();
    const setup = await startSetup();
    onTestFinished(() => setup.end(), 60_000);
    const fetch = trusting(setup);
    const folder = dirname(setup.authority);

    const [ada, bob] = [await signedIn(setup, fetch, 'ada'), await signedIn(setup, fetch, 'bob')];
    expect([ada.status, bob.status]).toEqual([302, 302]);
    expect((await signedIn(setup, fetch, 'eve@elsewhere.example')).status, 'who is of another domain').toBe(403);

    await ada.at[0]!.done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
    await ada.at[0]!.done('createOrganisation', { body: organisationBody });
    const [, other] = ada.at;
    expect(await other!.done('getSettings')).toMatchObject({ providerCountry: 'GB' });
    expect((await other!.done('getSettings')).organisationId).not.toBe('');
    expect((await bob.at[1]!.done('getSettings')).organisationId, 'of another user').toBe('');

    let goesOn = true;
    const failures: string[] = [];
    let [reads, writes] = [0, 0];
    const ask = async (method: string, path: string, sent?: object) => {
      const answer = await fetch(setup.publicUrl + path, {
        method,
        headers: { cookie: bob.cookie, 'content-type': 'application/json', origin: setup.publicUrl },
        ...(sent && { body: JSON.stringify(sent) }),
      }).catch(String);
      if (typeof answer === 'string') return void failures.push(`${method} ${path}: ${answer}`);
      const text = await answer.text();
      if (!answer.ok) failures.push(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    };
    const visiting = Array.from({ length: 4 }, async (_, visitor) => {
      while (goesOn) {
        await ask('GET', '/api/settings');
        reads += 1;
        await ask('POST', '/api/settings', { key: 'providerCountry', value: ['GB', 'US'][visitor % 2] });
        writes += 1;
      }
    });
    for (const console of setup.consoles) {
      await pause(500);
      expect(await console.restart()).toBe(0);
    }
    await pause(500);
    goesOn = false;
    await Promise.all(visiting);
    expect([...new Set(failures)]).toEqual([]);
    expect(Math.min(reads, writes)).toBeGreaterThan(50);

    const users = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['scripts/start.mjs', 'users', ...args], {
        env: { PATH: process.env['PATH'], ...setup.env },
      }).then(({ stdout }) => stdout);
    expect(await users('list')).toMatch(/ada[^]* bob|bob[^]* ada/);
    setup.removed.add('ada');
    await users('remove', 'ada', '--yes');
    for (const api of ada.at) expect(await api.refused('getSettings')).toMatchObject({ code: 'signed-out' });
    for (const api of bob.at) await api.done('getSettings');
    expect(await users('list')).not.toContain(' ada ');

    await setup.end();
    expect(existsSync(folder)).toBe(false);
    for (const { url } of setup.consoles) await expect(globalThis.fetch(url)).rejects.toThrow();
  },
);
