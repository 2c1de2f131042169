import { describe, expect, it } from 'vitest';
import { randomHex } from '#server/random.ts';

describe('Random ids', () => {
  it.each([8, 16, 1000])('of %d bytes have all their digits, and none is given twice', (bytes) => {
    const drawn = Array.from({ length: 2000 }, () => randomHex(bytes));
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(drawn.every((each) => new RegExp(`^[\\da-f]{${2 * bytes}}$`).test(each))).toBe(true);
  });
});
