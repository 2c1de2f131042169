/**
 * Prints the figures that the project speaks of: warm start, the calls that every page makes, the page's JavaScript.
 * Machines are noisy: compare the ratios of one run, not the times of two.
 */
import { execFileSync } from 'node:child_process';
import { newConsole } from '#tests/support/consoleProcess.ts';

const starts = 5;
const requests = 300;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

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
execFileSync(process.execPath, ['node_modules/size-limit/bin.js'], { stdio: 'inherit' });
