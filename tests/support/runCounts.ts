import { env } from 'node:process';
import { allPaths } from './coverage.ts';

/**
 * How often a test tries what it makes up: as often as `RUNS` says, else `few` times in `npm test` and `many` times in
 * `npm run test:all`.
 */
export const runsOf = (few: number, many: number): number => Number(env['RUNS'] ?? (allPaths ? many : few));

/** Whether what `npm test` leaves out is tried: in `npm run test:all`, and where RUNS says how often. */
export const isThorough = allPaths || Boolean(env['RUNS']);
