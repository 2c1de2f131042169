import { renameSync } from 'node:fs';
import { sql } from 'kysely';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { addressOf } from '#server/storage/sqliteConnection.ts';
import { temporaryFile, testDatabase } from '#tests/support/storage.ts';

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
