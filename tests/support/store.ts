import { createSecretKey } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { latestMessages, messages, webhooks } from '#server/messages/records.ts';
import { programTokens } from '#server/programs/tokens.ts';
import type { Engine } from '#server/storage/engine.ts';
import type { StoreKeys } from '#server/storage/keys.ts';
import { openStorage } from '#server/storage/open.ts';
import type { Storage } from '#server/storage/open.ts';
import type { RecordKind, Records } from '#server/storage/records.ts';
import { addressOf } from '#server/storage/sqliteConnection.ts';
import type { OnStatement } from '#server/storage/statements.ts';
import { batches, creditors, debtors, subscriptions } from '#server/companies/records.ts';
import { loginRecords } from '#server/companies/userLogins.ts';
import { firstCompany, companiesIn } from '#server/companies/companyList.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { temporaryDatabase } from './postgres.ts';

export { firstCompany };

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The content of the database and its write-ahead log, as a byte string. */
export const bytesIn = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith('console.sqlite'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');

/** Overwrites a file with rubbish from this byte on; from before its end for a negative one. */
export function spoil(file: string, from: number): void {
  const handle = openSync(file, 'r+');
  const { size } = statSync(file);
  const start = from < 0 ? size + from : from;
  const rubbish = Buffer.alloc(size - start, 'rubbish ');
  writeSync(handle, rubbish, 0, rubbish.length, start);
  closeSync(handle);
}

/** A key of the store, always the same for the same number. */
export const testKey = (number = 0) => createSecretKey(Buffer.alloc(32, number));

/** The databases of folders. */
const databases = new Map<string, Promise<string>>();

/** The URL of a folder's database: a file there, or with STORE=postgres a PostgreSQL database that is made for it. */
export function storeUrlIn(folder: string): Promise<string> {
  if (process.env['STORE'] !== 'postgres') return Promise.resolve(`file:${join(folder, 'console.sqlite')}`);
  const known = databases.get(folder) ?? temporaryDatabase();
  databases.set(folder, known);
  return known;
}

/** Another connection to a folder's file from this process, which the lock does not exclude. */
export function connectionTo(folder: string): Database.Database {
  const connection = new Database(addressOf(join(folder, 'console.sqlite')));
  onTestFinished(() => void connection.close());
  return connection;
}

/** A storage of its own, closed with the test at the latest; passing the same folder again opens the same records. */
export async function storageIn(
  folder = temporaryFolder(),
  keys: StoreKeys = [testKey()],
  clock = systemClock,
  onError: (error: unknown) => void = () => undefined,
  onStatement?: OnStatement,
  engine?: Engine,
): Promise<Storage> {
  const storage = await openStorage({ url: await storeUrlIn(folder), keys, clock, onError, onStatement, engine });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= storage.close());
  onTestFinished(close);
  return { ...storage, close };
}

/** The kinds of records that tests look at. */
const kinds = {
  subscriptions,
  batches,
  debtors,
  creditors,
  messages,
  latestMessages,
  webhooks,
  programs: programTokens,
  logins: loginRecords,
};
type Kinds = typeof kinds;

/** A store of a workspace's current company, whichever that is when records and settings are read or written. */
export interface CurrentStore extends Store {
  storage: Storage;
}
type NamedRecords = { [Name in keyof Kinds]: Kinds[Name] extends RecordKind<infer Value> ? Records<Value> : never };

export function currentStore(storage: Storage, workspace = defaultWorkspace): CurrentStore & NamedRecords {
  const companies = companiesIn(storage, workspace);
  const at = async () => storeAt(storage, workspace, await companies.current());
  function recordsOf<Value>(kind: RecordKind<Value>): Records<Value> {
    const now = async () => (await at()).records(kind);
    async function* values(order: 'newest' | 'earliest', where = {}): AsyncGenerator<Value, void> {
      yield* (await now())[order](where);
    }
    return {
      get: async (id) => (await now()).get(id),
      put: async (id, value) => (await now()).put(id, value),
      putAll: async (entries) => (await now()).putAll(entries),
      insert: async (id, value) => (await now()).insert(id, value),
      change: async (id, change) => (await now()).change(id, change),
      remove: async (id) => (await now()).remove(id),
      removeAll: async (ids) => (await now()).removeAll(ids),
      list: async (where) => (await now()).list(where),
      latest: async (limit, where) => (await now()).latest(limit, where),
      newest: (where) => values('newest', where),
      earliest: (where) => values('earliest', where),
      beyond: async (number, where) => (await now()).beyond(number, where),
      count: async (where, atMost) => (await now()).count(where, atMost),
      countBySubject: async (subjects) => (await now()).countBySubject(subjects),
      page: async (options) => (await now()).page(options),
      existing: async (ids) => (await now()).existing(ids),
    };
  }
  const named = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, recordsOf(kind as RecordKind<unknown>)]),
  ) as unknown as NamedRecords; // one for each kind
  return {
    ...storeAt(storage, workspace, firstCompany),
    ...named,
    storage,
    records: recordsOf,
    settings: {
      read: async () => (await at()).settings.read(),
      write: async (key, value) => (await at()).settings.write(key, value),
      writeAll: async (values) => (await at()).settings.writeAll(values),
    },
  };
}

/** The store of a workspace's current company, in a storage of its own. */
export const testStore = async (folder?: string, workspace?: string, keys?: StoreKeys) =>
  currentStore(await storageIn(folder, keys), workspace);

/** A user's session just after sign-in. */
export const aSession = {
  workspace: 'default',
  name: 'A User',
  subject: 'a-user',
  idToken: 'token',
  accessToken: 'the-access-token',
  askedAt: 0,
  confirmedAt: 0,
};
