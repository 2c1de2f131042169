import { LRUCache } from 'lru-cache';
import type { Engine } from './engine.ts';

/** Maximum number of results kept: a few for each scope in use. */
const most = 1000;

/**
 * Returns what `read` resolved with before under this key, as long as nothing has been written since to the workspace;
 * concurrent callers share one reading. Failures are not kept. The result must not be changed.
 */
export type Memo = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>;

/** The memo of one workspace, by `kept`, which all workspaces of a store share. */
export function memoIn(
  { version, isInTurn }: Pick<Engine, 'version' | 'isInTurn'>,
  workspace: string,
  kept: Kept,
): Memo {
  return async <Value>(name: string, read: () => Promise<Value>) => {
    // What a turn has written may be undone.
    if (isInTurn()) return read();
    const at = await version(workspace);
    const key = `${workspace}/${name}`;
    const known = kept.get(key);
    if (known?.version === at) return known.reading as Promise<Value>; // a key has one kind of result
    const reading = read();
    kept.set(key, { version: at, reading });
    reading.catch(() => kept.delete(key));
    return reading;
  };
}

export const createKept = (): Kept => new LRUCache({ max: most });
type Kept = LRUCache<string, { version: string; reading: Promise<unknown> }>;
