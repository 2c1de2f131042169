import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Keyv } from 'keyv';

/** Records of one kind, each stored under its own id, so that concurrent writers lose nothing. */
export interface Records<Value> {
  get(id: string): Promise<Value | undefined>;
  put(id: string, value: Value): Promise<void>;
  /** Stores many records. If the store fails or the process ends meanwhile, only the first of them are stored. */
  putAll(values: Iterable<[id: string, value: Value]>): Promise<void>;
  /** Stores a record unless there is one with this id. */
  add(id: string, value: Value): Promise<void>;
  /** In order of arrival; updating a record does not move it. */
  list(): Promise<Value[]>;
  /** Returns true to the one caller that removed it. */
  remove(id: string): Promise<boolean>;
  /** Removes those that exist. If the store fails or the process ends meanwhile, only the first of them are removed. */
  removeAll(ids: readonly string[]): Promise<void>;
}

/** Records read or written at a time: the store works synchronously and blocks everything else. */
const atOnce = 500;

/** All entries in order of arrival. Keyv's getMany is not used, as it hides errors of single keys. */
export async function entriesOf<Value>(keyv: Keyv<Value>): Promise<[string, Value][]> {
  const entries: [string, Value][] = [];
  for await (const entry of keyv.iterator?.(undefined) ?? []) {
    entries.push(entry as [string, Value]); // Keyv leaves its iterator untyped
    if (entries.length % atOnce === 0) await othersTurn();
  }
  return entries;
}

/** Calls `open` at each operation. */
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
  async add(id, value) {
    const keyv = await open();
    if ((await keyv.get(id)) === undefined) await keyv.set(id, value);
  },
  list: async () => (await entriesOf(await open())).map(([, value]) => value),
  remove: async (id) => (await open()).delete(id),
  async removeAll(ids) {
    const keyv = await open();
    for (const [index, id] of ids.entries()) {
      await keyv.delete(id);
      if ((index + 1) % atOnce === 0) await othersTurn();
    }
  },
});
