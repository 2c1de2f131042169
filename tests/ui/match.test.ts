import { describe, expect, it } from 'vitest';
import { matching } from '#ui/match.ts';

const found = (term: string, ...labels: string[]) =>
  matching(
    labels.map((label) => ({ label })),
    term,
  ).map(({ label }) => label);

describe('the filter of options by typed text', () => {
  it.each([
    ['an exact label before a label with that prefix', 'en', ['en-GB', 'en'], ['en', 'en-GB']],
    ['a prefix before a later word', 'bank', ['Mock Bank', 'Bank of Ham'], ['Bank of Ham', 'Mock Bank']],
    ['a whole word before letters within a word', 'own', ['Downing', 'The Own Bank'], ['The Own Bank', 'Downing']],
    [
      'words in any order before scattered letters',
      'bank mock',
      ['Banker Amo Cek', 'Mock Bank'],
      ['Mock Bank', 'Banker Amo Cek'],
    ],
    ['a substring before scattered letters', 'lad', ['Lloyds and', 'Salad'], ['Salad', 'Lloyds and']],
    ['a match whatever its case and accents first', 'CREDIT', ['Crédit Agricole'], ['Crédit Agricole']],
    ['a match of regex characters first', '(a', ['x (a) y', 'b'], ['x (a) y']],
    ['a match of punctuation first', '--', ['a -- b', 'c'], ['a -- b']],
  ])('puts %s', (_, term, labels, expected) => {
    expect(found(term, ...labels)).toEqual(expected);
  });

  it('keeps all options in order for empty text, and none without a match', () => {
    expect(found('  ', 'b', 'a')).toEqual(['b', 'a']);
    expect(found('xyz', 'b', 'a')).toEqual([]);
  });
});
