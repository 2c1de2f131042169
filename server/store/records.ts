import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Keyv } from 'keyv';
import { addIn, changeIn, rowsOf, valueIn } from './adapter.ts';

/** Records of one kind, each stored under its own id, so that concurrent writers lose nothing. */
export interface Records<Value> {
  get(id: string): Promise<Value | undefined>;
  put(id: string, value: Value): Promise<void>;
  /** Stores records in order. If the store fails or the process ends meanwhile, only the first ones are stored. */
  putAll(values: Iterable<[id: string, value: Value]>): Promise<void>;
  /** Stores a record unless one with this id exists, in one step across all servers. */
  add(id: string, value: Value): Promise<void>;
  /** Returns all records in order of insertion; updating a record does not move it. */
  list(): Promise<Value[]>;
  /**
   * Returns the number of records without decrypting them; for debtors and creditors, that of one subscription. After
   * the first count all records are decrypted once, to find damaged ones.
   */
  count(subscriptionId?: string): Promise<number>;
  /** Yields the records that `count` counts, latest first. Decrypts each record only when it is consumed. */
  newest(subscriptionId?: string): AsyncGenerator<Value, void>;
  /** As `newest`, earliest first. */
  earliest(subscriptionId?: string): AsyncGenerator<Value, void>;
  /**
   * Replaces a record by the result of `change`; does nothing if the record does not exist or `change` returns
   * undefined. Calls `change` again if another writer changes the record meanwhile.
   */
  change(id: string, change: (before: Value) => Value | undefined): Promise<void>;
  /**
   * Returns a version that changes with every write by another server to these records; own writes may change it too.
   */
  version(): Promise<string>;
  /** Returns true if this call removed the record, false if it did not exist. */
  remove(id: string): Promise<boolean>;
  /**
   * Removes the records that exist, in order. If the store fails or the process ends meanwhile, only the first ones are
   * removed.
   */
  removeAll(ids: readonly string[]): Promise<void>;
}

/** Maximum number of records read or written without yielding: SQLite's driver is synchronous and blocks all other work. */
const atOnce = 500;

/**
 * Returns all entries in order of insertion. Keyv's getMany is not used, because it hides the errors of single keys.
 */
export async function entriesOf<Value>(keyv: Keyv<Value>): Promise<[string, Value][]> {
  const entries: [string, Value][] = [];
  for await (const entry of keyv.iterator?.(undefined) ?? []) {
    entries.push(entry as [string, Value]); // Keyv leaves its iterator untyped
    if (entries.length % atOnce === 0) await othersTurn();
  }
  return entries;
}

/** Collects all records, in order of insertion. */
export const allOf = <Value>(records: AsyncGenerator<Value, void>): Promise<Value[]> => latest(records, Infinity);

/** Collects the latest records, at most `most`, in order of insertion. */
export async function latest<Value>(records: AsyncGenerator<Value, void>, most: number): Promise<Value[]> {
  const found: Value[] = [];
  if (most > 0)
    for await (const each of records) {
      found.push(each);
      if (found.length === most) break;
    }
  return found.reverse();
}

/** Yields the records of a Keyv. */
async function* ordered<Value>(open: () => Promise<Keyv<Value>>, isLatestFirst: boolean, subscriptionId?: string) {
  let taken = 0;
  for await (const text of rowsOf(await open()).inOrder(isLatestFirst, subscriptionId)) {
    yield valueIn(text) as Value; // as it was put
    taken += 1;
    if (taken % atOnce === 0) await othersTurn();
  }
}

/**
 * Returns the records of the Keyv that `open` returns; `open` is called for each operation, because the current scope
 * may change.
 */
export const recordsIn = <Value>(open: () => Promise<Keyv<Value>>): Records<Value> => ({
  get: async (id) => (await open()).get(id),
  async put(id, value) {
    await (await open()).set(id, value);
  },
  async putAll(values) {
    const keyv = await open();
    const entries = [...values].map(([key, value]) => ({ key, value }));
    for (let from = 0; from < entries.length; from += atOnce) {
      if (from > 0) await othersTurn();
      await keyv.setMany(entries.slice(from, from + atOnce));
    }
  },
  add: async (id, value) => addIn(await open(), id, value),
  change: async (id, change) => changeIn(await open(), id, change),
  version: async () => rowsOf(await open()).version(),
  list: async () => (await entriesOf(await open())).map(([, value]) => value),
  async count(subscriptionId) {
    const rows = rowsOf(await open());
    await rows.verify();
    return rows.count(subscriptionId);
  },
  newest: (subscriptionId) => ordered(open, true, subscriptionId),
  earliest: (subscriptionId) => ordered(open, false, subscriptionId),
  remove: async (id) => (await open()).delete(id),
  async removeAll(ids) {
    const keyv = await open();
    for (const [index, id] of ids.entries()) {
      await keyv.delete(id);
      if ((index + 1) % atOnce === 0) await othersTurn();
    }
  },
});
