import { LRUCache } from 'lru-cache';
import type { Engine } from './engine.ts';
import type { Records } from './records.ts';

/**
 * Records with a part of each (its outline) cached, so that lists are filtered and counted without decrypting hidden
 * records.
 */
export interface Outlined<Value, Outline> extends Records<Value> {
  /** The outlines by record id, in order of insertion. Not to be changed. */
  outlines(): Promise<ReadonlyMap<string, Outline>>;
}

/**
 * The cached outlines of one namespace at `version` (Engine, version). `known` is undefined while they are being read.
 */
interface Kept {
  version: string;
  reading: Promise<Map<string, unknown>>;
  known?: Map<string, unknown>;
}

/** Maximum number of cached namespaces. */
const most = 100;

/** Writes in progress in one namespace: their number, and whether any of them overlapped. */
interface Writes {
  count: number;
  overlap: boolean;
}

/** The outlines of the namespaces in use, and the writes in progress in each. */
export interface Outlines {
  kept: LRUCache<string, Kept>;
  writes: Map<string, Writes>;
}
export const createOutlines = (): Outlines => ({ kept: new LRUCache({ max: most }), writes: new Map() });

interface Needs {
  outlines: Outlines;
  here: () => Promise<string>;
  /** See Engine. */
  version: Engine['version'];
}

/**
 * Adds outlines to records. `here` returns their namespace, to which nothing else in this process writes. Damaged
 * records, which `list` omits, have no outline.
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
   * Runs a write and applies it to the cached outlines. Invalidates them instead if the write fails, if it overlaps
   * with another (the order is unknown), or while they are being read.
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
      // If another server wrote too, the versions differ in more than this write.
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
      // The record has turned out to be damaged.
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
