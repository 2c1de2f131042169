import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '#tests/support/consoleProcess.ts';
import { startPostgres, statement } from '#tests/support/postgres.ts';
import { makeCertificates } from './certificates.ts';
import { startNginx } from './nginx.ts';
import { answers, startProgram, type Program } from './programs.ts';
import { startProvider } from './provider.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Server {
  /** Where it listens itself, behind nginx. */
  url: string;
  printed(): string;
  /** Ends it by SIGTERM, starts it again and waits until it is ready; resolves with the exit code of the first. */
  restart(): Promise<number | null>;
}

export interface Setup {
  /** Where users visit the consoles, by nginx. */
  publicUrl: string;
  issuer: string;
  /** The file with the certificate of the private authority. */
  authority: string;
  /** A file with the variables of a console. */
  variables: string;
  env: Readonly<Record<string, string>>;
  consoles: readonly Server[];
  /** The names that the provider no longer knows. */
  removed: Set<string>;
  /** Ends all of it and removes its data. */
  end(): Promise<void>;
}

/** Starts everything on free ports with data in a temporary folder. The server must be built. */
export async function startSetup({ say = () => undefined }: { say?: (line: string) => void } = {}): Promise<Setup> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-out-try-'));
  const ending: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  /** The last that was started ends first. */
  const end = async () => {
    for (const each of ending.splice(0).reverse()) await each();
  };
  try {
    return { ...(await start(folder, ending, say)), end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function start(
  folder: string,
  ending: (() => unknown)[],
  say: (line: string) => void,
): Promise<Omit<Setup, 'end'>> {
  const ports = { console: await freePort(), login: await freePort(), sandbox: await freePort() };
  const [publicUrl, issuer, sandboxPublicUrl] = Object.values(ports).map((port) => `https://localhost:${port}`) as [
    string,
    string,
    string,
  ]; // one for each
  const { authority, ...certificate } = makeCertificates(folder);

  say('Starting PostgreSQL');
  const postgres = await startPostgres();
  ending.push(() => postgres.end());
  const databaseOf = async (name: string) => {
    await statement(postgres.url, `create database ${name}`);
    return postgres.url.replace(/\/postgres$/, `/${name}`);
  };

  const client = { clientId: 'console', clientSecret: randomBytes(24).toString('hex') };
  const login = await freePort();
  const provider = await startProvider({ issuer, port: login, publicUrl, ...client });
  ending.push(() => provider.end());

  const inner = { sandbox: await freePort(), consoles: [await freePort(), await freePort()] };
  const at = (port = 0) => `127.0.0.1:${port}`;
  say('Starting nginx');
  const nginx = startNginx({
    folder,
    certificate,
    say,
    served: [
      { name: 'console.localhost', port: ports.console },
      { name: 'login.localhost', port: ports.login },
      { name: 'sandbox.localhost', port: ports.sandbox },
    ],
    addresses: {
      '172.30.17.11:3000': at(inner.consoles[0]),
      '172.30.17.12:3000': at(inner.consoles[1]),
      '172.30.17.13:3001': at(inner.sandbox),
      '172.30.17.14:5556': at(login),
    },
  });
  ending.push(() => nginx.end());

  const common = {
    NODE_EXTRA_CA_CERTS: authority,
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    SANDBOX_PUBLIC_URL: sandboxPublicUrl,
    SANDBOX_SECRET: randomBytes(24).toString('hex'),
  };
  const env = {
    ...common,
    STORE_URL: await databaseOf('console'),
    STORE_KEY: randomBytes(32).toString('base64'),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    OIDC_SCOPE: '"openid profile email offline_access"',
    OIDC_ALLOWED: 'domain:example.com',
    SANDBOX_URL: `http://${at(inner.sandbox)}`,
  };
  const variables = join(folder, 'variables');
  writeFileSync(
    variables,
    Object.entries(env)
      .map((each) => `${each.join('=')}\n`)
      .join(''),
    { mode: 0o600 },
  );
  const given = { ...env, OIDC_SCOPE: env.OIDC_SCOPE.replaceAll('"', '') };

  /** A program of the built server, in a folder of its own. */
  const startServer = async (name: string, file: string, own: Record<string, string>, ready: string) => {
    const cwd = join(folder, name);
    mkdirSync(cwd, { recursive: true });
    const program = startProgram([process.execPath, join(root, 'dist/server', file)], {
      env: { PATH: process.env['PATH'], HOME: cwd, DATA_DIR: cwd, LOG_LEVEL: 'info', ...own },
      cwd,
      log: join(cwd, 'log'),
    });
    ending.push(() => program.end());
    await answers(ready, program);
    return program;
  };

  say('Starting the sandbox and two consoles');
  await startServer(
    'sandbox',
    'sandbox.js',
    {
      ...common,
      SANDBOX_HOST: '127.0.0.1',
      SANDBOX_PORT: String(inner.sandbox),
      SANDBOX_STORE_URL: await databaseOf('sandbox'),
      WEBHOOK_URL: `${publicUrl}/notifications`,
    },
    `http://${at(inner.sandbox)}/`,
  );
  const consoles: Server[] = [];
  for (const [index, port] of inner.consoles.entries()) {
    const url = `http://${at(port)}`;
    const own = { ...given, HOST: '127.0.0.1', PORT: String(port) };
    const startConsole = () => startServer(`console-${index + 1}`, 'main.js', own, `${url}/readyz`);
    let program: Program = await startConsole();
    consoles.push({
      url,
      printed: () => program.printed(),
      async restart() {
        const code = await program.end();
        program = await startConsole();
        return code;
      },
    });
  }
  return { publicUrl, issuer, authority, variables, env: given, consoles, removed: provider.removed };
}
