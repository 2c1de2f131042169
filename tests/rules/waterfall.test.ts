import { describe, expect, it } from 'vitest';
import { endOf, joined, marksOf, placeOn } from '#rules/waterfall.ts';

const entry = (id: string, interactionId: string, seconds: number, ms = 10, kind: 'call' | 'service' | 'webhook' = 'service') => ({
  id,
  interactionId,
  at: new Date(Date.parse('2026-11-29T12:00:00.000Z') + seconds * 1000).toISOString(),
  ms,
  kind,
}); // prettier-ignore

describe('entries joined by their interaction', () => {
  it('stand beneath the one that began it, in their order, the newest interaction first', () => {
    const rows = joined([
      entry('3', 'a', 5, 0, 'webhook'),
      entry('4', 'b', 2),
      entry('2', 'a', 1),
      entry('1', 'a', 0.5, 900, 'call'),
    ]);
    expect(rows.map((row) => [row.entry.id, row.offset, row.isBeneath])).toEqual([
      ['4', 0, false],
      ['1', 0, false],
      ['2', 500, true],
      ['3', 4500, true],
    ]);
  });

  it('stay apart without an interaction', () => {
    expect(joined([entry('1', '', 0), entry('2', '', 1)]).map(({ isBeneath }) => isBeneath)).toEqual([false, false]);
  });
});

describe('the scale of a waterfall', () => {
  it.each([
    [100, 10_000],
    [10_001, 60_000],
    [2_000_000, 3_600_000],
    [9_000_000_000, 9_000_000_000],
  ])('has room for what took %d ms', (ms, end) => {
    expect(endOf(joined([entry('1', 'a', 0, ms)]))).toBe(end);
    expect(placeOn(end, ms)).toBeLessThanOrEqual(1);
  });

  it('begins at 0, ends at 1, and its marks keep a distance', () => {
    for (const end of [10_000, 60_000, 3_600_000, 604_800_000]) {
      expect([placeOn(end, 0), placeOn(end, end)]).toEqual([0, 1]);
      const places = marksOf(end).map((mark) => placeOn(end, mark));
      expect(places.length).toBeGreaterThan(3);
      for (const [index, place] of places.slice(1).entries()) expect(place - (places[index] ?? 1)).toBeGreaterThan(0.1);
    }
  });
});
