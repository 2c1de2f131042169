import { env } from 'node:process';
import type { TestContext } from 'vitest';
import { nowhere, type Walk } from './pathsReplay.ts';

/** The three ways in which paths are run: on the running actor, through the DOM, in a real browser. */
export const runs = ['a', 'b', 'c'] as const;
export type Run = (typeof runs)[number];

/** The ways of this command: `npm test` leaves the browser to `npm run test:all`. */
export const commandRuns: readonly Run[] = env['QUICK'] === 'true' ? ['a', 'b'] : runs;

/** Whether every path is run (`npm run test:all`), or in (b) and (c) as few as get everywhere (`npm test`). */
export const allPaths = Boolean(env['ALL_PATHS']);

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
 * Stores with a test what it has covered of a machine, for the table at the end of the run. May be called for several
 * machines, and by several tests for one machine.
 */
export function record(
  { task }: TestContext,
  machine: string,
  run: Run,
  { shortest = 0, simple = 0, walk = nowhere() }: { shortest?: number; simple?: number; walk?: Walk },
): void {
  const covered = { machine, run, shortest, simple, entered: [...walk.entered], taken: [...walk.taken] };
  task.meta.covered = [...(task.meta.covered ?? []), covered];
}
