import { describe, expect, it } from 'vitest';
import { codeOf } from '#rules/violation.ts';
import { paymentForm } from '#rules/field.ts';
import { checkForm } from '#rules/check.ts';
import { patternOf } from '#rules/pattern.ts';

describe('a pattern of another dialect', () => {
  it.each<[string, string, string[], string[]]>([
    ['a property', '^\\p{L}+$', ['Zoë', 'Łódź', '東京', '𝒳'], ['p{L}', 'Zoë1', '😀']],
    ['a property without braces', '^\\pL\\PL$', ['a1'], ['ab', 'pLPL']],
    ['a negated property', '^\\p{^Lu}+$', ['abc'], ['aBc']],
    ['a script by its name', '^\\p{IsLatin}\\p{Greek}\\p{script=Han}$', ['aλ京'], ['aaa']],
    ['a class of Java', '^\\p{Alnum}\\p{Punct}\\p{XDigit}$', ['a!F'], ['!!F', 'aaF', 'a!G']],
    ['properties within a class', "^[\\p{L}\\p{M}' .-]+$", ['Zoë O’'.replace('’', "'"), 'a-b'], ['a1']],
    ['the start and end of the value', '\\A[A-Z]{2}\\z', ['AB'], ['ABC', 'AABz', 'AABZ']],
    ['the end before a line end', '\\A[A-Z]{2}\\Z', ['AB', 'AB\n'], ['ABZ', 'ABC']],
    ['POSIX classes', '^[[:alpha:]_][[:digit:][:space:]]$', ['a1', '_ ', 'ë1'], ['a:', '11', ':]']],
    ['negated POSIX classes', '^[[:^digit:]][^[:alpha:]]$', ['a1'], ['11', 'aa']],
    ['a bracket that stands first in a class', '^[]a]+$', [']a]'], ['b', 'a[']],
    ['a bracket that stands first in a negated class', '^[^]a]+$', ['bc'], [']', 'a']],
    ['horizontal blanks', '^a\\h+b\\H$', ['a \tbc'], ['ahbH'.replace('H', ' '), 'a\nbc']],
    ['a line end of any kind', '^a\\Rb$', ['a\r\nb', 'a\nb', 'a\u2028b'], ['aRb', 'a\n\nb']],
    ['a quotation', '^\\Qa.b*(\\E[0-9]$', ['a.b*(1'], ['axb*(1', 'Qa.b*(E1']],
    ['a quotation without an end', '^\\Q$5', ['$5'], ['Q$5']],
    ['characters by their code', '^\\x{41}\\u{1F600}\\o{102}\\N{U+43}\\e\\a$', ['A😀BC\u001b\u0007'], ['x{41}']],
    ['a repetition without a minimum', '^a{,3}$', ['', 'a', 'aaa'], ['aaaa', 'a{,3}']],
    ['a flag for the whole', '(?i)^gb[0-9]$', ['GB1', 'gb1'], ['fr1']],
    ['a flag from within on', '^a(?i)b|c$', ['aB', 'ab', 'C'], ['Ab']],
    ['a flag for a group', '^(?i:[a-c])d$', ['Bd'], ['BD']],
    ['a flag that ends', '^(?i)a(?-i)b$', ['Ab'], ['AB']],
    ['a flag that ends with its group', '^((?i)é)b$', ['Éb'], ['éB']],
    ['layout and comments', '(?x) ^ [A-Z]{2} # country\n \\d + (?#digits)$', ['GB12'], ['GB 12', '12']],
    ['lines', '(?m)^b$', ['a\nb\nc', 'b'], ['ab']],
    ['a dot for line ends', '(?s)^a.b$', ['a\nb'], ['ab']],
    ['a possessive repetition', '^[a-z]++[0-9]?+x*+-{2}+$', ['abc1xx--', 'a--'], ['1--']],
    ['an atomic group', '^(?>[a-z]+)1$', ['abc1'], ['1']],
    ['named groups of Python and .NET', "^(?P<one>a)(?'two'b)(?<one>c)$", ['abc'], ['ab', 'Pabc']],
    ['subtraction of a class', '^[a-z-[aeiou]]+$', ['xyz'], ['xaz', '[x]']],
    ['intersection of classes', '^[A-Z&&[^IO]]+$', ['ABC'], ['AIB', '&']],
    ['a delimited pattern', '/^[a-z]{2}$/iu', ['ab', 'AB'], ['/ab/', 'abc']],
    ["a word's start and end", '[[:<:]]pay[[:>:]]', ['to pay now'], ['repay', 'payer']],
  ])('is checked in its own sense: %s', (_, regex, good, bad) => {
    const { test, note } = patternOf(regex);
    expect(note).toBeUndefined();
    for (const value of good) expect(test?.(value), value).toBe(true);
    for (const value of bad) expect(test?.(value), value).toBe(false);
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
    ['a collating element', '^[[.hyphen.]a]+$'],
    ['an equivalence', '^[[=e=]]+$'],
    ['an unknown POSIX class', '^[[:letter:]]+$'],
    ['a class in a class', '^[a-c[x-z]]+$'],
    ['a repetition with blanks', '^a{2, 5}$'],
    ['repetition of the basic syntax', '^[0-9]\\{3\\}$'],
    ['a flag with another meaning', '(?U)^\\w+$'],
    ['an incomplete code', '^\\x4$'],
    ['a code beyond Unicode', '^\\x{110000}$'],
    ['a reference of Python', '^(?P<a>x)(?P=a)$'],
    ['a reference of PCRE', '^(x)\\g{1}\\g{-1}$'],
    ['a boundary of Java', '\\b{g}a'],
    ['an atomic group that may refuse', '^(?!(?>a*)b)'],
  ])('is noted and refuses nothing if its meaning is not certain: %s', (_, regex) => {
    const { test, note } = patternOf(regex);
    expect(test).toBeUndefined();
    expect(note).toMatch(/is not checked here; the provider checks it\.$/);
  });

  it.each([
    ['^[^]{3}$', 'a\n]', 'ab'],
    ['^[[a-z]+$', '[a', ']'],
    ['^[\\w[\\]]+$', 'a[]', '-'],
    ['^[\\w-.]+$', 'a-.', '!'],
    ['^[ -~]+$', 'a~', 'é'],
    ['^[+-[]$', 'A', ']'],
    ['^(?=a)?b{}$', 'b{}', 'b'],
    ['^a{,}$', 'a{,}', 'a'],
    ['^\\_\\-\\/\\@\\ $', '_-/@ ', 'x'],
    ['^[\\ud83c\\udf00-\\ud83d\\udfff]$', '😀', 'a'],
    ['^[\\ud800-\\udbff][\\udc00-\\udfff]$', '😀', 'a'],
    ['^(?:\\ud83d[\\ude00-\\ude4f])+$', '😀😀', 'a'],
    ['^\\cA\\x41\\u0042\\0$', '\u0001AB\0', 'cA'],
    ['^[😀😁]$', '😁', '😂'],
    ['^[&&]-]$', '&-]', '&'],
  ])('keeps the sense of ECMAScript where that is certain: %s', (regex, good, bad) => {
    const { test } = patternOf(regex);
    expect([test?.(good), test?.(bad)]).toEqual([true, false]);
  });

  it('blocks neither form nor service if it is not understood (behaviour 5.18)', () => {
    for (const [regex, value] of [
      ['^\\p{L}+$', 'Zoë'],
      ['^\\X+$', 'é'],
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
