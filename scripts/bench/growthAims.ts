import type { Aim } from './row.ts';

/** The number that larger ones are measured against. */
export const few = 10;

/** What is aimed at with so many. */
export type AimFor = (size: number) => Aim;

/** Costs are of a few ms, and those of two processes differ by noise. */
export const independent = (): Aim => ({ because: 'independent of the number', mostPart: 2, mostMore: 0.5 });
/** n log n, as a part of what `few` cost. */
export const sorted = (size: number): Aim => ({
  because: 'not worse than n log n',
  mostPart: (size * Math.log(size)) / (few * Math.log(few)),
});
