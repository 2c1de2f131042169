import { LRUCache } from 'lru-cache';
import type { Engine } from './engine.ts';

/** Maximum number of results kept: a few for each scope in use; and of those that are long. */
const most = { usual: 1000, long: 5 } as const;

/**
 * Returns what `read` resolved with before under this key, as long as nothing has been written since to the workspace;
 * concurrent callers share one reading. Failures are not kept. The result must not be changed.
 */
export type Memo = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>;

type Results = LRUCache<string, { version: string; reading: Promise<unknown> }>;

/** The results of a store, which all its workspaces share. */
export type Kept = Record<keyof typeof most, Results>;
export const createKept = (): Kept => ({
  usual: new LRUCache({ max: most.usual }),
  long: new LRUCache({ max: most.long }),
});

/** What `read` resolved with before under this key at this version; otherwise reads. */
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
    // What a turn has written may be undone.
    isInTurn() ? read() : keptAt(kept.usual, `${workspace}/${name}`, await version(workspace), read);
}
