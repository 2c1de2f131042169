import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '#tests/support/consoleProcess.ts';
import { identityProvider } from '#tests/support/identityProvider.ts';
import { temporaryDatabase } from '#tests/support/postgres.ts';
import { environmentOf, services } from './compose.ts';
import { makeImage } from './image.ts';
import { ask, isInstalled, proxy } from './proxy.ts';

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
