import { describe, expect, it } from 'vitest';
import { checkField } from '#rules/check.ts';
import { fieldOf } from '#rules/field.ts';
import { accentedLetters, transliterated } from '#rules/letters.ts';
import { accentedText, englishText } from '#server/sandbox/catalogue/wording/country.ts';

const accented = fieldOf(
  { jsonPath: 'name', uiLabel: 'Name', regex: accentedText(20), errorMessage: 'Name: wrong' },
  'a',
);
const { regex = '' } = englishText('Name', 'Orchard', 20);
const plain = fieldOf({ jsonPath: 'name', uiLabel: 'Name', regex, errorMessage: 'Name: wrong' }, 'a');

describe('Letters of bank files', () => {
  it.each([
    ['Strauß GmbH', 'Strauss GmbH'],
    ['Søren Ærø', 'Soren AEro'],
    ['Łódź Đorđe', 'Lodz Dorde'],
    ['Þór Guðrún', 'THor Gudrun'],
    ['Œuvre Nguyễn', 'OEuvre Nguyen'],
    ['O’Brien', "O'Brien"],
    ['Café', 'Cafe'],
    ['İstanbul ılık Ștefan', 'Istanbul ilik Stefan'],
    ['A×B 日本', 'A×B 日本'],
  ])('are transliterated: %s to %s (behaviour 5.13)', (given, written) => {
    expect(transliterated(given)).toBe(written);
    expect(transliterated(given.normalize('NFD'))).toBe(written);
  });

  it('that rules accept all have a transliteration in ASCII (behaviour 5.13)', () => {
    const letter = new RegExp(`^[${accentedLetters}]$`);
    const accepted = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((each) =>
      letter.test(each),
    );
    expect(accepted.length).toBeGreaterThan(250);
    expect(accepted.filter((each) => !/^[A-Za-z']+$/.test(transliterated(each)))).toEqual([]);
  });

  it.each(['×', '÷', '日', 'Я', 'א', '😀', '\u202b', '\u0301', '™', '\t', '_', ';', '\u2028'])(
    'without a transliteration are refused at the field, which names them: %j (behaviour 5.13)',
    (letter) => {
      const code = `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
      for (const field of [accented, plain])
        expect(checkField(field, `1${letter}`)?.message).toMatch(
          new RegExp(`^Name: wrong \\(.*${code.replace('+', '\\+')}.* cannot be used here\\)$`),
        );
    },
  );

  it.each([
    ['Strauß', '“ß” U+00DF, usually written ss,'],
    ['Søren Ærø', '“ø” U+00F8, usually written o, “Æ” U+00C6, usually written AE,'],
    ['Cafe\u0301', '“é” U+00E9, usually written e,'],
    ['日本★', '“日” U+65E5 “本” U+672C “★” U+2605'],
  ])('that a rule refuses are named with their usual form: %s (behaviour 5.13)', (typed, named) => {
    expect(checkField(plain, typed)?.message).toBe(`Name: wrong (${named} cannot be used here)`);
  });

  it('typed as letter and combining accent are accepted as one letter (behaviour 5.13)', () => {
    expect(checkField(accented, 'Cafe\u0301 Zu\u0308rich')).toBeUndefined();
    expect(checkField(accented, 'e\u0301'.repeat(20))).toBeUndefined();
    expect(checkField(accented, 'e\u0301'.repeat(21))?.message).toBe('Name: wrong');
  });

  it('are not named for a value that is too long, or not within the time for a form (behaviour 5.13)', () => {
    expect(checkField(plain, 'a'.repeat(21))?.message).toBe('Name: wrong');
    expect(checkField(plain, `${'a'.repeat(5000)}ß`)?.message).toBe('Name: wrong');
  });
});
