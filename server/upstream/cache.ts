import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/clock.ts';

/** An LRU cache whose values expire. Several functions of `Cache` may share one. */
export interface Kept<Value extends object> extends LRUCache<string, Value> {
  /** Returns a function that returns true until a value is added or removed, or expires. */
  unchanged(): () => boolean;
}

/**
 * Creates the storage of a cache. `most` is the maximum total size; the least recently used values are evicted first.
 */
export function createKept<Value extends object>(clock: Pick<Clock, 'steady'>, most: number): Kept<Value> {
  let changes = 0;
  const count = () => (changes += 1);
  const kept = new LRUCache<string, Value>({
    maxSize: most,
    ttlResolution: 0,
    perf: { now: () => clock.steady() },
    onInsert: count,
    dispose: count,
  });
  return Object.assign(kept, {
    unchanged() {
      const before = changes;
      const left = [...kept.keys()].map((key) => kept.getRemainingTTL(key));
      const until = clock.steady() + Math.min(Infinity, ...left);
      return () => changes === before && clock.steady() < until;
    },
  });
}

/** A loaded value, the time (ms) for which it is valid, and its size in the unit of `most`. */
export interface Loaded<Value> {
  value: Value;
  life: number;
  size: number;
}

/**
 * Returns the value under a key; if it is absent, loads it once for all concurrent callers. A failed load is not
 * cached.
 */
export type Cache<Value> = (key: string, load: () => Promise<Loaded<Value>>) => Promise<Value>;

export function createCache<Value extends object>(kept: Kept<Value>): Cache<Value> {
  const loading = new Map<string, Promise<Value>>();

  async function run(key: string, load: () => Promise<Loaded<Value>>): Promise<Value> {
    try {
      const { value, life, size } = await load();
      kept.purgeStale();
      if (life > 0) kept.set(key, value, { ttl: life, size });
      return value;
    } finally {
      loading.delete(key);
    }
  }

  return async (key, load) => {
    const found = kept.get(key);
    if (found !== undefined) return found;
    const underWay = loading.get(key) ?? run(key, load);
    loading.set(key, underWay);
    return underWay;
  };
}
