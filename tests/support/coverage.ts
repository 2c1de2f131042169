import type { TestContext } from 'vitest';
import type { Walk } from './pathsReplay.ts';

/** The three ways in which the paths are run: on the live actor, through the DOM, in a real browser. */
export const runs = ['a', 'b', 'c'] as const;
export type Run = (typeof runs)[number];

/** What a test has covered of a machine: ids of states and names of branches, as of `statesOf` and `branchesOf`. */
export interface Covered {
  machine: string;
  run: Run;
  paths: number;
  entered: string[];
  taken: string[];
}

declare module 'vitest' {
  interface TaskMeta {
    covered?: Covered[];
  }
}

/**
 * Leaves with a test what it has covered of a machine on so many paths, for the table at the end of the run. May be
 * called for several machines, and for one machine by several tests.
 */
export function record(
  { task }: TestContext,
  machine: string,
  run: Run,
  paths: number,
  { entered, taken }: Walk,
): void {
  task.meta.covered = [...(task.meta.covered ?? []), { machine, run, paths, entered: [...entered], taken: [...taken] }];
}
