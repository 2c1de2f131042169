import { LRUCache } from 'lru-cache';
import type { Engine } from './engine.ts';
import type { Records } from './records.ts';

/** Records of which a part is kept in memory, so that a list is filtered and counted without opening what is not shown. */
export interface Outlined<Value, Outline> extends Records<Value> {
  /** The parts by the records' ids, in order of insertion. Not to be changed. */
  outlines(): Promise<ReadonlyMap<string, Outline>>;
}

/** The parts of one namespace as they were at `version` (Engine, version); without `known` while they are read. */
interface Kept {
  version: string;
  reading: Promise<Map<string, unknown>>;
  known?: Map<string, unknown>;
}

/** Maximum number of namespaces of which they are kept. */
const most = 100;

/** Writes under way in one namespace: how many, and whether several of them were at the same time. */
interface Writes {
  count: number;
  overlap: boolean;
}

/** The parts of all namespaces of a file that are in use, and the writes under way in each. */
export interface Outlines {
  kept: LRUCache<string, Kept>;
  writes: Map<string, Writes>;
}
export const createOutlines = (): Outlines => ({ kept: new LRUCache({ max: most }), writes: new Map() });

interface Needs {
  outlines: Outlines;
  here: () => Promise<string>;
  /** As of the engine. */
  version: Engine['version'];
}

/**
 * The same records with their outlines. `here` returns their namespace, in which nothing else of this process writes.
 * Damaged records, which `list` leaves out, have none.
 */
export function outlined<Value, Outline>(
  records: Records<Value>,
  outlineOf: (value: Value) => Outline,
  idOf: (outline: Outline) => string,
  { outlines: { kept: outlines, writes }, here, version: versionOf }: Needs,
): Outlined<Value, Outline> {
  async function read(): Promise<Map<string, unknown>> {
    const found = (await records.list()).map(outlineOf);
    return new Map(found.map((outline) => [idOf(outline), outline]));
  }

  /**
   * Runs a write and notes it. After writes at the same time, whose order is not known, after one that failed, and if
   * they are being read, they are read again.
   */
  async function noted<T>(write: () => Promise<T>, note: (known: Map<string, unknown>) => void): Promise<T> {
    const namespace = await here();
    const underWay = writes.get(namespace) ?? { count: 0, overlap: false };
    underWay.count += 1;
    underWay.overlap ||= underWay.count > 1;
    writes.set(namespace, underWay);
    let isNoted = false;
    try {
      const before = [await versionOf(namespace), await records.version()] as const;
      const result = await write();
      const after = [await versionOf(namespace), await records.version()] as const;
      const kept = outlines.get(namespace);
      // What another server writes at the same time cannot be told from this write.
      if (!underWay.overlap && kept?.known && kept.version === before[0] && before[1] === after[1]) {
        note(kept.known);
        kept.version = after[0];
        isNoted = true;
      }
      return result;
    } finally {
      if (!isNoted) outlines.delete(namespace);
      underWay.count -= 1;
      if (underWay.count === 0) writes.delete(namespace);
    }
  }

  return {
    ...records,
    async outlines() {
      const namespace = await here();
      const version = await versionOf(namespace);
      let kept = outlines.get(namespace);
      if (kept?.version !== version) {
        const begun: Kept = { version, reading: read() };
        kept = begun;
        outlines.set(namespace, begun);
        begun.reading.then(
          (known) => (begun.known = known),
          () => outlines.delete(namespace),
        );
      }
      return (await kept.reading) as Map<string, Outline>; // made by read
    },
    async get(id) {
      const value = await records.get(id);
      const namespace = await here();
      // It has turned out to be damaged.
      if (value === undefined && outlines.get(namespace)?.known?.has(id)) outlines.delete(namespace);
      return value;
    },
    put: (id, value) =>
      noted(
        () => records.put(id, value),
        (known) => known.set(id, outlineOf(value)),
      ),
    putAll(values) {
      const all = [...values];
      return noted(
        () => records.putAll(all),
        (known) => all.forEach(([id, value]) => known.set(id, outlineOf(value))),
      );
    },
    async change(id, change) {
      let after: Value | undefined;
      await noted(
        () => records.change(id, (before) => (after = change(before))),
        (known) => after !== undefined && known.set(id, outlineOf(after)),
      );
    },
    add: (id, value) =>
      noted(
        () => records.add(id, value),
        (known) => known.has(id) || known.set(id, outlineOf(value)),
      ),
    remove: (id) =>
      noted(
        () => records.remove(id),
        (known) => known.delete(id),
      ),
    removeAll: (ids) =>
      noted(
        () => records.removeAll(ids),
        (known) => ids.forEach((id) => known.delete(id)),
      ),
  };
}
