/**
 * Prints the figures that the project speaks of: warm start, the calls that every page makes, the page's JavaScript, and
 * at last how long the generated paths take, which takes five minutes. Machines are noisy: compare the ratios of one
 * run, not the times of two.
 */
import { execFileSync } from 'node:child_process';
import { newConsole } from '#tests/support/consoleProcess.ts';

const starts = 5;
const requests = 300;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** The generated paths by a part of their files' names, and what a run of them may take at most, in s. */
const pathRuns = {
  '(a) on the live actor': { files: '.model.test', limit: 5 },
  '(b) through the DOM': { files: 'tests/steps/paths.', limit: 60 },
  '(c) in the browser': { files: 'tests/browser/paths.', limit: 300 },
};

/** Median of `times` runs, in ms. */
async function timed(times: number, run: () => Promise<unknown>): Promise<number> {
  const spent: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const before = performance.now();
    await run();
    spent.push(performance.now() - before);
  }
  return median(spent);
}

const program = await newConsole();
try {
  await program.start(); // builds, if the build is stale
  const get = (path: string) => timed(requests, async () => (await fetch(program.url + path)).arrayBuffer());
  const health = await get('/healthz');
  const rows: Record<string, { ms: string; ratio: string }> = {};
  const add = (what: string, ms: number) => {
    rows[what] = { ms: ms.toFixed(2), ratio: (ms / health).toFixed(1) };
  };
  add('GET /healthz', health);
  add('GET /api/settings', await get('/api/settings'));
  add('GET /api/facts', await get('/api/facts'));
  add(
    'warm start until ready',
    await timed(starts, async () => {
      await program.stop('SIGTERM');
      await program.start();
    }),
  );
  console.table(rows);
} finally {
  await program.remove();
}
/** A read that goes through to the service, with and without its record; in turns, as the machine's load changes. */
async function recordCost(): Promise<void> {
  const consoles = { kept: await newConsole(), unkept: await newConsole({ TIMELINE_ENTRIES: '0' }) };
  try {
    const spent: Record<keyof typeof consoles, number[]> = { kept: [], unkept: [] };
    for (const each of Object.values(consoles)) await each.start();
    for (let turn = 0; turn < 20; turn += 1)
      for (const name of ['kept', 'unkept'] as const)
        spent[name].push(
          await timed(100, async () => (await fetch(`${consoles[name].url}/api/consumerapistatus`)).arrayBuffer()),
        );
    const [kept, unkept] = [median(spent.kept), median(spent.unkept)];
    console.table({
      'a proxied read': {
        'ms unrecorded': unkept.toFixed(2),
        'ms recorded': kept.toFixed(2),
        ratio: (kept / unkept).toFixed(3),
      },
    });
  } finally {
    for (const each of Object.values(consoles)) await each.remove();
  }
}
await recordCost();
execFileSync(process.execPath, ['node_modules/size-limit/bin.js'], { stdio: 'inherit' });

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot'];
const runs: Record<string, { s: string; 's at most': number }> = {};
for (const [name, { files, limit }] of Object.entries(pathRuns)) {
  const before = performance.now();
  execFileSync(process.execPath, [...vitest, files], { stdio: ['ignore', 'ignore', 'inherit'] });
  runs[name] = { s: ((performance.now() - before) / 1000).toFixed(1), 's at most': limit };
}
console.table(runs);
