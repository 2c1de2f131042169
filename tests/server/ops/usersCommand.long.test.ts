import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programTokenHeader } from '#contract/programs.ts';
import { apiAt } from '#tests/support/api.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { identityProvider } from '#tests/support/identityProvider.ts';
import { temporaryDatabase } from '#tests/support/postgres.ts';
import { startCommand } from '#tests/support/startCommand.ts';
import { temporaryFolder, testKey } from '#tests/support/store.ts';
import { logInAt, userAgent } from '#tests/support/userAgent.ts';

const STORE_KEY = testKey(7).export().toString('base64');

/** A console as `npm start` runs it, and the operator's command for its store. */
async function aConsole(database?: string) {
  const dataDir = temporaryFolder();
  const env = { DATA_DIR: dataDir, STORE_KEY, ...(database !== undefined && { STORE_URL: database }) };
  const console = await newConsole(env);
  onTestFinished(() => console.remove());
  const users = (...args: string[]) => startCommand(['users', ...args], env);
  return { ...console, ...apiAt(console.url), dataDir, users };
}

describe.each([
  ['SQLite', () => Promise.resolve(undefined)],
  ['PostgreSQL', temporaryDatabase],
])('npm run users on %s', { timeout: 240_000 }, (_, newDatabase) => {
  it('works while the console runs, and while it is stopped', async () => {
    const server = await aConsole(await newDatabase());
    await server.start();
    await server.done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
    const { token } = (await server.done('makeProgramToken', { body: { name: 'Nightly' } })).data;
    expect(await server.users('list')).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^default +- /m) as string,
    });
    expect((await server.users('tokens')).printed).toContain('Nightly');

    const file = join(server.dataDir, 'default.json');
    expect(await server.users('export', 'default', file)).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('providerCountry');
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    expect(await server.users('export', 'default', file)).toMatchObject({
      code: 1,
      printed: `${file} is there already: give another file.\n`,
    });

    await server.stop('SIGTERM');
    expect((await server.users('tokens')).printed).toContain('Nightly');
    await server.start();
    expect(await server.users('remove', 'default', '--yes')).toMatchObject({ code: 0 });
    expect((await server.done('getSettings')).providerCountry).not.toBe('GB');
    expect((await server.done('getPrograms')).data.tokens).toEqual([]);
    expect((await server.users('tokens')).printed).not.toContain('Nightly');
  });
});

describe('npm run users', () => {
  it('makes no store and no key where there is none', async () => {
    const { users, dataDir } = await aConsole();
    expect(await users('list')).toMatchObject({ code: 1, printed: expect.stringMatching(/^There are no users: .* is missing\.$/m) as string }); // prettier-ignore
    for (const name of ['console.sqlite', 'store.key', 'store.key.new'])
      expect(existsSync(join(dataDir, name))).toBe(false);
  });
});

describe('npm run users beside two servers with sign-in', { timeout: 240_000 }, () => {
  it('removes a user from both at once: sessions, tokens and data, while others work on (threat 6.43, 6.44)', async () => {
    const STORE_URL = await temporaryDatabase();
    const [one, other] = [await aConsole(STORE_URL), await aConsole(STORE_URL)];
    const { issuer, clientId, clientSecret, publicUrl } = await identityProvider(one.url, { refreshes: true });
    const access = {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret!,
      PUBLIC_URL: publicUrl,
      OIDC_ALLOWED: 'subject:ada, subject:bob',
    };
    await Promise.all([one.start(access), other.start(access)]);
    /** A user's client of both servers. */
    async function signedIn(login: string) {
      const agent = userAgent();
      const { status } = await agent.visit(await logInAt(agent, one.url, login));
      const cookie = [...agent.cookiesFor(one.url)].map(([name, value]) => `${name}=${value}`).join('; ');
      return { status, at: [one, other].map(({ url }) => apiAt(url, () => ({ cookie }))) };
    }
    const [ada, bob] = [await signedIn('ada'), await signedIn('bob')];
    expect((await signedIn('eve')).status, 'who is not admitted').toBe(403);
    const make = async ({ at }: typeof ada) =>
      (await at[0]!.done('makeProgramToken', { body: { name: 'Nightly' } })).data.token;
    const tokens = { ada: await make(ada), bob: await make(bob) };
    /** Whether each console refuses a token; what the service says of the call does not matter. */
    const refusals = (token: string) =>
      Promise.all(
        [one, other].map(async ({ url }) => {
          const answer = await fetch(`${url}/program/v3/providers`, { headers: { [programTokenHeader]: token } });
          return (await answer.text()).includes('"urn:problem:forbidden"');
        }),
      );
    for (const token of Object.values(tokens)) expect(await refusals(token)).toEqual([false, false]);
    for (const api of ada.at) await api.done('getSettings');

    expect((await one.users('list')).printed).toMatch(/^user-\w+ +ada .* ada +\S+ +1 +1$/m);
    expect(await one.users('remove', 'ada', '--yes')).toMatchObject({ code: 0 });
    for (const api of ada.at) expect(await api.refused('getSettings')).toMatchObject({ code: 'signed-out' });
    for (const api of bob.at) await api.done('getSettings');
    expect(await refusals(tokens.ada)).toEqual([true, true]);
    expect(await refusals(tokens.bob)).toEqual([false, false]);
    expect((await one.users('list')).printed).not.toContain(' ada ');
  });
});
