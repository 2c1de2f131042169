import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { openDatabase } from '#server/storage/database.ts';
import type { Database } from '#server/storage/database.ts';
import type { StoreKeys } from '#server/storage/keys.ts';
import { openStorage } from '#server/storage/open.ts';
import type { Storage } from '#server/storage/open.ts';
import { before, migrations } from '#server/storage/migrations.ts';
import type { RecordKind, Records } from '#server/storage/records.ts';
import type { Location, Tables } from '#server/storage/schema.ts';
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

/** Opens the tables alone, without any key; closed with the test at the latest. */
export async function testDatabase(url: string, errors: unknown[] = []): Promise<Database<Tables>> {
  const database = await openDatabase<Tables>({
    url,
    program: 'console',
    migrations,
    before,
    clock: systemClock,
    onError: (error: unknown) => errors.push(error),
  });
  onTestFinished(() => database.close());
  return database;
}

type AtFirst<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (...parameters: infer Given) => infer Result
    ? (at: Location, ...parameters: Given) => Result
    : never;
};

/** The records of one kind at any location, which each function takes first. */
export const collectionIn = <Value>(storage: Pick<Storage, 'records'>, kind: RecordKind<Value>) =>
  new Proxy({} as AtFirst<Records<Value>>, {
    get: (_, name: keyof Records<Value> | 'then') =>
      name === 'then' // it is no promise
        ? undefined
        : (at: Location, ...given: unknown[]): unknown =>
            (storage.records(kind, at)[name] as (...given: unknown[]) => unknown)(...given),
  });

/** Runs a statement on a closed database, as somebody who can write to it but has no key. */
export async function tamper(url: string, text: string): Promise<void> {
  const database = await testDatabase(url);
  await database.write((db) => sql.raw(text).execute(db));
  await database.close();
}
