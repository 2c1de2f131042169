/** A span between two neighbours on a line. */
interface Gap {
  /** Its middle, from 0 to 1. */
  middle: number;
  ms: number;
  /** Its share of the line, from 0 to 1. */
  share: number;
  /** Whether the line is broken there: it is longer than it is drawn. */
  isBroken: boolean;
}

/** From this length of time (ms) on, the longest gap is broken, so that the others can be told apart. */
const longestWhole = 60_000;
/** The share of the line that a broken gap has, and the least distance of two marks. */
const [brokenShare, least] = [0.2, 0.025];

/**
 * Where times (ms, in order) lie on a line from the first to the last, each from 0 to 1: to scale, except that marks keep a
 * distance at which they can be told apart, and that the longest gap is broken if it all takes longer than a minute.
 */
export function alongLine(times: readonly number[]): { places: number[]; gaps: Gap[] } {
  const spans = times.slice(1).map((time, index) => Math.max(0, time - (times[index] ?? time)));
  const total = spans.reduce((sum, ms) => sum + ms, 0);
  const longest = spans.indexOf(Math.max(...spans));
  const isBroken = (index: number): boolean => total > longestWhole && spans.length > 1 && index === longest;
  const rest = spans.reduce((sum, ms, index) => (isBroken(index) ? sum : sum + ms), 0);
  const drawn = spans.map((ms, index) => Math.max(least, isBroken(index) ? brokenShare : rest === 0 ? 0 : ms / rest));
  const width = drawn.reduce((sum, share) => sum + share, 0);
  const places = [0];
  for (const share of drawn) places.push((places.at(-1) ?? 0) + share / width);
  return {
    places: times.length === 0 ? [] : places,
    gaps: spans.map((ms, index) => ({
      ms,
      middle: ((places[index] ?? 0) + (places[index + 1] ?? 0)) / 2,
      share: (drawn[index] ?? 0) / width,
      isBroken: isBroken(index),
    })),
  };
}
