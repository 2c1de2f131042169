import type { compile as Compile } from './regex/compile.ts';
import type { Matches } from './regex/linear.ts';
import type { Budget } from './regex/walk.ts';

let compile: typeof Compile | undefined;

/** Loads what compiles regexes, which only code with definitions of providers needs: it comes with the first of them. */
export async function loadCompiler(): Promise<void> {
  ({ compile } = await import('./regex/compile.ts'));
}

/**
 * A compiled rule regex: a test, or a note why it is not run. The test returns undefined if the value could not be
 * checked within the limit of one test, or within the budget: then the provider checks it.
 */
export type Pattern =
  | { test: (value: string, budget?: Budget) => boolean | undefined; size: number; note?: never }
  | { test?: never; size?: never; note: string };

/** Limits of one pattern: characters, and states of its automaton. */
const longest = 2000;
const largest = 5000;

/** Limit of one test in steps: some tenths of a second. */
const affordable = 2_000_000;

/** Limits of the different patterns in one form: total characters, and number. They compile in some tenths of a second. */
const longestInForm = 100_000;
const mostInForm = 1000;

/** Number of compiled patterns to keep: at least those of one form. */
const most = 2 * mostInForm;
const known = new Map<string, Pattern>();

/** Patterns declared by the console, which the engine runs; '' matches everything. */
const own = new Map<string, Pattern>([['', { size: 1, test: () => true }]]);

/** Declares a pattern of the console's own, which the engine runs directly. It must not backtrack much on any value. */
export function trust(regex: string): void {
  const native = new RegExp(regex, 'u');
  own.set(regex, { size: 1, test: (value) => native.test(value) });
}

const unchecked = (why: string): Pattern => ({ note: `${why} and is not checked here; the provider checks it.` });

/** Steps per state that it takes to compile a pattern, which its test is charged for. */
const preparing = 10;
const tooLong = 'This value is too long to be checked against its pattern here; the provider checks it.';

/** Limit of one check of a form in steps, compilation included. */
const affordableInForm = 5_000_000;

function prepare(regex: string): Pattern {
  if (!compile) throw new Error('A regex is checked before loadCompiler has ended');
  if (regex.length > longest) return unchecked(`The pattern of this rule is longer than ${longest} characters`);
  try {
    const { size, matches, read } = compile(regex);
    if (size === Infinity) return unchecked('The pattern of this rule refers back to what it has matched');
    if (size > largest) return unchecked('The pattern of this rule could take too long');
    let ready: Matches | undefined;
    const test = (value: string, budget: Budget = { left: affordable }) => {
      budget.left -= size * preparing;
      if (budget.left < 0) return undefined;
      const own = { left: Math.min(budget.left, affordable) };
      const granted = own.left;
      const found = (ready ??= matches())(read(value), own);
      budget.left -= granted - own.left;
      return found;
    };
    return { size, test };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return unchecked(`The pattern of this rule cannot be read (${why.slice(0, 200)})`);
  }
}

/**
 * Compiles a provider's regex to a linear-time test, so that a hostile definition cannot hang or crash the page.
 * Returns a note instead for a pattern that is broken or needs backtracking.
 */
export function patternOf(regex: string): Pattern {
  const found = own.get(regex) ?? known.get(regex);
  if (found) return found;
  const pattern = prepare(regex);
  if (known.size >= most) known.delete(known.keys().next().value ?? '');
  known.set(regex, pattern);
  return pattern;
}

/** Returns a function that counts the patterns of one form and returns a note for each pattern beyond the limits. */
export function readingInTurn(): (regex?: string) => string | undefined {
  const read = new Set<string>();
  let left = longestInForm;
  return (regex = '') => {
    if (regex === '' || read.has(regex)) return undefined;
    if (read.size >= mostInForm || regex.length > left)
      return unchecked('The preceding rules have too many patterns').note;
    read.add(regex);
    left -= regex.length;
    return undefined;
  };
}

/** The steps of one check of a form. A value beyond them is not checked. */
export const formBudget = (): Budget => ({ left: affordableInForm });

/** The note on a value that its pattern's test cannot check; '' for others. */
export const noteOn = (regex: string, value: string): string => {
  const { test } = patternOf(regex);
  return value !== '' && test && test(value) === undefined ? tooLong : '';
};
