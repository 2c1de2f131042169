/**
 * Tries mutants of one room after the other, or of those named: `machines/payment` is one, `machines` all of that
 * beginning; what follows the name goes to Stryker. Fails if fewer than 90 % of a room's mutants are killed. `table`
 * prints what was found so far instead.
 */
import { spawnSync } from 'node:child_process';
import { rooms } from './rooms.mjs';

const [named, ...options] = process.argv.slice(2);
const stryker = ['tools/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'tools/mutants/stryker.config.mjs'];
const isNamed = (room) => !named || room === named || room.startsWith(`${named}/`);
if (named === 'table') await import('./table.mjs');
for (const ROOM of Object.keys(rooms).filter(isNamed)) {
  // Forced: Stryker sees that a test file has changed, not that a helper of the tests has.
  const { status } = spawnSync(process.execPath, [...stryker, '--force', ...options], {
    stdio: 'inherit',
    env: { ...process.env, ROOM },
  });
  process.exitCode ||= status ?? 1;
}
