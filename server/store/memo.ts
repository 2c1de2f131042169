import { LRUCache } from 'lru-cache';
import type { Db } from '#server/sqlite.ts';

/** Maximum number of results kept: a few for each scope in use. */
const most = 1000;

/**
 * Returns what `read` resolved with before under this key, as long as nothing has been written to the file since;
 * concurrent callers share one reading. Failures are not kept. The result must not be changed.
 */
export type Memo = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>;

export function createMemo(db: Pick<Db, 'version'>): Memo {
  const kept = new LRUCache<string, { version: string; reading: Promise<unknown> }>({ max: most });
  return async <Value>(key: string, read: () => Promise<Value>) => {
    const version = db.version();
    const known = kept.get(key);
    if (known?.version === version) return known.reading as Promise<Value>; // a key has one kind of result
    const reading = read();
    kept.set(key, { version, reading });
    reading.catch(() => kept.delete(key));
    return reading;
  };
}
