import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Facts } from '../../src/contract/facts.ts';
import { calls } from '../../src/contract/calls.ts';
import { apiAt } from '../../tests/support/api.ts';
import { newConsole } from '../../tests/support/consoleProcess.ts';
import { paid } from '../../tests/support/fixtures.ts';
import { liveEnvironment } from '../../tests/support/liveEnvironment.ts';
import { started } from './processes.ts';
import { median, quantile, type Row } from './row.ts';

const run = promisify(execFile);
const noLimit = { RATE_LIMIT: '100000' };

/** Records of each of five kinds. */
const many = 100_000;
const reads = 200;
/** Batches, how many of them at once, and the payments of each. */
const batches = { number: 24, atOnce: 4, payments: 2000 };
/** Time (ms) between two small calls. */
const pause = 10;
const company = { companySigningKey: 'k', organisationId: 'o', companyId: 'c' } as const;

async function timed(url: string): Promise<{ ms: number; answer: unknown }> {
  const before = performance.now();
  const response = await fetch(url);
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return { ms: performance.now() - before, answer };
}

/** The facts with many records of each kind. */
async function factsOfMany(): Promise<Row[]> {
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
      if ([debtors, creditors, posted].some((count) => count !== many))
        throw new Error(
          `The facts count ${debtors} debtors, ${creditors} creditors and ${posted} batches, not ${many}`,
        );
      spent.push(ms);
    }
    const what = 'facts with 100,000 records of each kind';
    return [
      { what: `${what}, median`, unit: 'ms', ours: median(spent), aim: { most: 3 } },
      {
        what: `${what}: processor time of all threads for each, with the timeline`,
        unit: 'ms',
        ours: ((await program.cpu()) - before) / reads,
      },
    ];
  } finally {
    await program.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A small call while large batches are posted to a console at this URL. */
export async function besideBatches(url: string): Promise<Row[]> {
  const api = apiAt(url);
  for (const [key, value] of Object.entries(company) as [keyof typeof company, string][])
    // its own keys
    await api.done('setSetting', { body: { key, value } });
  const [payment] = paid.payments;
  const requestedExecutionDateTime = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
  let left = batches.number;
  const posted: number[] = [];
  const post = async () => {
    while (left > 0) {
      const number = (left -= 1);
      const payments = Array.from({ length: batches.payments }, (_, index) => ({
        ...payment!, // the fixture has one
        remittanceInformation: { reference: `INV-${number}-${index}` },
      }));
      const externalId = `batch-${number}`;
      const before = performance.now();
      await api.done('createBatch', { body: { ...paid, externalId, requestedExecutionDateTime, payments } });
      posted.push(performance.now() - before);
    }
  };
  let isPosting = true;
  const small: number[] = [];
  const sample = async () => {
    while (isPosting) {
      small.push((await timed(`${url}/healthz`)).ms);
      await wait(pause);
    }
  };
  const sampling = sample();
  await Promise.all(Array.from({ length: batches.atOnce }, post)).finally(() => (isPosting = false));
  await sampling;
  const what = `/healthz while ${batches.number} batches of ${batches.payments} payments are posted, ${batches.atOnce} at once`;
  return [
    { what: `${what}: median`, unit: 'ms', ours: median(small) },
    { what: `${what}: 99th percentile`, unit: 'ms', ours: quantile(small, 0.99), aim: { most: 100 } },
    { what: 'such a batch posted, median', unit: 'ms', ours: median(posted) },
  ];
}

/** The service is a process of its own, so that only the console's work is measured. */
async function largeBatches(): Promise<Row[]> {
  const service = await started('service.ts');
  const program = await newConsole({ ...liveEnvironment(service.url), ...noLimit });
  try {
    await program.start();
    const before = await program.cpu();
    const rows = await besideBatches(program.url);
    const each = ((await program.cpu()) - before) / batches.number;
    return [...rows, { what: 'the same: processor time of all threads for each', unit: 'ms', ours: each }];
  } finally {
    await program.remove();
    await service.end();
  }
}

export async function* rows(): AsyncGenerator<Row> {
  yield* await factsOfMany();
  yield* await largeBatches();
}
