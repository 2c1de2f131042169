import { env } from 'node:process';
import type { TestContext } from 'vitest';
import { areaNames, type Area } from '#machines/journeys.ts';
import { nowhere, type Walk } from './pathsReplay.ts';

/** The id of the machine to which a state or branch belongs, by its name. */
export const machineIn = (name: string): string => name.split(/[.:]/)[0] ?? '';

/** The three ways in which paths are run: on the running actor, through the DOM, in a real browser. */
export const runs = ['a', 'b', 'c'] as const;
export type Run = (typeof runs)[number];

/** The ways of this command: `npm test` leaves the browser to `npm run test:all`. */
export const commandRuns: readonly Run[] = env['QUICK'] === 'true' ? ['a', 'b'] : runs;

/** Whether every path is run (`npm run test:all`), or in (b) and (c) as few as get everywhere (`npm test`). */
export const allPaths = Boolean(env['ALL_PATHS']);

const only = env['AREA'];

/** The areas whose journeys are walked, and whether the console's chart is: all, or what the variable `AREA` names. */
export const areas: readonly Area[] = areaNames.filter((area) => only === undefined || area === only);
export const walksConsole = only === undefined || only === 'console';

/** Maximum length (steps) of the simple paths that are run on actors. */
export const simpleLength = allPaths ? 6 : 4;

/** What a test has covered of a machine: ids of states and names of branches, as in `goalsOf`. */
export interface Covered {
  machine: string;
  run: Run;
  /** Number of shortest and of simple paths that were run. */
  shortest: number;
  simple: number;
  entered: string[];
  taken: string[];
}

declare module 'vitest' {
  interface TaskMeta {
    covered?: Covered[];
  }
}

/**
 * Stores with a test what it has covered of a machine, and of those that it invokes, for the table at the end of the run. May be called for several
 * machines, and by several tests for one machine.
 */
export function record(
  { task }: TestContext,
  machine: string,
  run: Run,
  { shortest = 0, simple = 0, walk = nowhere() }: { shortest?: number; simple?: number; walk?: Walk },
): void {
  const own = (names: ReadonlySet<string>, id: string) => [...names].filter((name) => machineIn(name) === id);
  const others = new Set([...walk.entered, ...walk.taken].map(machineIn).filter((id) => id !== machine));
  task.meta.covered = [
    ...(task.meta.covered ?? []),
    { machine, run, shortest, simple, entered: own(walk.entered, machine), taken: own(walk.taken, machine) },
    // The paths are those of the machine that invokes it.
    ...[...others].map((id) => ({
      machine: id,
      run,
      shortest: 0,
      simple: 0,
      entered: own(walk.entered, id),
      taken: own(walk.taken, id),
    })),
  ];
}
