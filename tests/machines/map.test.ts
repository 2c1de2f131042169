import { expect, it } from 'vitest';
import { journeyMap as map } from '#app/charts/layouts.ts';
import { phaseBeside, phases } from '#machines/journeys.ts';

const right = ({ x, width }: { x: number; width: number }): number => x + width;

it('the map of journeys has the phases as columns, with each journey in its own', () => {
  expect(map.phases.map(({ name }) => name)).toEqual(phases);
  for (const [index, { box }] of map.phases.slice(1).entries())
    expect(box.x).toBeGreaterThan(right(map.phases[index]!.box)); // the one before it
  const strays = map.journeys.filter(({ id, box }) => {
    const phase = map.phases.find(({ name }) => name === phaseBeside(id)); // an id of the registry
    return !phase || box.x < phase.box.x || right(box) > right(phase.box);
  });
  expect(strays).toEqual([]);
});

it('the map of journeys has no overlapping journeys, and all arrows lead to the right', () => {
  const pairs = map.journeys.flatMap(({ box }, index) =>
    map.journeys.slice(index + 1).map((other) => [box, other.box]),
  );
  expect(pairs.filter(([a, b]) => a!.x < right(b!) && b!.x < right(a!) && a!.y < b!.y + b!.height && b!.y < a!.y + a!.height)).toEqual([]); // prettier-ignore
  for (const { line } of map.edges) {
    const steps = line.slice(1).map(([x], index) => x - line[index]![0]); // points are pairs
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    expect(steps.at(-1)).toBeGreaterThan(0);
  }
});

it('the map of journeys has no arrow that crosses a journey', () => {
  const through = map.edges.flatMap(({ from, to, line }) =>
    map.journeys.filter(
      ({ id, box }) =>
        ![from, to].includes(id) &&
        line.slice(1).some(([x, y], index) => {
          const [fromX, fromY] = line[index]!; // the point before it
          return Math.min(x, fromX) < right(box) && Math.max(x, fromX) > box.x && Math.min(y, fromY) < box.y + box.height && Math.max(y, fromY) > box.y; // prettier-ignore
        }),
    ),
  );
  expect(through).toEqual([]);
});
