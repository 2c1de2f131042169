import fc from 'fast-check';
import { describe, it, expect } from 'vitest';
import { patternOf } from '#rules/pattern.ts';

const almost = `${'a'.repeat(255)}!`;

describe('a provider’s regex', () => {
  it.each([
    ['nested repetition', '^(a+)+$'],
    ['overlapping alternatives', '^(a|a)*$'],
    ['a repetition of an empty match', '^(a*)*$'],
    ['many unbounded repetitions', '^a+a+a+a+$'],
    ['unbounded repetitions without an anchor', 'a+a+a+b'],
    ['an anchor in the first alternative only', '^x|a+a+a+a{1,255}b'],
    ['a repetition of optional parts', '^(?:a?){30}a{30}$'],
    ['repetitions within a look-behind', '(?<=a+a+)b+$'],
    ['a look-ahead after repetitions', '^\\w{0,255}\\w{0,255}\\w{0,255}(?=\\w{80}!)\\w'],
    ['nested look-aheads', '^(?=(?=(?:a+)+b)a*)(?:a|a?)+$'],
    ['a look-ahead in a loop', '^(?:(?=a*!)a)*b'],
  ])('runs in linear time, where a backtracking engine would not: %s (threat 4.2)', (_, regex) => {
    const { test } = patternOf(regex);
    const started = performance.now();
    for (const value of [almost, 'a'.repeat(256), 'a'.repeat(5000)]) test!(value);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it.each([
    ['nested bounded repetition', '^((a{1,100}){1,100}){1,100}$', 'could take too long'],
    ['a back-reference', '^(a+)\\1+$', 'refers back'],
    ['a named back-reference', '^(?<half>\\d{2})-\\k<half>$', 'refers back'],
    ['a hundred thousand characters', 'a'.repeat(100_000), 'longer than 2000 characters'],
    ['a hundred thousand brackets', `${'('.repeat(100_000)}${')'.repeat(100_000)}`, 'longer than 2000 characters'],
  ])('is noted and not run if it could take too long: %s (threat 4.3)', (_, regex, why) => {
    const { test, note = '' } = patternOf(regex);
    expect(test).toBeUndefined();
    expect(note).toContain(why);
  });

  it('is run with as many brackets as the limit allows', () => {
    const { test, note } = patternOf(`${'('.repeat(1000)}${')'.repeat(1000)}`);
    expect([note, test?.('')]).toEqual([undefined, true]);
  });

  it.each(['(', '[z-a]', 'a{2,1}', '(?<year', '\\'])('is noted with the reason if it is invalid: %s', (regex) => {
    const { test, note } = patternOf(regex);
    expect(test).toBeUndefined();
    expect(note).toContain('cannot be read');
  });

  it.each([
    ['look-ahead', '^(?=.*\\d)(?!0)[a-z\\d]{3,}$', 'a1b', '0ab'],
    ['look-behind', '(?<!-)\\d{2}$', 'x12', '-12'],
    ['named groups', '^(?<half>\\d{2})-(?<other>\\d{2})$', '12-12', '12-1'],
    ['a nested repetition', '^(?:[A-Z]{2}\\d?)+$', 'AB1CD', 'AB12'],
    ["a word's edge", '\\bpay\\b', 'to pay now', 'repayment'],
    ['escapes', '^\\u0041\\x42\\.\\t[\\b]$', 'AB.\t\b', 'AB-\t\b'],
    ['alternatives', '^(\\d{6}|\\d{2}-\\d{2}-\\d{2})$', '11-22-33', '11-2233'],
    ['an e-mail address', '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'accounts@example.com', 'accounts@example'],
  ])('supports %s', (_, regex, good, bad) => {
    const { test } = patternOf(regex);
    expect(test?.(good)).toBe(true);
    expect(test?.(bad)).toBe(false);
  });

  it('responds within 1 s for a worst-case value of usual length', () => {
    const started = performance.now();
    expect(patternOf('^a+a+a+$').test?.(almost)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('leaves a value unchecked, rather than wrong, if checking would take too long (threat 4.3)', () => {
    const started = performance.now();
    expect(patternOf('a+b').test!('a'.repeat(10_000_000))).toBeUndefined();
    expect(patternOf('(?=a*b)a').test!('a'.repeat(300_000))).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it.each([
    ['^[A-Za-z0-9 ]{1,1024}$', 1024],
    ['^[A-Za-z0-9 ]{1,2048}$', 2048],
    ['^(?=.*[a-z])[A-Za-z0-9 ]{1,1024}$', 1024],
    ['^(?!.* $)[A-Za-z0-9 ]{0,1000}$', 1000],
    ['^.{1,1500}$', 1500],
    ['^([a-z]{1,35} ?){1,4}$', 140],
  ])('checks the maximum length of a value: %s', (regex, most) => {
    const { test } = patternOf(regex);
    for (const length of [1, most - 1, most]) expect(test?.('a'.repeat(length)), String(length)).toBe(true);
    expect(test?.('a'.repeat(most + 1))).toBe(false);
    expect(test?.(`${'a'.repeat(most - 1)}\n`)).toBe(false);
  });

  it('is run on a long value if the pattern is cheap', () => {
    expect(patternOf('^[a-z]+$').test?.('a'.repeat(100_000))).toBe(true);
  });
});

describe('the match of a provider’s regex', () => {
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('a', 'b', '.', '\\w', '\\W', '[^b]', '[ab]', '\\s', '^', '$', '\\b', '\\B', '', '\\n'),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0}', '{2,}', '*?', '+?'))
        .map(([of, times]) => `(?:${of})${times}`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
      fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern')).map(([open, of]) => `${open}${of})`),
    ),
  }));

  it('equals that of the browser’s engine (threat 4.4)', () => {
    const value = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '!'), { maxLength: 6 }).map((units) => units.join(''));
    fc.assert(
      fc.property(pattern, value, (regex, text) => {
        const { test } = patternOf(regex);
        return test === undefined || test(text) === new RegExp(regex).test(text);
      }),
      { numRuns: 5000 },
    );
  });

  it('equals that of the browser’s engine, or is unknown, for any step budget', () => {
    const value = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '!'), { maxLength: 20 }).map((units) => units.join(''));
    fc.assert(
      fc.property(pattern, value, fc.nat(2000), (regex, text, left) => {
        const found = patternOf(regex).test?.(text, { left });
        return found === undefined || found === new RegExp(regex).test(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on earlier values', () => {
    const unit = fc.constantFrom('a', 'b', ' ', '\n', '!', '\u00e9', '\u0414', '\ud800');
    const value = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''));
    fc.assert(
      fc.property(pattern, fc.array(value, { maxLength: 20 }), (regex, values) => {
        const { test } = patternOf(regex);
        const native = new RegExp(regex);
        return test === undefined || values.every((text) => test(text) === native.test(text));
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on earlier values with more character classes than the cache stores', () => {
    const letters = Array.from({ length: 400 }, (_, index) => String.fromCharCode(0x4e00 + index));
    const { test } = patternOf(`x|${letters.map((letter) => `${letter}!`).join('|')}`);
    for (const text of ['', ...letters, ...letters.toReversed()]) {
      expect(test!(text)).toBe(false);
      expect(test!(`${text}x`)).toBe(true);
    }
    for (const letter of letters) expect(test!(`${letter}${letter}!`)).toBe(true);
  });
});
