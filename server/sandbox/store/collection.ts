import type { Database } from '#server/storage/database.ts';
import { createCollection } from '#server/storage/records.ts';
import type { Tables } from '#server/storage/schema.ts';
import type { SandboxStore } from './sandboxStore.ts';

/** An application's records of one kind, by id. */
export interface Collection<Value> {
  find: (id: string) => Promise<Value | undefined>;
  /** Returns the records whose id begins with `prefix`, oldest first. */
  list: (prefix: string) => Promise<Value[]>;
  /** Returns those of the ids that have a record. */
  existing: (ids: readonly string[]) => Promise<Set<string>>;
  /** Returns the latest records, newest first. */
  latest: (limit: number) => Promise<Value[]>;
  /** Resolves with false, without a change, if a record with this id exists. */
  add: (id: string, record: Value) => Promise<boolean>;
  save: (id: string, record: Value) => Promise<void>;
  /** Resolves with false if no such record exists. */
  remove: (id: string) => Promise<boolean>;
}

/** Where the console's store has the records of a workspace. */
export const locationOf = (application: string) => ({ workspace: application, companyKey: '' });

type ConsoleDatabase = Pick<Database<Tables>, 'read' | 'select' | 'write' | 'isInTransaction' | 'isPostgres'>;

/** Values are stored as they are: the sandbox has no key, and holds only what was typed for it. */
const unencrypted = {
  encryption: { encrypt: (text: string) => text },
  tag: () => '', // no kind of record has columns
  quarantine: { decrypt: (_table: string, { value }: { value: string }) => Promise.resolve(value) },
};

/** Returns an application's records of one kind, in the form of the console's store. */
export function collectionOf<Value>(
  { read, select, write }: Pick<SandboxStore, 'read' | 'select' | 'write'>,
  application: string,
  kind: string,
): Collection<Value> {
  const own = { read, select, write, isInTransaction: () => true, isPostgres: false }; // it writes no records in parts
  const database = own as unknown as ConsoleDatabase; // both have the same table of records
  const stored = createCollection<Value>({ kind }, database, unencrypted).at(locationOf(application));
  const values = async (options: { order: 'asc' | 'desc'; limit: number; prefix?: string }) =>
    (await stored.page(options)).entries.map(({ value }) => value);
  return {
    find: (id) => stored.get(id),
    list: (prefix) => values({ order: 'asc', limit: Number.MAX_SAFE_INTEGER, ...(prefix !== '' && { prefix }) }),
    existing: (ids) => stored.existing(ids),
    latest: (limit) => values({ order: 'desc', limit }),
    add: (id, record) => stored.insert(id, record),
    save: (id, record) => stored.put(id, record),
    remove: (id) => stored.remove(id),
  };
}
