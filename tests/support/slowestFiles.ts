import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { withRows } from './documentTables.ts';

const most = 20;
const inSeconds = (ms: number): string => (ms / 1000).toFixed(1);
const file = 'docs/testing.md';

/**
 * Prints after the tests which files took longest, as a table: until their tests begin, and for the tests (s). Writes it into
 * the document where that has the table `<!-- slowest -->`.
 */
export default class SlowestFiles implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const files = modules.map((module) => {
      const { environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
      const loading = environmentSetupDuration + setupDuration + collectDuration;
      return { file: module.relativeModuleId, loading, duration, tests: [...module.children.allTests()].length };
    });
    const slowest = files.toSorted((a, b) => b.loading + b.duration - a.loading - a.duration).slice(0, most);
    const rows = slowest.map((each) => [
      `\`${each.file}\``,
      `${each.tests}`,
      inSeconds(each.loading),
      inSeconds(each.duration),
    ]);
    console.log('| file | tests | loading, s | tests, s |\n| --- | ---: | ---: | ---: |');
    for (const row of rows) console.log(`| ${row.join(' | ')} |`);
    if (readFileSync(file, 'utf8').includes('<!-- slowest -->'))
      writeFileSync(file, await withRows(file, { slowest: rows }));
  }
}
