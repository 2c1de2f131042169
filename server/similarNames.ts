import { distance } from 'fastest-levenshtein';

const sorted = (text: string): string => [...text].sort().join('');

/** Returns in how many letters two names differ: added, left out, or replaced. Two letters exchanged count as one. */
export function lettersWrong(one: string, other: string): number {
  const letters = distance(one, other);
  return letters === 2 && sorted(one) === sorted(other) ? 1 : letters;
}

/** Asks, behind a blank, whether one of the most similar names was meant; '' if none is similar. */
export function meant(given: string, names: readonly string[]): string {
  const wrong = names.map((name) => lettersWrong(given.toLowerCase(), name.toLowerCase()));
  const least = Math.min(...wrong);
  const best = names.filter((name, index) => wrong[index] === least && least <= Math.max(1, name.length / 4));
  return best.length === 0 ? '' : ` Did you mean ${best.join(' or ')}?`;
}
