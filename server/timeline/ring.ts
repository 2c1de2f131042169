import type { Weight } from './evidence.ts';

/** A thing that waits, and how many came before it. */
interface Waiting<Item> {
  place: number;
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
      waiting[weight].push({ place, item });
      place += 1;
      if (count() > mostItems) dropOne();
    },
    /** Returns everything that waits in the order in which it came, and holds nothing any more. */
    take(): Item[] {
      const all = Object.values(waiting).flat();
      waiting = { read: [], call: [], evidence: [] };
      return all.sort((one, other) => one.place - other.place).map(({ item }) => item);
    },
  };
}

export type Ring<Item> = ReturnType<typeof createRing<Item>>;
