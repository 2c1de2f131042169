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

  const accounts = [
    ['a sort code with U+2011', sortCode, '11\u201122\u201133', '112233'],
    ['a sort code with U+2212', sortCode, '11\u221222\u221233', '112233'],
    ['a sort code with full-width digits', sortCode, '１１２２３３', '112233'],
    ['a sort code with full-width dashes', sortCode, '１１－２２－３３', '112233'],
    ['a sort code with Arabic-Indic digits', sortCode, '١١٢٢٣٣', '112233'],
    ['a sort code with Devanagari and mathematical digits', sortCode, '१𝟏𝟚२𝟛३', '112233'],
    ['a sort code with zero-width spaces', sortCode, '\u200b11\u200b22\ufeff33\u2060', '112233'],
    ['a sort code with NBSP and narrow NBSP', sortCode, '11\u00a022\u202f33', '112233'],
    ['a sort code with direction marks', sortCode, '\u200e112233\u202c', '112233'],
    ['a sort code with a soft hyphen and a line break', sortCode, '11\u00ad2233\n', '112233'],
    ['a BSB with U+2011', field('999-001', '^\\d{3}-\\d{3}$'), '999\u2011001', '999-001'],
    ['a BSB with an em dash and a full-width digit', field('999-001', '^\\d{3}-\\d{3}$'), '99９—001', '999-001'],
    ['an IBAN in groups', field('FR76', '^[A-Z0-9]{5,34}$'), 'fr76\u00a03000\u20096000\u30000112', 'FR76300060000112'],
    ['a postcode with NBSP', field('AB1 2CD', '^[A-Z0-9]{2,4} ?[A-Z0-9]{3}$'), 'AB1\u00a02CD', 'AB1 2CD'],
    ['a country in full width', field('GB', '^[A-Z]{2}$'), 'ｇｂ', 'GB'],
    ['a date with U+2011', field('2026-01-31', '^\\d{4}-\\d\\d-\\d\\d$'), '2026‑01‑31', '2026-01-31'],
    ['an amount in Arabic-Indic digits', field('120.50', '^\\d+\\.\\d\\d$'), '١٢٠٫٥٠', '120.50'],
    ['a language', field('en', '^[a-z]{2}$'), 'ｅｎ\u200b', 'en'],
    [
      'a name with NBSP, curly quotes and a dash',
      field('Orchard', "^[A-Za-z '-]+$"),
      'Anne\u2011Marie\u00a0O’Brien',
      "Anne-Marie O'Brien",
    ],
  ] as const;
  it.each(accounts)('that was pasted is read in ASCII: %s (behaviour 10.13.4)', (_, asked, typed, meant) => {
    expect(corrected(asked, typed)).toBe(meant);
  });

  it.each(['11\u2044-22-33', 'a1-22-33', '11²233'])(
    'that no reading makes valid stays, and its error names the character: %j',
    (typed) => {
      expect(corrected(sortCode, typed)).toBe(typed);
    },
  );

  it('that hides an override of the direction stays, because its user has to see it (behaviour 5.8)', () => {
    const name = field('Orchard', '^[A-Za-z ]+$');
    expect(corrected(name, 'Orchard\u202e')).toBe('Orchard\u202e');
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
