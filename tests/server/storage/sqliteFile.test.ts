import { randomBytes } from 'node:crypto';
import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import Database from 'libsql';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '#server/ops/backup.ts';
import { addressOf } from '#server/storage/sqliteConnection.ts';
import { collectionIn, here, temporaryFile, testDatabase, testStorage } from '#tests/support/storage.ts';
import { temporaryFolder } from '#tests/support/store.ts';

async function opened() {
  const url = await temporaryFile();
  const storage = await testStorage(url);
  return { file: url.slice('file:'.length), storage, notes: collectionIn<string>(storage, { kind: 'notes' }) };
}

type Notes = Awaited<ReturnType<typeof opened>>['notes'];

/** Another connection of this process, which the lock does not exclude. */
function connectionTo(file: string): Database.Database {
  const connection = new Database(addressOf(file));
  onTestFinished(() => void connection.close());
  return connection;
}

const committed = (file: string): number =>
  (connectionTo(file).prepare('select count(*) as count from records').get() as { count: number }).count; // its column

describe('An SQLite file', () => {
  it('is opened with synchronous commits and a write-ahead log (threat 7.4)', async () => {
    const database = await testDatabase(await temporaryFile());
    const { rows } = await database.read((db) => sql`pragma synchronous`.execute(db));
    expect(rows).toMatchObject([{ synchronous: 2 }]);
    const journal = await database.read((db) => sql`pragma journal_mode`.execute(db));
    expect(journal.rows).toMatchObject([{ journal_mode: 'wal' }]);
  });

  it('locked by another connection refuses writes within 5 s with SQLITE_BUSY, and stores none of them later', async () => {
    const { file, storage, notes } = await opened();
    await notes.put(here, 'one', 'confirmed');
    const other = connectionTo(file);
    other.exec('begin immediate');
    const begun = performance.now();
    for (const write of [
      () => notes.put(here, 'two', 'refused'),
      () => notes.insert(here, 'two', 'refused'),
      () => notes.change(here, 'one', () => 'refused'),
      () => notes.remove(here, 'one'),
      () => storage.transaction('w', () => notes.put(here, 'two', 'refused')),
      () => storage.assertWritable(),
    ])
      await expect(write()).rejects.toMatchObject({ name: 'DatabaseError', code: 'SQLITE_BUSY' });
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(await notes.get(here, 'one')).toBe('confirmed');
    other.exec('rollback');
    await notes.put(here, 'three', 'confirmed');
    expect(committed(file)).toBe(2);
    expect(await notes.get(here, 'three')).toBe('confirmed');
  });

  it.each([
    ['reads nothing', () => Promise.resolve()],
    ['reads', async (notes) => void (await notes.get(here, 'one'))],
    ['changes nothing of what it reads', async (notes) => void (await notes.change(here, 'one', () => undefined))],
  ] satisfies [string, (notes: Notes) => Promise<void>][])(
    'locked by another connection runs a transaction that %s, which takes no lock',
    async (_, run) => {
      const { file, storage, notes } = await opened();
      await notes.put(here, 'one', 'confirmed');
      const other = connectionTo(file);
      other.exec('begin immediate');
      await storage.transaction('w', () => run(notes));
      other.exec('rollback');
      expect(await notes.get(here, 'one')).toBe('confirmed');
    },
  );

  it('locked by another connection refuses a transaction at its first write after reads, and stores nothing of it', async () => {
    const { file, storage, notes } = await opened();
    await notes.put(here, 'one', 'confirmed');
    const other = connectionTo(file);
    other.exec('begin immediate');
    const refused = storage.transaction('w', async () => {
      await notes.get(here, 'one');
      await notes.put(here, 'one', 'refused').catch(() => undefined);
      await notes.put(here, 'two', 'refused').catch(() => undefined);
    });
    await expect(refused).rejects.toMatchObject({ name: 'DatabaseError', code: 'SQLITE_BUSY' });
    other.exec('rollback');
    const failed = storage.transaction('w', async () => {
      await notes.change(here, 'one', () => 'undone');
      await notes.put(here, 'two', 'undone');
      throw new Error('failed');
    });
    await expect(failed).rejects.toThrow('failed');
    expect([await notes.get(here, 'one'), await notes.get(here, 'two'), committed(file)]).toEqual([
      'confirmed',
      undefined,
      1,
    ]);
  });

  it('on a full disk refuses writes until there is room, and keeps confirmed data', async () => {
    const database = await testDatabase(await temporaryFile());
    const pages = (await database.read((db) => sql<{ page_count: number }>`pragma page_count`.execute(db))).rows[0]!;
    await database.read((db) => sql.raw(`pragma max_page_count = ${pages.page_count + 5}`).execute(db));
    const put = (id: number) =>
      database.write((db) =>
        sql`insert into settings (workspace, company_key, value) values ('w', ${id}, ${'x'.repeat(2000)})`.execute(db),
      );
    const counted = async () =>
      (await database.read((db) => sql<{ count: number }>`select count(*) as count from settings`.execute(db))).rows[0]!
        .count;
    await database.assertWritable();
    let stored = 0;
    const filling = async () => {
      for (; ; stored += 1) await put(stored);
    };
    await expect(filling()).rejects.toMatchObject({ name: 'DatabaseError', code: 'SQLITE_FULL' });
    expect(stored).toBeGreaterThan(0);
    await expect(database.assertWritable()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    await expect(database.transaction('w', () => put(stored))).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(await counted()).toBe(stored);
    await database.read((db) => sql.raw('pragma max_page_count = 100000').execute(db));
    await database.assertWritable();
    await put(stored);
    expect(await counted()).toBe(stored + 1);
  });

  it.each<[string, (file: string) => void]>([
    ['removed', (file) => rmSync(file)],
    ['moved away', (file) => renameSync(file, `${file}.old`)],
    ['replaced by a copy', (file) => (copyFileSync(file, `${file}.copy`), renameSync(`${file}.copy`, file))],
    ['emptied', (file) => truncateSync(file)],
    ['cut short', (file) => truncateSync(file, statSync(file).size - 4096)],
    ['removed, its write-ahead log alone', (file) => rmSync(`${file}-wal`)],
    ['emptied, its write-ahead log alone', (file) => truncateSync(`${file}-wal`)],
  ])('that is lost makes each later write fail: %s', async (_, lose) => {
    const { file, storage, notes } = await opened();
    await notes.put(here, 'one', 'confirmed');
    lose(file);
    for (const write of [
      () => notes.put(here, 'two', 'refused'),
      () => storage.transaction('w', () => notes.put(here, 'two', 'refused')),
      () => storage.assertWritable(),
    ])
      await expect(write()).rejects.toMatchObject({ name: 'DatabaseError', code: 'SQLITE_READONLY_DBMOVED' });
  });

  it('applies its write-ahead log when that is large, and not again with each commit after that', async () => {
    const { file, notes } = await opened();
    const sizes: number[] = [];
    const write = async (id: string, length: number) => {
      await notes.put(here, id, randomBytes(length / 2).toString('hex')); // not to be compressed away
      sizes.push(statSync(`${file}-wal`).size);
    };
    for (let turn = 0; turn < 30; turn += 1) await write(`large ${turn}`, 200_000);
    // Applied each time that it has more than 4 MB, and cut to its beginning.
    expect(Math.max(...sizes)).toBeLessThan(5 * 1024 * 1024);
    expect(sizes.filter((size, turn) => turn > 0 && size < sizes[turn - 1]!).length).toBeGreaterThan(0);
    sizes.length = 0;
    for (let turn = 0; turn < 20; turn += 1) await write(`small ${turn}`, 10);
    expect(sizes).toEqual([...new Set(sizes)].sort((one, other) => one - other));
    expect(committed(file)).toBe(50);
    expect(await notes.get(here, 'large 29')).toHaveLength(200_000);
  });

  it('that is lost before its large log is applied makes the next write fail', async () => {
    const { file, notes } = await opened();
    for (let turn = 0; statSync(`${file}-wal`).size <= 4 * 1024 * 1024; turn += 1)
      await notes.put(here, `${turn}`, randomBytes(1_000_000).toString('base64'));
    truncateSync(`${file}-wal`);
    await nextTurn();
    await expect(notes.put(here, 'lost', 'refused')).rejects.toMatchObject({ code: 'SQLITE_READONLY_DBMOVED' });
  });

  it('is written again after the same file was put back', async () => {
    const { file, notes } = await opened();
    await notes.put(here, 'one', 'confirmed');
    renameSync(file, `${file}.old`);
    await expect(notes.put(here, 'two', 'refused')).rejects.toThrow('put it back');
    renameSync(`${file}.old`, file);
    await notes.put(here, 'three', 'confirmed');
    expect(committed(file)).toBe(2);
  });

  it('can be copied by a backup during a write, and the copy opens', async () => {
    const { file, notes } = await opened();
    await notes.putAll(
      here,
      Array.from({ length: 300 }, (_, index) => [`id ${index}`, 'before']),
    );
    const to = join(temporaryFolder(), 'copy.sqlite');
    await Promise.all([copyDatabase(file, to), notes.put(here, 'during', 'or not')]);
    const copy = collectionIn<string>(await testStorage(`file:${to}`), { kind: 'notes' });
    expect(await copy.count(here)).toBeGreaterThanOrEqual(300);
    expect(await copy.get(here, 'id 299')).toBe('before');
    expect(dirname(to)).not.toBe(dirname(file));
  });

  it('refuses reads and writes after it was closed', async () => {
    const { storage, notes } = await opened();
    await storage.close();
    await expect(notes.get(here, 'one')).rejects.toThrow();
    await expect(notes.put(here, 'one', 'x')).rejects.toThrow();
  });
});
