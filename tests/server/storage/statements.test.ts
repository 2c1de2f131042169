import { renameSync } from 'node:fs';
import { sql } from 'kysely';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Tables } from '#server/storage/schema.ts';
import { addressOf } from '#server/storage/sqliteConnection.ts';
import { selecting } from '#server/storage/statements.ts';
import { engines, temporaryFile, testDatabase } from '#tests/support/storage.ts';

async function opened() {
  const url = await temporaryFile();
  return { file: url.slice('file:'.length), database: await testDatabase(url) };
}

const writes = [
  `insert into quarantine (kind, id, value) values ('a', 'b', 'c')`,
  `INSERT INTO quarantine (kind, id, value) values ('a', 'b', 'c') returning position`,
  `with given as (select 'a' as kind) insert into quarantine (kind, id, value) select kind, 'b', 'c' from given`,
  `with given(id) as (values ('insert')) update quarantine set kind = 'b' where id in (select id from given)`,
  `WITH RECURSIVE n(i) as (select 1 union all select i + 1 from n where i < 3) DELETE from quarantine where position in (select i from n)`,
  `/* with a comment */ insert into quarantine (kind, id, value) values ('a', 'b', 'c')`,
  `-- select\nupdate quarantine set kind = 'b'`,
  `/* select */ with a as (select 1) replace into quarantine (kind, id, value) select 'a', 'b', 'c'`,
  `replace into quarantine (kind, id, value) values ('a', 'b', 'c')`,
  `delete from quarantine where id = 'select' returning id`,
  'pragma user_version = 7',
  'pragma user_version(7)',
  'create table other (id text)',
];

const reads = [
  'select 1 as one',
  '/* insert */ select 1 as one',
  `-- delete from records\n  SELECT 'update' as one`,
  `with given as (select 'insert into x' as one) select one, replace(one, 'a', 'b') from given`,
  `with "update" as (select 1 as [delete]) select * from "update"`,
  'values (1)',
  `explain query plan insert into quarantine (kind, id, value) values ('a', 'b', 'c')`,
  'pragma user_version',
];

it('A statement on SQLite that writes is refused by a lost file, whatever its words', async () => {
  const { file, database } = await opened();
  renameSync(file, `${file}.old`);
  for (const text of writes)
    await expect(
      database.write((db) => sql.raw(text).execute(db)),
      text,
    ).rejects.toMatchObject({
      code: 'SQLITE_READONLY_DBMOVED',
    });
});

it('A statement on SQLite that reads waits for no lock, whatever its words', async () => {
  const { file, database } = await opened();
  const other = new Database(addressOf(file));
  onTestFinished(() => void other.close());
  other.exec('begin immediate');
  for (const text of reads) expect((await database.read((db) => sql.raw(text).execute(db))).rows, text).toBeDefined();
});

describe.each(engines)('A select that is declared once, on %s', (_engine, newDatabase) => {
  /** Selects the ids of quarantined values of a kind, and notes each time that it is built. */
  function declared() {
    let built = 0;
    const idsOf = selecting<Tables, { kind: string; most: number }, { id: string }>((db, given) => {
      built += 1;
      return db
        .selectFrom('quarantine')
        .select('id')
        .where('kind', '=', given('kind'))
        .where('value', '<>', 'none')
        .orderBy('position')
        .limit(given('most'));
    });
    return { idsOf, built: () => built };
  }
  async function filled() {
    const database = await testDatabase(await newDatabase());
    const put = (kind: string, id: string) =>
      database.write((db) =>
        db
          .insertInto('quarantine')
          .values({ workspace: 'w', company_key: 'c', kind, id, value: '', quarantined_at: 0 })
          .execute(),
      );
    for (const id of ['1', '2', '3']) await put('a', id);
    await put('b', 'given');
    return { database, put };
  }

  it('is built once for each database, and finds by the values of each run', async () => {
    const { idsOf, built } = declared();
    const [{ database }, { database: other }] = [await filled(), await filled()];
    const runs = [
      database.select(idsOf, { kind: 'a', most: 2 }),
      database.select(idsOf, { kind: 'b', most: 9 }),
      database.select(idsOf, { kind: 'a', most: 9 }),
      database.select(idsOf, { kind: 'c', most: 9 }),
    ];
    const ids = (found: { id: string }[]) => found.map(({ id }) => id).join();
    expect((await Promise.all(runs)).map(ids)).toEqual(['1,2', 'given', '1,2,3', '']);
    expect(built()).toBe(1);
    expect(await other.select(idsOf, { kind: 'b', most: 1 })).toEqual([{ id: 'given' }]);
    expect(built()).toBe(2);
  });

  it('sees what its transaction has written, and others see it only after the commit', async () => {
    const { idsOf } = declared();
    const { database, put } = await filled();
    const count = async () => (await database.select(idsOf, { kind: 'a', most: 9 })).length;
    const within: number[] = [];
    let tell = (): void => undefined;
    // What follows a promise from before the transaction is no part of it.
    const outside = new Promise<void>((resolve) => (tell = resolve)).then(count);
    const transaction = database.transaction('w', async () => {
      await put('a', '4');
      tell();
      within.push(await count());
      throw new Error('rolled back');
    });
    await expect(transaction).rejects.toThrow('rolled back');
    expect([within, await outside, await count()]).toEqual([[4], 3, 3]);
  });
});
