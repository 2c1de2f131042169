import { join } from 'node:path';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { openDatabase } from '#server/storage/database.ts';
import type { Database } from '#server/storage/database.ts';
import { createEncryption } from '#server/storage/encryption.ts';
import type { StoreKeys } from '#server/storage/keys.ts';
import { openStorage } from '#server/storage/open.ts';
import type { Storage } from '#server/storage/open.ts';
import { migrationsWith } from '#server/storage/migrations.ts';
import { locations } from '#server/storage/schema.ts';
import type { Tables } from '#server/storage/schema.ts';
import { temporaryDatabase } from './postgres.ts';
import { temporaryFolder, testKey } from './store.ts';

/** The URL of a new SQLite file, which is removed after the test. */
export const temporaryFile = (): Promise<string> =>
  Promise.resolve(`file:${join(temporaryFolder(), 'console.sqlite')}`);

/** Both engines, each with a function that returns the URL of a new database. */
export const engines = [
  ['SQLite', temporaryFile],
  ['PostgreSQL', temporaryDatabase],
] as const;

interface Options {
  keys?: StoreKeys;
  clock?: Clock;
  /** Takes the errors that are reported. */
  errors?: unknown[];
}

/** Opens the storage of a database; it is closed with the test at the latest. */
export async function testStorage(
  url: string,
  { keys = [testKey()], clock = systemClock, errors = [] }: Options = {},
): Promise<Storage> {
  const storage = await openStorage({ url, keys, clock, onError: (error) => errors.push(error) });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= storage.close());
  onTestFinished(close);
  return { ...storage, close };
}

/** A company of a workspace. */
export const here = { workspace: 'w', companyKey: 'c' };

/** The same company as one that pays. */
export const payer = { ...here, owner: { application: 'a', organisationId: 'o', companyId: 'c' } };

/** Opens the tables alone, without any key; closed with the test at the latest. */
export async function testDatabase(
  url: string,
  errors: unknown[] = [],
  known: Readonly<Record<string, Migration>> = migrationsWith(undefined),
): Promise<Database<Tables>> {
  const database = await openDatabase<Tables>({
    ...{ url, program: 'console', migrations: known, clock: systemClock },
    onError: (error: unknown) => errors.push(error),
  });
  onTestFinished(() => database.close());
  return database;
}

/** The first version of the tables. */
export const firstVersion = '001 tables';

const newIndexKey = () =>
  createEncryption([testKey()]).encrypt(Buffer.alloc(32).toString('base64'), locations.indexKey());

/**
 * Makes the tables of an empty database as they were when `last` was the latest migration, with the row of the index key,
 * and opens them. Kysely's types are those of the present tables.
 */
export async function earlierDatabase(url: string, last: string, indexKey = newIndexKey()): Promise<Database<Tables>> {
  const earlier = Object.entries(migrationsWith(undefined)).filter(([name]) => name <= last);
  if (!earlier.some(([name]) => name === last)) throw new Error(`There is no migration ${last}.`);
  const database = await testDatabase(url, [], Object.fromEntries(earlier));
  await database.write((db) => db.insertInto('index_key').values({ value: indexKey }).execute());
  return database;
}

/** Adds a row to a table of an earlier version, whose columns Kysely does not know. */
export const insertEarlier = (database: Database<Tables>, table: string, row: object): Promise<unknown> =>
  database.write((db) => db.withTables<Record<string, object>>().insertInto(table).values(row).execute());

/** A row as it was before migration 008: without its position, and with the former name of the company's key. */
export const asEarlierRow = <Row extends object>(
  row: Row & { position?: number; company_key?: string; name?: string | null; alias?: string | null },
) => {
  const { position: _, company_key: company, name: __, alias: ___, ...others } = row;
  return { ...others, ...(company !== undefined && { company }) };
};

/** Runs a statement on a closed database, as somebody who can write to it but has no key. */
export async function tamper(url: string, text: string): Promise<void> {
  const database = await testDatabase(url);
  await database.write((db) => sql.raw(text).execute(db));
  await database.close();
}
