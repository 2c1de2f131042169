/** Overhead counted for each value of a record, in bytes. */
const overhead = 16;

/** Returns how much memory a value takes at most, roughly: two bytes for each character of its texts. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return overhead + 2 * value.length;
  if (typeof value !== 'object' || value === null) return overhead;
  return Object.entries(value).reduce((sum, [name, each]) => sum + 2 * name.length + weightOf(each), overhead);
}

/** A record within a budget. */
export interface Held {
  /** Sets how much memory the record takes, in bytes; drops the oldest records of the budget if it is exceeded. */
  weigh(bytes: number): void;
  /** Takes the record out of the budget. */
  release(): void;
}

/**
 * Bounds the memory of all records of a sandbox, of every application and kind together: beyond `maximum` bytes the
 * oldest are dropped, whoever caused them.
 */
export function createRecordBudget(maximum: number) {
  /** Oldest first. */
  const all = new Set<{ bytes: number; drop: () => void }>();
  let total = 0;

  function remove(record: { bytes: number; drop: () => void }): void {
    if (all.delete(record)) total -= record.bytes;
  }

  return {
    /** Adds a record without weight. `drop` is called if it has to make room. */
    hold(drop: () => void): Held {
      const record = { bytes: 0, drop };
      all.add(record);
      return {
        weigh(bytes) {
          if (!all.has(record)) return;
          total += bytes - record.bytes;
          record.bytes = bytes;
          for (const oldest of all) {
            if (total <= maximum) break;
            remove(oldest);
            oldest.drop();
          }
        },
        release: () => remove(record),
      };
    },
  };
}

export type RecordBudget = ReturnType<typeof createRecordBudget>;
