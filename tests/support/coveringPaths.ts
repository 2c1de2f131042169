import { invokedMachines } from '#machines/lib/effect.ts';
import { machineIn } from './coverage.ts';
import type { Path, Model } from './paths.ts';
import { nowhere, replay, type Walk } from './pathsReplay.ts';

/** A path with what it reaches and takes, and what running it costs, in steps. */
interface Walked {
  walk: Walk;
  cost: number;
}

/** Everything that a walk has reached and taken. */
export const allOf = ({ walk }: { walk: Walk }): string[] => [...walk.entered, ...walk.taken];

/** Of these a few that together have all of the names that `wanted` gives for each, the cheapest first. */
export function fewOf<T extends { cost: number }>(possible: readonly T[], wanted: (each: T) => readonly string[]): T[] {
  let left = possible.map((each) => ({ each, missing: new Set(wanted(each)) }));
  const chosen: T[] = [];
  for (;;) {
    left = left.filter(({ missing }) => missing.size > 0);
    const [first, ...others] = left;
    if (!first) return chosen;
    const worth = ({ each, missing }: (typeof left)[number]) => missing.size / each.cost;
    const best = others.reduce((one, other) => (worth(other) > worth(one) ? other : one), first);
    chosen.push(best.each);
    const covered = [...best.missing];
    left.forEach(({ missing }) => covered.forEach((name) => missing.delete(name)));
  }
}

/** Walks paths on a running machine, each for itself, and tells where each has led. */
export async function walkedBy(model: Model, paths: readonly Path[]): Promise<(Walked & { path: Path })[]> {
  const walked: (Walked & { path: Path })[] = [];
  for (const path of paths) {
    const walk = nowhere();
    await replay(model, path, walk);
    // What the polls do in them is walked by itself.
    const ids = [model.machine, ...Object.values(invokedMachines(model.machine))].map(({ id }) => id);
    const isOwn = (name: string) => ids.includes(machineIn(name));
    for (const each of [walk.entered, walk.taken]) each.forEach((name) => isOwn(name) || each.delete(name));
    walked.push({ path, walk, cost: 5 + path.steps.length });
  }
  return walked;
}
