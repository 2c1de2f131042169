import { describe, expect, it } from 'vitest';
import { codeOf } from '#rules/violation.ts';
import { paymentForm } from '#rules/field.ts';
import { checkForm } from '#rules/check.ts';
import { patternOf } from '#rules/pattern.ts';

describe('a pattern of .NET', () => {
  it.each<[string, string, string[], string[]]>([
    ['the start and end of the value', '\\A[A-Z]{2}\\z', ['AB'], ['ABC', 'AABz', 'AABZ', 'AB\n']],
    ['the end before a line end', '\\A[A-Z]{2}\\Z', ['AB', 'AB\n'], ['ABZ', 'ABC', 'AB\n\n']],
    ['an end within alternatives', '(?:\\Aa|b\\z)', ['ac', 'cb'], ['ca', 'bc', 'z']],
    ['a flag for the whole', '(?i)^gb[0-9é]$', ['GB1', 'gbÉ'], ['fr1']],
    ['a flag for alternatives', '(?i)^a$|^b$', ['A', 'B'], ['ab']],
    ['a flag after the start', '^(?i)gb$', ['GB'], ['GBP']],
    ['a flag after the start of the value', '\\A(?i)gb\\z', ['GB'], ['AGB']],
    ['a flag with a letter by its code', '(?i)^\\u0061\\x62\\p{Lu}$', ['ABC', 'abc'], ['aB1']],
    ['a property', '^\\p{L}+$', ['Zoë', 'Łódź', '東京', '𝒳'], ['p{L}', 'Zoë1', '😀']],
    ['a negated property', '^\\P{L}\\p{Lu}$', ['1A'], ['aA', '1a']],
    ['properties within a class', "^[\\p{L}\\p{M}' .-]+$", ['Zoë O’'.replace('’', "'"), 'a-b'], ['a1']],
    ['escaped marks', '^\\_\\-\\/\\@\\ \\#\\"\\é\\😀$', ['_-/@ #"é😀'], ['x']],
    ['escaped marks within a class', '^[A-Z\\_\\-\\@\\ \\#\\]\\&]+$', ['A_-@ #]&'], ['a', '\\']],
    ['an escaped backslash before a letter', '^\\\\A\\\\[\\\\z]$', ['\\A\\z', '\\A\\\\'], ['A', '']],
  ])('is checked in its own sense: %s', (_, regex, good, bad) => {
    const { test, note } = patternOf(regex);
    expect(note).toBeUndefined();
    for (const value of good) expect(test?.(value), value).toBe(true);
    for (const value of bad) expect(test?.(value), value).toBe(false);
  });

  it.each([
    ['^[^]{3}$', 'a\n]', 'ab'],
    ['^[[a-z]+$', '[a', ']'],
    ['^[\\w[\\]]+$', 'a[]', '-'],
    ['^[\\w-.]+@[\\d\\s-]+$', 'a-.@1 -', '!@1'],
    ['^[\\\\w-z]+$', '\\x', 'a'],
    ['^[ -~]+$', 'a~', 'é'],
    ['^[+-[]$', 'A', ']'],
    ['^[\\ud83c\\udf00-\\ud83d\\udfff]$', '😀', 'a'],
    ['^[\\ud800-\\udbff][\\udc00-\\udfff]\\@$', '😀@', 'a@'],
    ['\\A(?:\\ud83d[\\ude00-\\ude4f])+\\z', '😀😀', 'A😀z'],
    ['^\\cA\\x41\\u0042\\0$', '\u0001AB\0', 'cA'],
    ['^[😀😁]$', '😁', '😂'],
    ['^[A-Z&&]+$', 'A&', 'a'],
  ])('keeps the sense of JavaScript where that is certain: %s', (regex, good, bad) => {
    const { test } = patternOf(regex);
    expect([test?.(good), test?.(bad)]).toEqual([true, false]);
  });

  it.each([
    ['a grapheme', '^\\X{1,35}$'],
    ['a recursion', '^(\\((?1)*\\))$'],
    ['a recursion of the whole', '^a(?R)?b$'],
    ['a condition', '^(a)?(?(1)b|c)$'],
    ['a verb', '(*UTF8)^a$'],
    ['a name character of XML', '^\\i\\c*$'],
    ['a word edge of PostgreSQL', '\\ypay\\y'],
    ['an unknown property', '^\\p{InNowhere}+$'],
    ['a property of strings', '^\\p{RGI_Emoji}$'],
    ['a property of .NET alone', '^\\p{IsGreek}+$'],
    ['a property without braces', '^\\pL+$'],
    ['a POSIX class', '^[[:alpha:]_][[:digit:][:space:]]$'],
    ['a POSIX class first of all', '^[[:alpha:]]+$'],
    ['a negated POSIX class', '^[[:^digit:]]$'],
    ['an equivalence', '^[[=e=]]+$'],
    ['a class in a class', '^[a-c[x-z]]+$'],
    ['a subtraction of a class', '^[a-z-[aeiou]]+$'],
    ['an intersection of classes', '^[A-Z&&[^IO]]+$'],
    ['a bracket that stands first in a class', '^[]a]+$'],
    ['a bracket that stands first in a negated class', '^[^]a]+$'],
    ['the start of the value within a class', '^[\\A]$'],
    ['horizontal blanks', '^a\\h+b\\H$'],
    ['a line end of any kind', '^a\\Rb$'],
    ['a quotation', '^\\Qa.b*(\\E[0-9]$'],
    ['a character by its code in braces', '^\\x{41}$'],
    ['a repetition without a minimum', '^a{,3}$'],
    ['a repetition with blanks', '^a{2, 5}$'],
    ['a possessive repetition', '^[a-z]++1$'],
    ['an atomic group', '^(?>[a-z]+)1$'],
    ['a flag from within on', '^a(?i)b|c$'],
    ['a flag for a group', '^(?i:[a-c])d$'],
    ['a flag that ends', '^(?-i:a)$'],
    ['another flag', '(?m)^b$'],
    ['layout and comments', '(?x) ^ [A-Z]{2} # country'],
    ['a comment', '^a(?#digits)$'],
    ['a named group of Python', '^(?P<one>a)$'],
    ['a reference of PCRE', '^(x)\\g{1}\\g{-1}$'],
    ['a boundary of Java', '\\b{g}a'],
    ["a word's start and end", '[[:<:]]pay[[:>:]]'],
    ['an incomplete code', '^\\x4$'],
    ['a property beside halves of characters', '^[\\ud800-\\udbff]\\p{L}$'],
  ])('is noted and refuses nothing if JavaScript does not know it: %s', (_, regex) => {
    const { test, note } = patternOf(regex);
    expect(test).toBeUndefined();
    expect(note).toMatch(/is not checked here; the provider checks it\.$/);
  });

  it('blocks neither form nor service if it is not understood (behaviour 5.18)', () => {
    for (const [regex, value] of [
      ['^\\p{L}+$', 'Zoë'],
      ['^\\X+$', 'é'],
      ['^[[:alpha:]]+$', 'é'],
      ['^\\p{Nowhere}$', 'x'],
      ['(?R)', 'x'],
    ] as const) {
      const validation = {
        apiPath: 'BatchPayments',
        jsonPath: 'additionalData.name',
        optionality: 'Required',
        fieldType: 'Text',
        regex,
      };
      const form = paymentForm([{ ruleId: 'r', validation }]);
      expect(checkForm(form, { name: value }), regex).toEqual([]);
      expect(codeOf(validation, value), regex).toBeUndefined();
    }
  });
});
