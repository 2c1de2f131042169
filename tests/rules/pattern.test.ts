import { describe, it, expect } from 'vitest';
import { patternOf } from '#rules/pattern.ts';

const almost = `${'a'.repeat(255)}!`;

describe('a pattern from a provider', () => {
  it.each([
    ['nested repetition', '^(a+)+$'],
    ['branches that overlap', '(a|a)*'],
    ['an empty loop', '(a*)*'],
    ['many open repetitions', '^a+a+a+a+$'],
    ['open repetitions without an anchor', 'a+a+a+b'],
    ['an anchor that only the first branch has', '^x|a+a+a+a{1,255}b'],
    ['a power of optional parts', '^(?:a?){30}a{30}$'],
    ['nested bounded repetition', '^((a{1,100}){1,100}){1,100}$'],
    ['a back-reference that is repeated', '^(a+)\\1+$'],
    ['repetitions within a look-behind', '(?<=a+a+)b+$'],
  ])('is noted and not run if it could take too long: %s', (_, regex) => {
    const { test, note } = patternOf(regex);
    expect(test).toBeUndefined();
    expect(note).toContain('could take too long');
  });

  it.each(['(', '[z-a]', 'a{2,1}', '(?<year', '\\'])('is noted with the reason if it cannot be read: %s', (regex) => {
    const { test, note } = patternOf(regex);
    expect(test).toBeUndefined();
    expect(note).toContain('cannot be read');
  });

  it.each([
    ['look-ahead', '^(?=.*\\d)(?!0)[a-z\\d]{3,}$', 'a1b', '0ab'],
    ['look-behind', '(?<!-)\\d{2}$', 'x12', '-12'],
    ['named groups', '^(?<half>\\d{2})-\\k<half>$', '12-12', '12-13'],
    ['branches', '^(\\d{6}|\\d{2}-\\d{2}-\\d{2})$', '11-22-33', '11-2233'],
    ['e-mail', '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'accounts@example.com', 'accounts@example'],
  ])('is run with %s', (_, regex, good, bad) => {
    const { test } = patternOf(regex);
    expect(test?.(good)).toBe(true);
    expect(test?.(bad)).toBe(false);
  });

  it('answers soon on the worst value of the usual length', () => {
    const started = performance.now();
    expect(patternOf('^a+a+a+$').test?.(almost)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('is not run on a value so long that it would take too long there', () => {
    const started = performance.now();
    expect(patternOf('a+b').test?.('a'.repeat(1_000_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('is run on a long value if that costs little', () => {
    expect(patternOf('^[a-z]+$').test?.('a'.repeat(100_000))).toBe(true);
  });
});
