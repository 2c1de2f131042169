import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { systemClock as clock } from '#server/clock.ts';
import { openSandboxStore } from '#server/sandbox/store/sandboxStore.ts';
import { openTenantStore } from '#server/sandbox/store/tenantStore.ts';
import { openDatabase } from '#server/storage/database.ts';
import { before, migrations } from '#server/storage/migrations.ts';
import { startFailure } from '#server/ops/startFailure.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { statement, startPostgres, temporaryDatabase } from '#tests/support/postgres.ts';
import { testSandbox } from '../harness.ts';

const log = pino({ level: 'silent' });

async function opened(url: string) {
  const store = await openSandboxStore(url, { clock, log });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await store.close();
    isClosed = true;
  };
  onTestFinished(close);
  return { ...store, close, receivers: openTenantStore(store, 'one').collection<{ url: string }>('receiver') };
}

/** The sentence printed if the sandbox cannot be kept in the database. */
const refusal = (url: string): Promise<string | undefined> =>
  opened(url).then(
    () => undefined,
    (error: unknown) => startFailure(error, parseConfig({ SANDBOX_STORE_URL: url })),
  );

/** Makes a database that of a console. */
async function consoleDatabase(url: string): Promise<void> {
  const options = {
    program: 'console',
    migrations,
    before,
    clock,
    onError: () => undefined,
  } as const;
  const database = await openDatabase({ url, ...options });
  await database.close();
}

/**
 * Cuts the connection by which the program `name` holds the lock of the process that works on the database, and takes
 * the lock. Resolves, once the program has failed to take it again, with a function that releases it.
 */
async function takeLock(url: string, name: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url);
  await client.connect();
  const taken = client.query("select pg_advisory_lock(hashtextextended('worker', 0))");
  const locks = "from pg_locks where locktype = 'advisory'";
  const session = `from pg_stat_activity where application_name = '${name}'`;
  const found = (text: string) => expect.poll(() => statement(url, text), { timeout: 20_000 }).not.toEqual([]);
  await found(`select pid ${locks} and not granted`);
  await statement(url, `select pg_terminate_backend(pid) ${session} and pid in (select pid ${locks})`);
  await taken;
  await found(`select pid ${session} and state = 'idle' and query like 'select pg_try_advisory_lock(%'`);
  return () => client.end();
}

describe('a database of the sandbox', () => {
  it('is refused if it is a console’s, holds something else or is of a later version, and its password is not told', async () => {
    const url = await temporaryDatabase();
    const { host, pathname } = new URL(url);
    const shown = `SANDBOX_STORE_URL names the database ${host}${pathname}`;
    await statement(url, 'create table orders (id integer)');
    expect(await refusal(url)).toBe(`${shown}: it holds tables of something else (orders), give an empty database.`);
    await statement(url, 'drop table orders');
    await consoleDatabase(url);
    expect(await refusal(url)).toBe(`${shown}: it is the database of a console, give the sandbox one of its own.`);
    expect(await refusal(Object.assign(new URL(url), { pathname: '/nowhere' }).href)).toBe(
      `SANDBOX_STORE_URL names the database ${host}/nowhere: there is no such database, create it or give another one.`,
    );
    const own = await temporaryDatabase();
    await (await opened(own)).close();
    await expect(consoleDatabase(own)).rejects.toThrow(
      'it is the database of a sandbox, give the console one of its own',
    );
    await statement(own, "insert into sandbox_migration (name, timestamp) values ('999 later', '')");
    expect(await refusal(own)).toContain('it was made by a later version of the sandbox (migration "999 later"), ');
  });

  it.runIf(allPaths)(
    'is used by one process, and by the next one once that has ended (threat 7.7)',
    { timeout: 60_000 },
    async () => {
      const url = await temporaryDatabase();
      const first = await opened(url);
      await first.receivers.save('a', { url: 'a' });
      const warn = vi.spyOn(log, 'warn');
      expect(await refusal(url)).toMatch(/: another sandbox works on it, stop that one or give another database\.$/);
      expect(warn.mock.calls).toEqual([['another sandbox works on the database: waiting a few seconds for it to end']]);
      warn.mockRestore();
      const next = opened(`${url}?connections=5&sslmode=disable&application_name=next`);
      await first.close();
      expect(await (await next).receivers.find('a')).toEqual({ url: 'a' });
      const held =
        "select distinct application_name as name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory'";
      expect(await statement(url, `${held} and datname = current_database()`)).toEqual([{ name: 'next' }]);
    },
  );

  it(
    'is left to a process that took it over when the lock was lost, and used again after its end (threat 7.7)',
    { timeout: 60_000 },
    async () => {
      const url = await temporaryDatabase();
      const first = await opened(`${url}?application_name=first`);
      const takenBack = vi.fn();
      first.onTakenBack(takenBack);
      const release = await takeLock(url, 'first');
      // While no other process works on the database, it goes on.
      await first.receivers.save('a', { url: 'first' });
      const opening = opened(url);
      await release();
      const other = await opening;
      await expect(first.receivers.save('a', { url: 'lost' })).rejects.toThrow('another sandbox works on it');
      await other.receivers.save('b', { url: 'other' });
      expect(takenBack).not.toHaveBeenCalled();
      await other.close();
      await eventually(() => first.receivers.save('a', { url: 'again' }));
      expect(takenBack).toHaveBeenCalledOnce();
      expect(await first.receivers.list('')).toEqual([{ url: 'again' }, { url: 'other' }]);
    },
  );

  it(
    'that is unreachable leads to 503, and to normal responses once it is back (threat 7.8)',
    { timeout: 120_000 },
    async () => {
      const server = await startPostgres();
      onTestFinished(() => server.end(), 60_000);
      const sandbox = await testSandbox({}, undefined, server.url);
      const who = await sandbox.authorised();
      await server.stop();
      const subscribed = () => sandbox.subscribe(who, 'authorises');
      const refused = await subscribed();
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.body.detail).toBe('The sandbox cannot use its store at present; try again');
      const waiting = sandbox.received.length;
      await server.start();
      await eventually(async () => expect((await subscribed()).status).toBe(201), { timeout: 30_000 });
      expect((await sandbox.call('GET', endpoints.banks)).status).toBe(200);
      await eventually(
        async () => {
          sandbox.clock.increment(1000);
          await sandbox.settled();
          expect(sandbox.received.length).toBeGreaterThan(waiting);
        },
        { timeout: 30_000 },
      );
    },
  );
});
