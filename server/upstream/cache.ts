import type { Clock } from '#server/clock.ts';

/** Values kept until they expire, with one load under way for each key; a failed load is not kept. */
export interface Cache<Value> {
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  /** The value, if it is kept and has not expired. */
  kept(key: string): Value | undefined;
  /** Forgets the value if it is still this one. */
  forget(key: string, value: Value): void;
}

/** Values by key; `until` in ms (steady). */
export type Kept<Value> = Map<string, { value: Value; until: number }>;

/** `lifeOf` gives the time (ms) after which a value is loaded again. Caches may share what is kept. */
export function createCache<Value>(
  clock: Pick<Clock, 'steady'>,
  lifeOf: (value: Value) => number,
  kept: Kept<Value> = new Map(),
): Cache<Value> {
  const loading = new Map<string, Promise<Value>>();

  async function load(key: string, run: () => Promise<Value>): Promise<Value> {
    try {
      const value = await run();
      for (const [old, { until }] of kept) if (until <= clock.steady()) kept.delete(old);
      kept.set(key, { value, until: clock.steady() + lifeOf(value) });
      return value;
    } finally {
      loading.delete(key);
    }
  }

  function current(key: string): Value | undefined {
    const found = kept.get(key);
    return found && found.until > clock.steady() ? found.value : undefined;
  }

  return {
    kept: current,
    async get(key, run) {
      const found = current(key);
      if (found !== undefined) return found;
      const underWay = loading.get(key) ?? load(key, run);
      loading.set(key, underWay);
      return underWay;
    },
    forget(key, value) {
      if (kept.get(key)?.value === value) kept.delete(key);
    },
  };
}
