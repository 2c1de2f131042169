import type { Weight } from './evidence.ts';

/** A thing that waits, and how many came before it. */
interface Waiting<Item> {
  place: number;
  weight: Weight;
  item: Item;
}

/**
 * Holds what waits to be written, up to a number: what would be deleted as soon as it was written is dropped, reads
 * first, but none of the latest before others have gone. Evidence is never dropped.
 */
export function createRing<Item>(mostItems: number, latest: number) {
  let waiting: Record<Weight, Waiting<Item>[]> = { read: [], call: [], evidence: [] };
  let place = 0;

  const count = () => waiting.read.length + waiting.call.length + waiting.evidence.length;

  function dropOne(): void {
    const [read] = waiting.read;
    const isOld = read !== undefined && read.place < place - latest;
    (isOld || waiting.call.length === 0 ? waiting.read : waiting.call).shift();
  }

  return {
    count,
    add(item: Item, weight: Weight): void {
      waiting[weight].push({ place, weight, item });
      place += 1;
      if (count() > mostItems) dropOne();
    },
    /** Returns everything that waits in the order in which it came, and holds nothing any more. */
    take(): Waiting<Item>[] {
      const all = Object.values(waiting).flat();
      waiting = { read: [], call: [], evidence: [] };
      return all.sort((one, other) => one.place - other.place);
    },
    /** Holds again what was taken last and could not be written, before what has come since. */
    putBack(taken: readonly Waiting<Item>[]): void {
      const since = waiting;
      waiting = { read: [], call: [], evidence: [] };
      for (const each of [...taken, ...Object.values(since).flat()]) waiting[each.weight].push(each);
      for (let excess = count() - mostItems; excess > 0; excess -= 1) dropOne();
    },
  };
}

export type Ring<Item> = ReturnType<typeof createRing<Item>>;
