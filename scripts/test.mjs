/**
 * Runs all tests, the real browser included. Arguments of the form NAME=value are variables, unless the environment has
 * them already; all others go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { env } from 'node:process';
import { ready } from './ready.mjs';

ready();
const isVariable = (argument) => /^[A-Z_]+=/.test(argument);
const variables = process.argv.slice(2).filter(isVariable);
const chosen = process.argv.slice(2).filter((argument) => !isVariable(argument));
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], {
  stdio: 'inherit',
  // Only a run of all tests has to cover all machines (tests/support/coverageReporter.ts).
  env: {
    ...Object.fromEntries(variables.map((text) => text.split('='))),
    ...env,
    ...(chosen.length === 0 && { ALL_TESTS: 'true' }),
  },
});
process.exitCode = status ?? 1;
