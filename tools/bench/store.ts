import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Facts } from '../../src/contract/facts.ts';
import { calls } from '../../src/contract/calls.ts';
import { mostCounted } from '../../src/contract/constants.ts';
import { newConsole } from '../../tests/support/consoleProcess.ts';
import { noLimit } from './proxies.ts';
import { median, type Row } from './row.ts';

const run = promisify(execFile);

/** Records of each of five kinds. */
const many = 100_000;
const reads = 200;

async function timed(url: string): Promise<{ ms: number; answer: unknown }> {
  const before = performance.now();
  const response = await fetch(url);
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return { ms: performance.now() - before, answer };
}

/** The facts with many records of each kind. */
export async function* rows(): AsyncGenerator<Row> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const program = await newConsole({ DATA_DIR: dataDir, ...noLimit });
  try {
    await run(process.execPath, ['--import', 'tsx', 'tools/bench/fill.ts', dataDir, String(many)]);
    await program.start();
    const spent: number[] = [];
    const before = await program.cpu();
    for (let turn = 0; turn < reads; turn += 1) {
      const { ms, answer } = await timed(program.url + calls.getFacts.path);
      const { debtors, creditors, batches: posted } = answer as Facts; // the contract's shape
      if ([debtors, creditors, posted].some((count) => count !== Math.min(many, mostCounted)))
        throw new Error(
          `The facts count ${debtors} debtors, ${creditors} creditors and ${posted} batches, not ${many}`,
        );
      spent.push(ms);
    }
    const what = 'facts with 100,000 records of each kind';
    yield { what: `${what}, median`, unit: 'ms', ours: median(spent), aim: { most: 5 } };
    yield {
      what: `${what}: processor time of all threads for each, with the timeline`,
      unit: 'ms',
      ours: ((await program.cpu()) - before) / reads,
    };
  } finally {
    await program.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}
