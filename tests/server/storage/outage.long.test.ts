import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseError } from '#server/storage/errors.ts';
import { eventually } from '#tests/support/eventually.ts';
import { openHole } from '#tests/support/tcpProxy.ts';
import { startPostgres, statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { collectionIn, here, testDatabase, testStorage } from '#tests/support/storage.ts';

const aWrite = {
  ...here,
  key: 'key',
  call: 'createBatch',
  fingerprint: 'print',
  serviceKey: 'service',
  body: null,
  serviceTime: undefined,
};

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** How long (ms) it takes until this is rejected with a DatabaseError. */
async function rejectedAfter(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await expect(work).rejects.toBeInstanceOf(DatabaseError);
  return performance.now() - begun;
}

describe('A PostgreSQL database', () => {
  it('with another default isolation level is used with read committed', async () => {
    const url = await temporaryDatabase();
    await statement(url, `alter database ${nameOf(url)} set default_transaction_isolation = serializable`);
    const { read, transaction } = await testDatabase(url);
    const shown = () => read((db) => sql`show transaction_isolation`.execute(db));
    for (const { rows } of [await shown(), await transaction('w', shown)])
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
  });

  it('that ends idle connections causes a short log line, and later reads succeed', async () => {
    const url = await temporaryDatabase();
    const errors: unknown[] = [];
    const { read } = await testDatabase(`${url}?options=-c%20idle_session_timeout%3D100`, errors);
    await read((db) => sql`select 1`.execute(db));
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    const line = JSON.stringify(pino.stdSerializers.err(errors[0] as Error)); // what the driver emits
    expect(line.length).toBeLessThan(5000);
    expect(line).not.toContain('console.server');
    expect((await read((db) => sql`select 1 as one`.execute(db))).rows).toEqual([{ one: 1 }]);
  });

  it('with few connections serves more concurrent work, which waits for a free one', async () => {
    const url = await temporaryDatabase();
    const role = nameOf(url);
    await statement(url, `create role ${role} login password 'few' connection limit 4`);
    await statement(url, `grant all on schema public to ${role}`);
    onTestFinished(async () => {
      await statement(url, `drop owned by ${role} cascade`);
      await statement(url, `drop role ${role}`);
    });
    const database = await testDatabase(Object.assign(new URL(url), { username: role, password: 'few' }).href);
    const sleep = () => database.read((db) => sql`select pg_sleep(0.05)`.execute(db));
    const work = Array.from({ length: 10 }, (_, index) =>
      index % 2 ? sleep() : database.transaction(String(index), sleep),
    );
    expect(await Promise.all(work)).toHaveLength(10);
    await database.close();
  });

  it('that stops responding makes all operations fail within 16 s, and is used again afterwards', async () => {
    const hole = await openHole(await temporaryDatabase());
    const storage = await testStorage(hole.url);
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    await notes.put(here, 'one', 'stored');
    const within = storage.transaction('w', async () => {
      await notes.put(here, 'two', 'undone');
      hole.swallow();
      await notes.put(here, 'three', 'undone');
    });
    await wait(50);
    const times = await Promise.all([
      rejectedAfter(within),
      rejectedAfter(notes.get(here, 'one')),
      rejectedAfter(notes.put(here, 'four', 'unknown')),
      rejectedAfter(storage.transaction('v', () => notes.put(here, 'five', 'undone'))),
      rejectedAfter(storage.writes.claim(aWrite)),
    ]);
    expect(Math.max(...times)).toBeLessThan(16_000);
    hole.forward();
    expect(await notes.get(here, 'one')).toBe('stored');
    expect(await notes.get(here, 'two')).toBeUndefined();
    // The claim that failed may have been stored: its key then stays claimed, otherwise it is free.
    await eventually(async () =>
      expect((await storage.writes.claim(aWrite)) ?? (await storage.writes.find(here, 'key'))).toMatchObject({
        state: 'claimed',
        turn: 1,
      }),
    );
  }, 60_000);

  it('that is restarted refuses writes meanwhile, loses no stored records and reports a gap', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.end());
    const storage = await testStorage(server.url);
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    const gaps: unknown[] = [];
    storage.subscribe('topic', (message) => gaps.push(message));
    await notes.put(here, 'one', 'stored');
    await server.stop();
    await expect(notes.put(here, 'two', 'refused')).rejects.toBeInstanceOf(DatabaseError);
    await expect(storage.assertWritable()).rejects.toBeInstanceOf(DatabaseError);
    await server.start();
    await eventually(() => storage.assertWritable());
    expect(await notes.get(here, 'one')).toBe('stored');
    expect(gaps).toContainEqual({ gap: true });
    expect(await storage.tryLock('name')).toBeDefined();
    await storage.close();
  }, 60_000);

  it('that cuts a connection within a transaction rolls it back, and the connection is not reused', async () => {
    const url = await temporaryDatabase();
    const storage = await testStorage(url);
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    const failing = storage.transaction('w', async () => {
      await notes.put(here, 'one', 'undone');
      await statement(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`,
      );
      await notes.put(here, 'two', 'undone');
    });
    await expect(failing).rejects.toMatchObject({ code: expect.stringMatching(/^POSTGRES_(57P01|ENDED)$/) as string });
    for (let times = 0; times < 5; times += 1) expect(await notes.count(here)).toBe(0);
  });
});
