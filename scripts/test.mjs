/** Runs all tests, the real browser included; arguments go to vitest. */
import { spawnSync } from 'node:child_process';
import { env } from 'node:process';
import { ready } from './ready.mjs';

ready();
const chosen = process.argv.slice(2);
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], {
  stdio: 'inherit',
  // Only a run of all tests has to cover all machines (tests/support/coverageReporter.ts).
  env: { ...env, ...(chosen.length === 0 && { ALL_TESTS: 'true' }) },
});
process.exitCode = status ?? 1;
