import type { Field } from '#rules/field.ts';
import { patternOf } from '#rules/pattern.ts';

/** A value tried against a field's pattern. */
export interface Sample {
  value: string;
  passes: boolean;
}

/** Where a rule gives no example. */
const stock = ['123456', '12345678', 'ABC', 'Sandbox User', 'GB', 'user@example.com', '2026-11-20'];

/** The parts of a code as people write them: in pairs, with dashes. */
const inPairs = (value: string): string => (/^\d{4,}$/.test(value) ? (value.match(/\d{1,2}/g) ?? []).join('-') : value);

/** What people type besides a value itself: the first mostly pass, the others mostly fail. */
const changes: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => value.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10)),
  (value) => value.toUpperCase(),
  (value) => value.toLowerCase(),
  inPairs,
  (value) => value.slice(0, -1),
  (value) => value + value.slice(-1),
  (value) => value.replace(/\d/, 'X'),
  (value) => `${value}!`,
  (value) => ` ${value}`,
  (value) => `${value} ${value} ${value}`,
];

/** How many seeds are changed, and characters of each; longer ones would be no examples to read. */
const mostSeeds = 10;
const longestSeed = 100;

/** How many values of each outcome are shown. */
const shown = 4;

/**
 * Some values that pass a field's pattern and some that fail, made by changing its example and tried for real; empty
 * when there is no pattern or it is not run here (the field's note says why).
 */
export function samplesOf({ regex, example, options }: Field): Sample[] {
  const { test } = patternOf(regex);
  if (regex === '' || !test) return [];
  const seeds = [...(example ? [example] : []), ...options.map(({ value }) => value)];
  const short = seeds.filter(({ length }) => length <= longestSeed).slice(0, mostSeeds);
  const candidates = (short.length > 0 ? short : stock).flatMap((seed) => changes.map((change) => change(seed)));
  const tried = [...new Set(candidates)].filter(Boolean).map((value) => ({ value, passes: test(value) }));
  const some = (wanted: boolean) => tried.filter(({ passes }) => passes === wanted).slice(0, shown);
  return [...some(true), ...some(false)];
}
