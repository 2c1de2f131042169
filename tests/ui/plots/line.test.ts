import { expect, it } from 'vitest';
import { durationText } from '#rules/duration.ts';
import { alongLine } from '#ui/plots/line.ts';

it('times lie on a line to scale', () => {
  const { places, gaps } = alongLine([0, 1000, 2000, 4000]);
  expect(places).toEqual([0, 0.25, 0.5, 1]);
  expect(gaps.map(({ ms, middle }) => [ms, middle])).toEqual([
    [1000, 0.125],
    [1000, 0.375],
    [2000, 0.75],
  ]);
});

it.each([
  ['two times at once', [0, 0, 1000]],
  ['a time before the one before it', [0, 1000, 900, 2000]],
  ['all times at once', [5, 5, 5]],
  ['many times within a moment, and one much later', [0, 1, 2, 3, 4, 50_000]],
])('%s keep a distance, in order, from 0 to 1', (_, times) => {
  const { places } = alongLine(times);
  expect(places[0]).toBe(0);
  expect(places.at(-1)).toBeCloseTo(1);
  for (const [index, place] of places.slice(1).entries()) expect(place - (places[index] ?? 1)).toBeGreaterThan(0.02);
});

it('the longest gap of more than a minute is broken, so that the others can be told apart', () => {
  const day = 86_400_000;
  const { gaps } = alongLine([0, 1000, 2000, day]);
  expect(gaps.map(({ isBroken }) => isBroken)).toEqual([false, false, true]);
  expect(gaps[0]?.share).toBeCloseTo(gaps[1]?.share ?? 0);
  expect(gaps[2]?.share).toBeLessThan(0.2);
  expect(alongLine([0, 59_000]).gaps[0]?.isBroken).toBe(false);
});

it('no time and one time have no gap', () => {
  expect(alongLine([])).toEqual({ places: [], gaps: [] });
  expect(alongLine([7])).toEqual({ places: [0], gaps: [] });
});

it.each([
  [0, '0 ms'],
  [42.4, '42 ms'],
  [999, '999 ms'],
  [999.6, '1 s'],
  [1930, '1.93 s'],
  [12_340, '12.3 s'],
  [59_990, '1 min'],
  [8_040_000, '2 h 14 min'],
  [273_600_000, '3 d 4 h'],
])('%d ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
