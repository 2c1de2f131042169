import { env } from 'node:process';

/** How often a test tries what it makes up: as often as `RUNS` says, else `usual` times. */
export const runsOf = (usual: number): number => Number(env['RUNS'] ?? usual);

/** Whether everything is tried that can be made up: where RUNS says how often. */
export const isThorough = Boolean(env['RUNS']);
