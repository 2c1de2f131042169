import { expect, it } from 'vitest';
import { mostCounted } from '#contract/constants.ts';
import { counted, countedFact } from '#rules/counted.ts';

it('A number is followed by its noun, in the plural unless it is 1', () => {
  expect([counted(1, 'rule'), counted(2, 'rule'), counted(0, 'batch', 'batches')]).toEqual([
    '1 rule',
    '2 rules',
    '0 batches',
  ]);
});

it('A number of records that may be more, because they are counted up to it, has a plus', () => {
  expect(countedFact(1, 'debtor')).toBe('1 debtor');
  expect(countedFact(mostCounted - 1, 'debtor')).toBe('9999 debtors');
  expect(countedFact(mostCounted, 'debtor')).toBe('10000+ debtors');
});
