import type { Field } from '#rules/field.ts';
import { patternOf } from '#rules/pattern.ts';

/** A value tried against a field's pattern. */
export interface Sample {
  value: string;
  passes: boolean;
}

/** Seeds for a rule that has neither an example nor options, or only long ones. */
const stock = ['123456', '12345678', 'ABC', 'Sandbox User', 'GB', 'user@example.com', '2026-11-20'];

/** A code of four or more digits in pairs joined by dashes, as sort codes are written; other values unchanged. */
const inPairs = (value: string): string => (/^\d{4,}$/.test(value) ? (value.match(/\d{1,2}/g) ?? []).join('-') : value);

/** Variations of a seed: the first ones match most patterns, the later ones fail most. */
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

/** Maximum number of seeds that are varied. */
const mostSeeds = 10;
/** Maximum length of a seed in characters; variations of longer ones are hard to compare by eye. */
const longestSeed = 100;

/** Maximum number of values shown for each outcome. */
const shown = 4;

/**
 * Some values that match a field's pattern and some that do not: variations of its example and options. Empty if there
 * is no pattern, or if the pattern is not run (the field's note says why).
 */
export function samplesOf({ regex, example, options }: Field): Sample[] {
  const { test } = patternOf(regex);
  if (regex === '' || !test) return [];
  const seeds = [...(example ? [example] : []), ...options.map(({ value }) => value)];
  const short = seeds.filter(({ length }) => length <= longestSeed).slice(0, mostSeeds);
  const candidates = (short.length > 0 ? short : stock).flatMap((seed) => changes.map((change) => change(seed)));
  const tried = [...new Set(candidates)].filter(Boolean).flatMap((value) => {
    const passes = test(value);
    return passes === undefined ? [] : [{ value, passes }];
  });
  const some = (wanted: boolean) => tried.filter(({ passes }) => passes === wanted).slice(0, shown);
  return [...some(true), ...some(false)];
}
