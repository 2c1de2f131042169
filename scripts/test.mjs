/** Runs all tests, the real browser included; arguments go to vitest. */
import { spawnSync } from 'node:child_process';
import { ready } from './ready.mjs';

ready();
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
