/**
 * Runs all tests, the real browser included. Arguments of the form NAME=value are variables, unless the environment has
 * them already; all others go to vitest. Folders of `npm test` are in memory where there is room, in TMPDIR if it is given.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { env } from 'node:process';
import { interruption, startGroup } from './processes.mjs';
import { ready, readyForDevelopment } from './ready.mjs';

/** Linux's folder in memory, and what has to be free there: databases, data folders, the browser's profile (bytes). */
const inMemory = { path: '/dev/shm', room: 2 ** 31 };

/** A folder in memory whose files no write waits for, to be removed after the run; null where there is none. */
function fastFolder() {
  if (!existsSync(inMemory.path)) return null;
  const { bavail, bsize } = statfsSync(inMemory.path);
  if (bavail * bsize < inMemory.room) return null;
  const folder = mkdtempSync(join(inMemory.path, 'payments-out-tests-'));
  // PostgreSQL, which does not run as root, has its folder in it.
  chmodSync(folder, 0o711);
  return folder;
}

await readyForDevelopment();
await ready();
const isVariable = (argument) => /^[A-Z_]+=/.test(argument);
const variables = Object.fromEntries(
  process.argv
    .slice(2)
    .filter(isVariable)
    .map((text) => text.split('=')),
);
const chosen = process.argv.slice(2).filter((argument) => !isVariable(argument));
/** Long files run only if they are named. Options alone, such as `--reporter=json`, name no file. */
const namesNone = chosen.every((argument) => argument.startsWith('--'));
const settings = { ...variables, ...env };
// Where all that is written has to reach a disk, `npm run test:all` sees it.
const folder = settings['ALL_PATHS'] || settings['TMPDIR'] ? null : fastFolder();
const { child: vitest } = startGroup(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], {
  signal: interruption(1), // the folder is removed after that
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...settings,
    ...(folder && { TMPDIR: folder }),
    // Only a run of all tests has to cover all machines (tests/support/coverageReporter.ts).
    ...(chosen.length === 0 && { ALL_TESTS: 'true' }),
    ...(namesNone && !settings['ALL_PATHS'] && { QUICK: 'true' }),
  },
});
const [status] = await once(vitest, 'exit');
if (folder) rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
