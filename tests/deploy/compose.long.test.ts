import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { callbackPath } from '#server/http/paths.ts';
import { parseConfig } from '#server/config/config.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { version } from '#server/version.ts';
import { addressOf, environmentOf, services, variables } from './compose.ts';
import { stages } from './containerfile.ts';

const read = (file: string): string => readFileSync(join('deploy', file), 'utf8');
const consoles = ['console-1', 'console-2'];
const image = stages().at(-1)!;

/** Values of `.env` that somebody could have filled in. */
const password = randomBytes(24).toString('hex');
const values = {
  POSTGRES_PASSWORD: password,
  STORE_KEY: randomBytes(32).toString('base64'),
  ...Object.fromEntries(
    ['SANDBOX_SECRET', 'OIDC_CLIENT_SECRET', 'SANDBOX_POSTGRES_PASSWORD'].map((name) => [
      name,
      randomBytes(24).toString('hex'),
    ]),
  ),
};
const environment = (name: string) => ({ ...image.env, ...environmentOf(services[name]!, values) });

describe('compose.yaml', () => {
  it('pins images to a version, its own to that of package.json', () => {
    const images = Object.values(services).map(({ image: name }) => name);
    const own = `payments-out-console:${version}`;
    expect(images.filter((name) => name !== own)).toHaveLength(3);
    for (const name of images) expect(name).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
  });

  it('has a line in .env.example for each of its variables, without values for secrets', () => {
    const lines = new Map(
      read('.env.example')
        .split('\n')
        .flatMap((line) => (/^\w+=/.test(line) ? [line.split(/=(.*)/s).slice(0, 2) as [string, string]] : [])), // name and value
    );
    expect([...lines.keys()].sort()).toEqual([...variables.all].sort());
    expect(variables.required.map((name) => lines.get(name)?.replaceAll("'", ''))).toEqual(
      variables.required.map(() => ''),
    );
    const secret = /KEY|SECRET|PASSWORD/;
    expect(variables.all.filter((name) => secret.test(name) && name !== 'STORE_KEY_PREVIOUS').sort()).toEqual(
      [...variables.required].sort(),
    );
  });

  it.each(consoles)('gives %s a valid environment, equal to that of the other console', (name) => {
    const config = parseConfig(environment(name));
    expect(config.storeUrl).toBe(`postgres://console:${password}@postgres:5432/console`);
    expect(config).toMatchObject({ host: '0.0.0.0', port: 3000, access: { publicUrl: 'https://console.localhost' } });
    expect(config.storeKeys).toHaveLength(1);
    expect(environment(name)).toEqual(environment(consoles[0]!));
  });

  it('gives the sandbox a valid environment and the secret shared with the consoles', () => {
    const config = parseConfig(environment('sandbox'), 'sandbox');
    expect(config).toMatchObject({ sandboxHost: '0.0.0.0', sandboxPort: 3001, allowedHosts: expect.arrayContaining(['sandbox']) as unknown }); // prettier-ignore
    const { SANDBOX_POSTGRES_PASSWORD } = environment('postgres');
    expect(config.sandboxStoreUrl).toBe(`postgres://sandbox:${SANDBOX_POSTGRES_PASSWORD}@postgres:5432/sandbox`);
    expect(environment('sandbox')['SANDBOX_SECRET']).toBe(environment('console-1')['SANDBOX_SECRET']);
    expect(environment('console-1')['SANDBOX_URL']).toBe('http://sandbox:3001');
    expect(environment('sandbox')['WEBHOOK_URL']).toBe(`https://console.localhost${notificationsPath}`);
  });

  it('sets only environment variables that the programs read', () => {
    const known = new Set(
      readFileSync('.env.example', 'utf8')
        .match(/^\w+(?==)/gm)
        ?.concat('NODE_EXTRA_CA_CERTS', 'NODE_ENV'),
    );
    const set = [...consoles, 'sandbox'].flatMap((name) => Object.keys(environment(name)));
    expect(set.filter((name) => !known.has(name))).toEqual([]);
  });

  it('runs every service read-only, and drops all capabilities but the database’s', () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.read_only]).toEqual([name, true]);
      if (name !== 'postgres') expect([name, service]).toEqual([name, expect.objectContaining({ cap_drop: ['ALL'] })]);
    }
  });

  it('uses commands and health checks that the image contains', () => {
    const { test } = services['sandbox']!.healthcheck!;
    expect(test.slice(0, 3)).toEqual(['CMD', ...image.health!.slice(0, 2)]);
    expect(services['sandbox']!.command).toEqual(['dist/server/sandbox.js']);
    expect(services['console-1']!.command ?? image.command).toEqual(['dist/server/main.js']);
  });

  it('mounts only existing files, except for the certificate', () => {
    const files = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) => (volume.startsWith('./') ? volume.split(':')[0]! : [])),
    );
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !file.startsWith('./tls') && !existsSync(join('deploy', file)))).toEqual([]);
  });
});

describe('the files beside compose.yaml:', () => {
  it('nginx.conf has the services’ addresses, and the consoles trust the proxy’s address', () => {
    const passed = [...read('nginx.conf').matchAll(/(172\.[\d.]+):(\d+)/g)].map(([, address, port]) => [address, port]);
    expect(passed).toEqual([
      ...consoles.map((name) => [addressOf(name), '3000']),
      [addressOf('sandbox'), '3001'],
      [addressOf('login'), '5556'],
    ]);
    for (const name of [...consoles, 'sandbox']) expect(environment(name)['TRUSTED_PROXIES']).toBe(addressOf('proxy'));
  });

  it('nginx.conf serves the host names under which containers reach the proxy', () => {
    const names = [...read('nginx.conf').matchAll(/server_name (\S+\.\S+);/g)].map(([, name]) => name);
    const networks = services['proxy']!.networks;
    expect('front' in networks && networks.front?.aliases).toEqual(expect.arrayContaining(names));
    expect(names).toHaveLength(3);
  });

  it('dex.yaml registers the consoles as a client with their secret and address', () => {
    const dex = parse(read('dex.yaml')) as {
      issuer: string;
      web: { http: string };
      staticClients: unknown[];
      staticPasswords: { hashFromEnv: string }[];
    };
    const { OIDC_ISSUER, OIDC_CLIENT_ID, PUBLIC_URL } = environment('console-1');
    expect(dex.issuer).toBe(OIDC_ISSUER);
    expect(dex.staticClients).toEqual([
      expect.objectContaining({
        id: OIDC_CLIENT_ID,
        secretEnv: 'OIDC_CLIENT_SECRET',
        redirectURIs: [`${PUBLIC_URL}${callbackPath}`],
      }),
    ]);
    expect(Object.keys(services['login']!.environment!)).toEqual(
      expect.arrayContaining(['OIDC_CLIENT_SECRET', ...dex.staticPasswords.map(({ hashFromEnv }) => hashFromEnv)]),
    );
  });
});
