import { describe, expect, it, vi } from 'vitest';
import { atEnd, atStart, walkOf } from '#rules/regex/walk.ts';

/** ^[0-9]+$, and how often it looks at a character. */
function digits() {
  const takes = vi.fn((unit: number) => unit >= 0x30 && unit <= 0x39);
  const edges = [
    { from: 0, to: 2, holds: atStart },
    { from: 2, to: 3, takes },
    { from: 3, to: 3, takes },
    { from: 3, to: 1, holds: atEnd },
  ];
  return { walk: walkOf({ states: 4, edges }, true), takes };
}

const ample = () => ({ left: Infinity });

describe('the run of a regex automaton', () => {
  it('reuses cached steps for known characters without evaluating the automaton', () => {
    const { walk, takes } = digits();
    for (const value of ['0123456789', '1?', '12?', '?']) walk(value, ample());
    takes.mockClear();
    expect(['9876543210'.repeat(100), '5', '5?', '55555?', '?'].map((value) => walk(value, ample()))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(takes).not.toHaveBeenCalled();
  });

  it('marks each position where a match ends, not only the first', () => {
    const edges = [{ from: 0, to: 1, takes: (unit: number) => unit === 0x61 }];
    const [forwards, backwards] = [new Uint8Array(5), new Uint8Array(5)];
    walkOf({ states: 2, edges }, true)('abaa', ample(), [], forwards);
    walkOf({ states: 2, edges }, false)('abaa', ample(), [], backwards);
    expect([...forwards]).toEqual([0, 1, 0, 1, 1]);
    expect([...backwards]).toEqual([1, 0, 1, 1, 0]);
  });

  it('continues after its cache is full', () => {
    const takes = (unit: number) => unit === 0x61;
    const any = () => true;
    const ahead = 14;
    // [^]*a[^]{14}$: after each a the sets of states double.
    const edges = [
      { from: 0, to: 2, takes },
      ...Array.from({ length: ahead }, (_, index) => ({ from: index + 2, to: index + 3, takes: any })),
      { from: ahead + 2, to: 1, holds: atEnd },
    ];
    const walk = walkOf({ states: ahead + 3, edges }, true);
    let seed = 1;
    for (let turn = 0; turn < 500; turn += 1) {
      const value = Array.from({ length: 30 }, () => {
        seed = (seed * 48271) % 2147483647;
        return seed % 2 ? 'a' : 'b';
      }).join('');
      expect(walk(value, ample())).toBe(value.at(-ahead - 1) === 'a');
    }
  });
});
