import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './schema.ts';

/** The table of an SQLite file that was copied; it is in no other database. */
const table = sql.table('copied_to');

type Marked = Pick<Database<Tables>, 'read' | 'write' | 'isShared'>;

/** Returns the database to which an SQLite file was copied; undefined if to none. */
export async function copyOf({ read, isShared }: Marked): Promise<string | undefined> {
  if (isShared) return undefined;
  const { rows: tables } = await read((db) =>
    sql`select 1 from sqlite_master where type = 'table' and name = 'copied_to'`.execute(db),
  );
  if (tables.length === 0) return undefined;
  const { rows } = await read((db) => sql<{ name: string }>`select name from ${table}`.execute(db));
  return rows.at(-1)?.name;
}

/** Marks an SQLite file as copied to a database: it is out of date as soon as a server uses that database. */
export async function markCopied({ write }: Marked, name: string): Promise<void> {
  await write((db) => sql`create table if not exists ${table} (name text not null)`.execute(db));
  await write((db) => sql`insert into ${table} (name) values (${name})`.execute(db));
}

export const forgetCopy = ({ write }: Marked): Promise<unknown> =>
  write((db) => sql`drop table if exists ${table}`.execute(db));
