/** A figure of the bench's table, beside what it is measured against in the same run. */
export interface Row {
  /** What is measured: "a program’s read through the console". */
  what: string;
  unit: 'ms' | 's' | 'kB' | 'MB' | 'requests/s' | 'ratio' | 'states' | 'transitions' | 'sandboxes' | 'bytes';
  ours: number;
  /** Another program, or another part of ours, measured in the same run; in the same unit. */
  reference?: { what: string; value: number };
  /** Left out where the figure is only to be compared. */
  aim?: Aim;
}

/** What a row aims at; every member that is given has to hold. */
export interface Aim {
  /** At most so much, in the row's unit. */
  most?: number;
  /** At least this part of the reference. */
  leastPart?: number;
  /** At most this part of the reference, plus `mostMore`. */
  mostPart?: number;
  /** At most so much more than the reference, or than `mostPart` of it; in the row's unit. */
  mostMore?: number;
  /** What the numbers stand for: "independent of the number". */
  because?: string;
}

/** The value in the middle; NaN of none. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** The value below which this part of the values lies; NaN of none. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;
