import { execFileSync } from 'node:child_process';
import type { Row } from './row.ts';

/** The generated paths by a part of their files' names, and what a run of them may take at most, in s. */
const pathRuns = {
  '(a) on the live actor': { files: '.model.test', limit: 5 },
  '(b) through the DOM': { files: 'tests/steps/paths.', limit: 60 },
  '(c) in the browser': { files: 'tests/browser/paths.', limit: 300 },
};

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot'];

/** Runs Node with these arguments; returns what it prints and how long it takes, in s. Throws if it fails. */
function timed(args: readonly string[]): { printed: string; seconds: number } {
  const before = performance.now();
  const printed = execFileSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { printed, seconds: (performance.now() - before) / 1000 };
}

/** How long `npm test` takes and the generated paths of it, and how long a newcomer waits in it; minutes. */
export function rows(): Row[] {
  const whole = timed(['scripts/test.mjs']);
  const [, waited = 'NaN'] = /([\d.]+) s of waiting/.exec(whole.printed) ?? [];
  return [
    { what: 'npm test', unit: 's', ours: whole.seconds, aim: 'at most 300 s' },
    { what: 'waiting on a newcomer’s walk, beside other tests', unit: 's', ours: Number(waited), aim: 'at most 12 s' },
    ...Object.entries(pathRuns).map(([name, { files, limit }]) => ({
      what: `paths ${name}`,
      unit: 's' as const,
      ours: timed([...vitest, files]).seconds,
      aim: `at most ${limit} s`,
    })),
  ];
}
