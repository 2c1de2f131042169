import ret, { types, type Root, type Token } from 'ret';

/** A rule's regex made ready: a test, or the reason why it is not run here. */
export type Pattern = { test: (value: string) => boolean; note?: never } | { test?: never; note: string };

/** Longest value, in characters, that a pattern with several open repetitions is run on; the bounds assume it. */
const longestChecked = 256;

/** Ways of matching up to which a backtracking engine answers at once for a value of `longestChecked` characters. */
const affordable = longestChecked ** 4;

/** Up to here the value's length does not matter. */
const cheap = longestChecked ** 2;

/**
 * Upper bound of the ways in which a token can match: one repetition multiplies by its choices, a repeated group by
 * the power of what it holds. Look-arounds are atomic, yet cost their own search.
 */
function ways(token: Token | Root): number {
  switch (token.type) {
    case types.ROOT:
    case types.GROUP: {
      const branches = token.options ?? [token.stack ?? []];
      return branches.reduce((sum, branch) => sum + branch.reduce((product, part) => product * ways(part), 1), 0);
    }
    case types.REPETITION: {
      const most = Math.min(token.max, longestChecked);
      return ways(token.value) ** most * (most - Math.min(token.min, most) + 1);
    }
    case types.REFERENCE:
      return longestChecked;
    default:
      return 1;
  }
}

const known = new Map<string, Pattern>();

function prepare(regex: string): Pattern {
  try {
    const compiled = new RegExp(regex);
    const tokens = ret(regex);
    // Without an anchor the engine starts again at every character.
    const cost = ways(tokens) * (regex.startsWith('^') ? 1 : longestChecked);
    if (cost > affordable)
      return { note: 'The pattern of this rule could take too long and is not checked here; the provider checks it.' };
    return { test: (value) => (value.length <= longestChecked || cost <= cheap) && compiled.test(value) };
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
