import { env } from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';
import { simpleLengths } from './coverage.ts';
import { missingIn, rowsOf } from './coverageTable.ts';

/**
 * Prints after the tests, as a table, what the paths have covered of each machine. A run of all tests (`npm test`)
 * fails if coverage is incomplete and names what is missing; a partial run only prints the table.
 */
export default class CoverageReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const records = modules.flatMap(({ children }) =>
      [...children.allTests()].flatMap((test) => test.meta().covered ?? []),
    );
    if (records.length === 0) return;
    const ran = rowsOf(records).filter(({ machine }) => records.some((record) => record.machine === machine));
    console.log(
      `Generated paths: the shortest, and the simple ones of at most ${simpleLengths.a} steps, in (b) ${simpleLengths.b}. Covered: states + transitions.`,
    );
    console.table(Object.fromEntries(ran.map(({ machine, ...row }) => [machine, row])));
    const missing = env['ALL_TESTS'] ? missingIn(records) : [];
    if (missing.length === 0) return;
    console.error(`The paths do not cover everything:\n${missing.join('\n')}`);
    process.exitCode = 1;
  }
}
