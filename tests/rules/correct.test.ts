import { describe, expect, it } from 'vitest';
import { corrected } from '#rules/correct.ts';
import { fieldOf } from '#rules/field.ts';

const field = (example: string, regex: string) => fieldOf({ jsonPath: 'a', example, regex }, 'a');
const sortCode = field('112233', '^\\d{6}$');

describe('a typed code', () => {
  it.each([
    [sortCode, '11-22-33', '112233'],
    [sortCode, '11 22 33', '112233'],
    [sortCode, ' 112233 ', '112233'],
    [field('GB', '^[A-Z]{2}$'), 'gb', 'GB'],
    [field('AB1 2CD', '^[A-Z0-9]{2,4} ?[A-Z0-9]{3}$'), 'ab1 2cd', 'AB1 2CD'],
    [field('000123456789', '^\\d{4,17}$'), '0001-2345', '00012345'],
  ])('is corrected to the reading that matches its rule: %# (behaviour 10.13.4)', (asked, typed, meant) => {
    expect(corrected(asked, typed)).toBe(meant);
  });

  it.each([
    ['is valid', sortCode, '445566'],
    ['is valid in no reading', sortCode, '11-22-3'],
    ['is a name', field('Trading account', '^[A-Za-z]+$'), 'A-B'],
    ['has no pattern', field('112233', ''), '11-22-33'],
    ['has no example', field('', '^\\d{6}$'), '11-22-33'],
    ['is blank', sortCode, ' - '],
  ])('is unchanged if it %s', (_, asked, typed) => {
    expect(corrected(asked, typed)).toBe(typed);
  });
});
