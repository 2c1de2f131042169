import ret, { types, type Root, type Token } from 'ret';

/** A rule's regex made ready: a test, or the reason why it is not run here. */
export type Pattern = { test: (value: string) => boolean; note?: never } | { test?: never; note: string };

/** Every pattern that is run at all can be run on values up to this length, in characters. */
const usualLength = 256;

/** Ways of matching that a backtracking engine tries in a fraction of a second (the fourth power took a second). */
const affordable = usualLength ** 3;

/**
 * Upper bound of the ways in which a token can match in a value of `length` characters: one repetition multiplies by
 * its choices, a repeated group by the power of what it holds. Look-arounds are atomic, yet cost their own search.
 */
function ways(token: Token | Root, length: number): number {
  switch (token.type) {
    case types.ROOT:
    case types.GROUP: {
      const branches = token.options ?? [token.stack ?? []];
      return branches.reduce(
        (sum, branch) => sum + branch.reduce((product, part) => product * ways(part, length), 1),
        0,
      );
    }
    case types.REPETITION: {
      const most = Math.min(token.max, length);
      return ways(token.value, length) ** most * (most - Math.min(token.min, most) + 1);
    }
    case types.REFERENCE:
      return length;
    default:
      return 1;
  }
}

/** The parser knows no look-behind; a look-ahead in its place costs the same. */
const parse = (regex: string): Root => ret(regex.replaceAll(/\(\?<(?=[=!])/g, '(?'));

const known = new Map<string, Pattern>();

function prepare(regex: string): Pattern {
  try {
    const compiled = new RegExp(regex);
    const tokens = parse(regex);
    // Unless every branch is anchored, the engine starts again at each character.
    const anchored = regex.startsWith('^') && !tokens.options;
    const runs = (length: number): boolean => ways(tokens, length) * (anchored ? 1 : length) <= affordable;
    if (!runs(usualLength))
      return { note: 'The pattern of this rule could take too long and is not checked here; the provider checks it.' };
    return { test: (value) => runs(value.length) && compiled.test(value) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      note: `The pattern of this rule cannot be read (${why}) and is not checked here; the provider checks it.`,
    };
  }
}

/**
 * Makes a provider's regex safe to run: a pattern that is broken, or that a backtracking engine could not finish in
 * reasonable time, becomes a note instead (a hostile definition must neither hang nor crash the page).
 */
export function patternOf(regex: string): Pattern {
  const pattern = known.get(regex) ?? prepare(regex);
  known.set(regex, pattern);
  return pattern;
}
