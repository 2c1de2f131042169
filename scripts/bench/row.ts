/** A figure of the bench's table, beside what it is measured against in the same run. */
export interface Row {
  /** What is measured: "a proxied read, recorded". */
  what: string;
  unit: 'ms' | 's' | 'kB' | 'MB' | 'requests/s' | 'ratio' | 'states' | 'transitions';
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

const spread = (values: readonly number[]) => values.toSorted((a, b) => a - b);
/** The value below which a `part` (0 to 1) of the values lies; NaN of none. */
const quantile = (values: readonly number[], part: number): number =>
  spread(values)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const p99 = (values: readonly number[]): number => quantile(values, 0.99);

/** How long each of `times` runs took, one after the other, in ms. */
export async function timed(times: number, run: () => Promise<unknown>): Promise<number[]> {
  const spent: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const before = performance.now();
    await run();
    spent.push(performance.now() - before);
  }
  return spent;
}

/** Of each kind of records: their number, and what a write of one more and a page of them cost, in ms of CPU. */
export type Filled = Record<string, { count: number; write: number; page: number }>;

/** CPU time of this process that one of `times` runs takes, in ms; the first one, which compiles, does not count. */
export async function spentOn(times: number, run: (turn: number) => Promise<unknown>): Promise<number> {
  await run(0);
  const before = process.cpuUsage();
  for (let turn = 0; turn < times; turn += 1) await run(turn);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}
