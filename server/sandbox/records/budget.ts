/** Overhead counted for each value of a record, in bytes. */
const overhead = 16;

/** Returns how much memory a value takes at most, roughly: two bytes for each character of its texts. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return overhead + 2 * value.length;
  if (typeof value !== 'object' || value === null) return overhead;
  return Object.entries(value).reduce((sum, [name, each]) => sum + 2 * name.length + weightOf(each), overhead);
}

interface Held {
  bytes: number;
  drop: () => void;
}

/**
 * Bounds the memory of all records of a sandbox, of every application and kind together: beyond `maximum` bytes the
 * oldest are dropped, whoever caused them.
 */
export function createRecordBudget(maximum: number) {
  /** Oldest first. */
  const all = new Set<Held>();
  let total = 0;

  function release(record: Held): void {
    if (all.delete(record)) total -= record.bytes;
  }

  return {
    /** Adds a record, or changes its weight (bytes); drops the oldest ones if there is no room for all. */
    weigh(record: Held, bytes: number): void {
      all.add(record);
      total += bytes - record.bytes;
      record.bytes = bytes;
      for (const oldest of all) {
        if (total <= maximum) break;
        release(oldest);
        oldest.drop();
      }
    },
    release,
  };
}

export type RecordBudget = ReturnType<typeof createRecordBudget>;

/** Keeps the latest `maximum` records of one kind by their keys, in the order of their first `put`, within a budget. */
export function createBoundedRecords<Key, Value>(maximum: number, budget: RecordBudget) {
  const kept = new Map<Key, { value: Value; held: Held }>();

  function drop(key: Key): void {
    const record = kept.get(key);
    if (record) budget.release(record.held);
    kept.delete(key);
  }

  return {
    get: (key: Key): Value | undefined => kept.get(key)?.value,
    put(key: Key, value: Value): void {
      const held = kept.get(key)?.held ?? { bytes: 0, drop: () => kept.delete(key) };
      kept.set(key, { value, held });
      budget.weigh(held, weightOf(value));
      for (const oldest of kept.keys()) {
        if (kept.size <= maximum) break;
        drop(oldest);
      }
    },
    /** Returns the records, oldest first. */
    values: (): Value[] => [...kept.values()].map(({ value }) => value),
    clear(): void {
      for (const key of [...kept.keys()]) drop(key);
    },
  };
}
