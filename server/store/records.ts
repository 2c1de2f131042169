import type { Keyv } from 'keyv';

/** Records of one kind, each under its own id, so that two writers cannot lose each other's. */
export interface Records<Value> {
  get(id: string): Promise<Value | undefined>;
  put(id: string, value: Value): Promise<void>;
  /** Leaves a record alone that is there already. */
  add(id: string, value: Value): Promise<void>;
  /** In order of arrival; putting a record again does not move it. */
  list(): Promise<Value[]>;
  /** True for the one caller that removed it. */
  remove(id: string): Promise<boolean>;
}

/** Everything in order of arrival. Not Keyv's getMany: that one hides the errors of single keys. */
export async function entriesOf<Value>(keyv: Keyv<Value>): Promise<[string, Value][]> {
  const entries: [string, Value][] = [];
  for await (const entry of keyv.iterator?.(undefined) ?? []) entries.push(entry as [string, Value]); // Keyv leaves its iterator untyped
  return entries;
}

/** `open` is asked at each operation. */
export const recordsIn = <Value>(open: () => Promise<Keyv<Value>>): Records<Value> => ({
  get: async (id) => (await open()).get(id),
  async put(id, value) {
    await (await open()).set(id, value);
  },
  async add(id, value) {
    const keyv = await open();
    if ((await keyv.get(id)) === undefined) await keyv.set(id, value);
  },
  list: async () => (await entriesOf(await open())).map(([, value]) => value),
  remove: async (id) => (await open()).delete(id),
});
