import type { Reporter, TestModule } from 'vitest/node';

const most = 20;
const inSeconds = (ms: number): string => (ms / 1000).toFixed(1);

/** Prints after the tests which files took longest, as a table: until their tests begin, and for the tests (s). */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => {
      const { environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
      const loading = environmentSetupDuration + setupDuration + collectDuration;
      return { file: module.relativeModuleId, loading, duration, tests: [...module.children.allTests()].length };
    });
    const slowest = files.toSorted((a, b) => b.loading + b.duration - a.loading - a.duration).slice(0, most);
    console.log('| file | tests | loading, s | tests, s |\n| --- | ---: | ---: | ---: |');
    for (const { file, tests, loading, duration } of slowest)
      console.log(`| ${file} | ${tests} | ${inSeconds(loading)} | ${inSeconds(duration)} |`);
  }
}
