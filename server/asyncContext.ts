import { AsyncLocalStorage } from 'node:async_hooks';

/** One for everything that follows asynchronous calls: each further one costs every promise. */
const storage = new AsyncLocalStorage<ReadonlyMap<unknown, unknown>>();

/** Returns what the innermost `runWith` around the current function has given under a key; undefined if none has. */
export const following = (key: unknown): unknown => storage.getStore()?.get(key);

/** Runs a function so that `value` follows all that it begins, under a key, beside what follows already. */
export const runWith = <T>(key: unknown, value: unknown, run: () => T): T =>
  storage.run(new Map(storage.getStore()).set(key, value), run);
