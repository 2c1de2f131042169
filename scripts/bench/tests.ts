import { execFileSync } from 'node:child_process';
import type { Row } from './row.ts';

/** The generated paths by a part of their files' names, and what a run of them may take at most, in s. */
const pathRuns = {
  '(a) on the live actor': { files: '.model.test', limit: 5 },
  '(b) through the DOM': { files: 'tests/steps/paths.', limit: 60 },
  '(c) in the browser': { files: 'tests/browser/paths.', limit: 300 },
};

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot'];

/** How long the generated paths take; minutes. */
export function rows(): Row[] {
  const made: Row[] = [];
  for (const [name, { files, limit }] of Object.entries(pathRuns)) {
    const before = performance.now();
    execFileSync(process.execPath, [...vitest, files], { stdio: ['ignore', 'ignore', 'inherit'] });
    made.push({
      what: `paths ${name}`,
      unit: 's',
      ours: (performance.now() - before) / 1000,
      aim: `at most ${limit} s`,
    });
  }
  return made;
}
