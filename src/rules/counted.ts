import { mostCounted } from '#contract/constants.ts';

/** The singular and the plural of a noun. */
export type Noun = readonly [one: string, many: string];

export const nounFor = (count: number, [one, many]: Noun): string => (count === 1 ? one : many);

/** A number with its noun: `1 rule`, `2 rules`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${nounFor(count, [one, many])}`;

/** A number of what is counted up to `mostCounted`: `10000+ debtors` if there may be more. */
export const countedFact = (count: number, one: string, many = `${one}s`): string =>
  `${count}${count >= mostCounted ? '+' : ''} ${nounFor(count, [one, many])}`;
