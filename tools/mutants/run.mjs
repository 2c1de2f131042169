/**
 * Tries mutants of one room after the other, or of those named: `machines/payment` is one, `machines` all of that
 * beginning; what follows the name goes to Stryker. In a room whose tests are not all its own, only what survives these
 * is tried with the others. Fails if fewer than 90 % of a room's mutants are killed. `table` prints what was found so
 * far, `survivors` tries again what is left of a room.
 */
import { spawnSync } from 'node:child_process';
import { isLeft, mutantsIn } from './report.mjs';
import { rooms } from './rooms.mjs';

const stryker = ['tools/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'tools/mutants/stryker.config.mjs'];

/** Tries mutants of a room, by its own tests only or by all; returns the exit code. */
function tries(ROOM, ownTests, options) {
  // Forced: Stryker sees that a test file has changed, not that a helper of the tests has.
  const { status } = spawnSync(process.execPath, [...stryker, '--force', ...options], {
    stdio: 'inherit',
    env: { ...process.env, ROOM, ...(ownTests && { OWN_TESTS: 'true' }) },
  });
  return status ?? 1;
}

/** Tries again by all tests what is left of a room. */
function triesSurvivors(room, options) {
  const left = (mutantsIn(room) ?? []).filter(isLeft).map(({ range }) => range);
  return left.length === 0 ? 0 : tries(room, false, [...options, '--mutate', left.join(',')]);
}

const roomsNamed = (name) => Object.keys(rooms).filter((room) => !name || room === name || room.startsWith(`${name}/`));

const [named, ...options] = process.argv.slice(2);
if (named === 'table') await import('./table.mjs');
else if (named === 'survivors') {
  for (const room of roomsNamed(options[0])) process.exitCode ||= triesSurvivors(room, options.slice(1));
} else
  for (const room of roomsNamed(named)) {
    const status = tries(room, Boolean(rooms[room].others), options);
    process.exitCode ||= rooms[room].others ? triesSurvivors(room, options) : status;
  }
