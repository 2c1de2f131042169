import { LRUCache } from 'lru-cache';
import type { Engine } from './engine.ts';

/** Maximum number of cached results: a few for each scope in use, and fewer of long results. */
const most = { usual: 1000, long: 5 } as const;

/**
 * Returns the cached result of `read` under this key; reads again after any write to the workspace. Concurrent callers
 * share one read. Rejections are not cached. The result must not be changed.
 */
export type Memo = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>;

type Results = LRUCache<string, { version: string; reading: Promise<unknown> }>;

/** The caches of a store, shared by all its workspaces. */
export type Kept = Record<keyof typeof most, Results>;
export const createKept = (): Kept => ({
  usual: new LRUCache({ max: most.usual }),
  long: new LRUCache({ max: most.long }),
});

/** Returns the cached result of `read` for this key and version; reads on a miss. */
export function keptAt<Value>(kept: Results, key: string, version: string, read: () => Promise<Value>): Promise<Value> {
  const known = kept.get(key);
  if (known?.version === version) return known.reading as Promise<Value>; // a key has one kind of result
  const reading = read();
  kept.set(key, { version, reading });
  reading.catch(() => kept.delete(key));
  return reading;
}

/** The memo of one workspace. */
export function memoIn(
  { version, isInTurn }: Pick<Engine, 'version' | 'isInTurn'>,
  workspace: string,
  kept: Kept,
): Memo {
  return async (name, read) =>
    // Writes within a turn may be rolled back, so nothing is cached there.
    isInTurn() ? read() : keptAt(kept.usual, `${workspace}/${name}`, await version(workspace), read);
}
