import type { TimelineEntry } from '#contract/timeline.ts';

/** An entry beneath the one that began its interaction: how long after it (ms) it began. */
export interface Joined<Entry> {
  entry: Entry;
  offset: number;
  /** Whether it stands beneath another one. */
  isBeneath: boolean;
}

type Placed = Pick<TimelineEntry, 'id' | 'at' | 'interactionId' | 'ms' | 'kind'>;

const inOrder = (a: Placed, b: Placed): number => Date.parse(a.at) - Date.parse(b.at) || Number(a.id) - Number(b.id);

/**
 * The entries of each interaction below each other in the order in which they began, interactions with the newest beginning
 * first.
 */
export function joined<Entry extends Placed>(entries: readonly Entry[]): Joined<Entry>[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries.toSorted(inOrder)) {
    const key = entry.interactionId || entry.id;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()]
    .toSorted((a, b) => (a[0] && b[0] ? inOrder(b[0], a[0]) : 0))
    .flatMap((group) =>
      group.map((entry, index) => ({
        entry,
        offset: Math.max(0, Date.parse(entry.at) - Date.parse(group[0]?.at ?? entry.at)),
        isBeneath: index > 0,
      })),
    );
}

/** The ends (ms) of scales, and their marks. */
const scales = [10_000, 60_000, 600_000, 3_600_000, 86_400_000, 604_800_000] as const;
const marks = [1, 10, 100, 1000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000] as const;

/** The end (ms) of a logarithmic scale that has room for all entries. */
export const endOf = (rows: readonly Joined<Placed>[]): number => {
  const latest = rows.reduce((most, { entry, offset }) => Math.max(most, offset + (entry.kind === 'webhook' ? 0 : entry.ms)), 0); // prettier-ignore
  return scales.find((end) => end >= latest) ?? latest;
};

/** The place of a time (ms) on a logarithmic scale, from 0 to 1. */
export const placeOn = (end: number, ms: number): number => Math.log10(1 + ms) / Math.log10(1 + end);

/** The marks (ms) of a scale, far enough from each other to be read. */
export const marksOf = (end: number): number[] =>
  marks
    .filter((mark) => mark <= end)
    .reduceRight<number[]>((kept, mark) => {
      const [next] = kept;
      return next === undefined || placeOn(end, next) - placeOn(end, mark) > 0.12 ? [mark, ...kept] : kept;
    }, []);
