import { writeFileSync } from 'node:fs';
import { env } from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';
import { allPaths, simpleLength } from './coverage.ts';

const everywhere = allPaths
  ? [
      'all of these in the DOM',
      'in the browser, of each journey, as few as take every branch that user and service can cause',
    ]
  : [
      'in the DOM as few of these as show every state of each journey and take every branch of each chart',
      'in the browser (`npm run test:all`)',
    ];

/** Which paths this command runs. */
const explained = `Generated paths of \`npm ${allPaths ? 'run test:all' : 'test'}\`: (a) on actors all shortest ones and the simple ones of at most ${simpleLength} steps; (b) ${everywhere[0]}; (c) ${everywhere[1]}.`;

/**
 * Prints after the tests, as a table, what the paths have covered of the machines. A run of all tests (`npm test`)
 * fails if coverage is incomplete and names what is missing; a partial run only prints the table. The file
 * `COVERED_TO`, if it is named, gets the totals as JSON.
 */
export default class CoverageReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const records = modules.flatMap(({ children }) =>
      [...children.allTests()].flatMap((test) => test.meta().covered ?? []),
    );
    if (records.length === 0) return;
    // Loads every chart and its model: a run without paths works while one is missing.
    const { missingIn, totalsOf } = await import('./coverageTable.ts');
    const totals = totalsOf(records);
    console.log(explained);
    console.table(totals);
    if (env['COVERED_TO']) writeFileSync(env['COVERED_TO'], JSON.stringify(totals));
    const missing = env['ALL_TESTS'] ? missingIn(records) : [];
    if (missing.length === 0) return;
    console.error(`The paths do not cover everything:\n${missing.join('\n')}`);
    process.exitCode = 1;
  }
}
