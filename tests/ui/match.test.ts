import { describe, expect, it } from 'vitest';
import { matching } from '#ui/match.ts';

const found = (term: string, ...labels: string[]) =>
  matching(
    labels.map((label) => ({ label })),
    term,
  ).map(({ label }) => label);

describe('the filter of options by typed text', () => {
  it.each([
    ['the whole label before one that only begins so', 'en', ['en-GB', 'en'], ['en', 'en-GB']],
    ['a beginning before a word inside', 'bank', ['Mock Bank', 'Bank of Ham'], ['Bank of Ham', 'Mock Bank']],
    ['a word before letters inside a word', 'own', ['Downing', 'The Own Bank'], ['The Own Bank', 'Downing']],
    [
      'words in any order before scattered letters',
      'bank mock',
      ['Banker Amo Cek', 'Mock Bank'],
      ['Mock Bank', 'Banker Amo Cek'],
    ],
    ['connected before scattered letters', 'lad', ['Lloyds and', 'Salad'], ['Salad', 'Lloyds and']],
    ['letters whatever their case and accents', 'CREDIT', ['Crédit Agricole'], ['Crédit Agricole']],
    ['characters that are patterns elsewhere', '(a', ['x (a) y', 'b'], ['x (a) y']],
    ['a term of signs only', '--', ['a -- b', 'c'], ['a -- b']],
  ])('puts %s', (_, term, labels, expected) => {
    expect(found(term, ...labels)).toEqual(expected);
  });

  it('keeps all options in order for empty text, and none without a match', () => {
    expect(found('  ', 'b', 'a')).toEqual(['b', 'a']);
    expect(found('xyz', 'b', 'a')).toEqual([]);
  });
});
