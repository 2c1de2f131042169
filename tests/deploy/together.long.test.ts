import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, fetch as undiciFetch } from 'undici';
import { freePort } from '#tests/support/consoleProcess.ts';
import { identityProvider } from '#tests/support/identityProvider.ts';
import { temporaryDatabase } from '#tests/support/postgres.ts';
import { apiAt } from '#tests/support/api.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { logInAt, userAgent } from '#tests/support/userAgent.ts';
import { environmentOf, services } from './compose.ts';
import { makeImage } from './image.ts';
import { ask, isInstalled, proxy } from './proxy.ts';
import { hasNginx } from '../../deploy/try/nginx.ts';
import { startSetup, type Setup } from '../../deploy/try/setup.ts';
import { ready } from '../../scripts/ready.mjs';

const values = {
  STORE_KEY: randomBytes(32).toString('base64'),
  POSTGRES_PASSWORD: 'none',
  SANDBOX_SECRET: randomBytes(24).toString('hex'),
  OIDC_CLIENT_SECRET: 'none',
};

it.runIf(isInstalled)(
  'two consoles from compose.yaml serve behind the proxy without a failure while each is restarted',
  { timeout: 120_000 },
  async () => {
    const image = makeImage();
    onTestFinished(() => image.remove(), 60_000);
    const ports: Record<string, number> = {};
    for (const name of ['console-1', 'console-2', 'sandbox']) ports[name] = await freePort();
    const sandboxUrl = `http://127.0.0.1:${ports['sandbox']}`;
    const provider = await identityProvider('https://console.localhost');
    const addresses = Object.entries(ports).map(([name, port]) => [name, `127.0.0.1:${port}`]);
    const reached = await proxy(Object.fromEntries(addresses) as Record<string, string>);
    const [store, sandboxStore] = [await temporaryDatabase(), await temporaryDatabase()];

    /** What differs without containers: names, ports, the provider, and the database's user. */
    const start = async (name: string) => {
      const there = {
        HOST: '127.0.0.1',
        PORT: String(ports[name]),
        TRUSTED_PROXIES: '127.0.0.1',
        DATA_DIR: image.data(),
        NODE_EXTRA_CA_CERTS: reached.file,
        STORE_URL: store,
        OIDC_ISSUER: provider.issuer,
        OIDC_ALLOWED: 'all',
        OIDC_CLIENT_SECRET: provider.clientSecret ?? '',
        SANDBOX_URL: sandboxUrl,
        METRICS_PORT: String(await freePort()),
      };
      const own = {
        SANDBOX_HOST: '127.0.0.1',
        SANDBOX_PORT: String(ports['sandbox']),
        SANDBOX_STORE_URL: sandboxStore,
        DATA_DIR: image.data(),
      };
      const service = services[name]!;
      const said = environmentOf(service, values);
      const env = { ...said, ...(name === 'sandbox' ? own : { ...there, METRICS_HOST: '127.0.0.1' }) };
      const program = image.start(env, service.command);
      onTestFinished(() => void program.end('SIGKILL'));
      const path = name === 'sandbox' ? '/' : '/readyz';
      await expect
        .poll(() => image.health(`http://127.0.0.1:${ports[name]}${path}`), {
          timeout: 60_000,
          message: program.printed(),
        })
        .toBe(0);
      return program;
    };
    await start('sandbox');
    const consoles = { 'console-1': await start('console-1'), 'console-2': await start('console-2') };

    const page = await ask(reached, 'console.localhost', 'GET', { accept: 'text/html' });
    expect([page.statusCode, page.headers.location]).toEqual([302, '/signin?then=%2F']);
    const signIn = await ask(reached, 'console.localhost', 'GET', {}, '/signin?then=%2F');
    const authorize = new URL(signIn.headers.location ?? '');
    expect(authorize.origin).toBe(new URL(provider.issuer).origin);
    expect(authorize.searchParams.get('redirect_uri')).toBe('https://console.localhost/signin/callback');
    expect(await text(await ask(reached, 'sandbox.localhost'))).toContain('Sandbox');

    const found: (number | undefined)[] = [];
    let goesOn = true;
    const visiting = (async () => {
      while (goesOn) {
        const answer = await ask(reached, 'console.localhost', 'GET', {}, '/readyz');
        await text(answer);
        found.push(answer.statusCode);
      }
    })();
    for (const name of ['console-1', 'console-2'] as const) {
      expect(await consoles[name].end()).toBe(0);
      const before = found.length;
      await expect.poll(() => found.length, { timeout: 20_000 }).toBeGreaterThan(before + 10);
      consoles[name] = await start(name);
    }
    goesOn = false;
    await visiting;
    expect(found.filter((status) => status !== 200)).toEqual([]);
    for (const console of Object.values(consoles)) expect(await console.end()).toBe(0);
  },
);

/** A server on this machine in place of a container, which can be stopped. */
async function container(handle: RequestListener) {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

it.skipIf(!isInstalled)(
  'the proxy routes by host, resets forwarded headers, keeps users at one console and fails over between consoles',
  { timeout: 60_000 },
  async () => {
    const echo =
      (name: string): RequestListener =>
      ({ headers, method }, response) => {
        if (headers.accept !== 'text/event-stream') response.end(JSON.stringify({ name, method, headers }));
        else response.writeHead(200, { 'x-accel-buffering': 'no' }).write('first');
      };
    const [one, two, sandbox, login] = await Promise.all(
      ['console-1', 'console-2', 'sandbox', 'login'].map((name) => container(echo(name))),
    );
    const addresses = { 'console-1': one!.address, 'console-2': two!.address, sandbox: sandbox!.address };
    const reached = await proxy({ ...addresses, login: login!.address });
    const said = async (host: string, method?: string, headers?: Record<string, string>) =>
      JSON.parse(await text(await ask(reached, host, method, headers))) as {
        name: string;
        headers: Record<string, string>;
      };
    await expect
      .poll(() => said('sandbox.localhost').catch(String), { timeout: 20_000 })
      .toMatchObject({ name: 'sandbox' });
    expect(await said('login.localhost')).toMatchObject({ name: 'login' });

    const forged = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' };
    const { headers } = await said('console.localhost', 'GET', forged);
    expect(headers).toMatchObject({
      host: 'console.localhost',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    });

    const withPort = `console.localhost:${reached.port}`;
    const atPort = await said('console.localhost', 'GET', { host: withPort });
    expect(atPort.headers['host'], 'the port is part of the origin').toBe(withPort);

    const other = await ask(reached, 'localhost').catch((error: NodeJS.ErrnoException) => error.code);
    expect(other, 'a name that the certificate has not').toBe('ERR_TLS_CERT_ALTNAME_INVALID');

    const stream = await ask(reached, 'console.localhost', 'GET', { accept: 'text/event-stream' });
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.toString(), 'what is sent is not held back').toBe('first');
    stream.destroy();

    const users = Array.from({ length: 20 }, (_, user) => ({ cookie: `theme=dark; __Host-session=user-${user}` }));
    const served = async (method: string) => {
      const names: string[] = [];
      for (const user of users) names.push((await said('console.localhost', method, user)).name);
      return names;
    };
    const usual = await served('GET');
    expect(new Set(usual)).toEqual(new Set(['console-1', 'console-2']));
    expect(await served('POST'), 'a user stays at one').toEqual(usual);
    one!.stop();
    const names = [...(await served('GET')), ...(await served('POST'))];
    expect(names).toEqual(names.map(() => 'console-2'));

    two!.stop();
    const away = await ask(reached, 'console.localhost');
    expect(away.statusCode).toBe(502);
    expect(away.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    const page = await text(away);
    expect(page, 'a page says that no console runs, and asks again').toMatch(
      /http-equiv="refresh".*tries again by itself/,
    );
  },
);

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
