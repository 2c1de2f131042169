import { linear, type Matches } from './linear.ts';

/** A compiled rule regex: a test, or the reason why it is not run here. */
export type Pattern =
  | { test: (value: string) => boolean; /** Steps for each character of a value. */ size: number; note?: never }
  | { test?: never; size?: never; note: string };

/** Longer patterns, in characters, are not read; a larger automaton, in states, is not made. */
const longest = 2000;
const largest = 5000;

/** Steps, states times characters, that one test may take: some tenths of a second. */
const affordable = 2_000_000;

/** Characters of different patterns that one form may bring, and how many patterns; some tenths of a second to read. */
const longestInForm = 100_000;
const mostInForm = 1000;

/** Patterns that are kept ready, at least those of one form; a hostile definition may bring any number. */
const most = 2 * mostInForm;
const known = new Map<string, Pattern>();

const unchecked = (why: string): Pattern => ({ note: `${why} and is not checked here; the provider checks it.` });

/** Steps of making and running patterns that one form may take at a time. */
const affordableInForm = 5_000_000;

function prepare(regex: string): Pattern {
  if (regex.length > longest) return unchecked(`The pattern of this rule is longer than ${longest} characters`);
  try {
    new RegExp(regex);
    const { size, matches } = linear(regex);
    if (size === Infinity) return unchecked('The pattern of this rule refers back to what it has matched');
    if (size > largest) return unchecked('The pattern of this rule could take too long');
    let ready: Matches | undefined;
    return { size, test: (value) => size * value.length <= affordable && (ready ??= matches())(value) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return unchecked(`The pattern of this rule cannot be read (${why.slice(0, 200)})`);
  }
}

/**
 * Compiles a provider's regex so that it is safe to run: a test takes time in proportion to the value's length, whatever the
 * pattern. A pattern that is broken, or that only a backtracking engine could run, becomes a note instead (a hostile
 * definition must neither hang nor crash the page).
 */
export function patternOf(regex: string): Pattern {
  const found = known.get(regex);
  if (found) return found;
  const pattern = prepare(regex);
  if (known.size >= most) known.delete(known.keys().next().value ?? '');
  known.set(regex, pattern);
  return pattern;
}

/** For the patterns of one form in their order: the note of one that is not read because those before it are too many. */
export function readingInTurn(): (regex?: string) => string | undefined {
  const read = new Set<string>();
  let left = longestInForm;
  return (regex = '') => {
    if (regex === '' || read.has(regex)) return undefined;
    if (read.size >= mostInForm || regex.length > left)
      return unchecked('The patterns of the rules before this one are too many').note;
    read.add(regex);
    left -= regex.length;
    return undefined;
  };
}

/** For the values of one form in their order: whether making and running the pattern can still be afforded. */
export function runningInTurn(): (regex: string, value: string) => boolean {
  let left = affordableInForm;
  return (regex, value) => {
    const cost = value.trim() === '' ? 0 : (patternOf(regex).size ?? 0) * (value.length + 10);
    const runs = cost <= left;
    if (runs) left -= cost;
    return runs;
  };
}
