import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Facts } from '../../src/contract/facts.ts';
import { calls } from '../../src/contract/calls.ts';
import { mostCounted } from '../../src/contract/constants.ts';
import { newConsole, type ConsoleProcess } from '../../tests/support/consoleProcess.ts';
import { asProxy, noLimit } from './proxies.ts';
import { median, type Row } from './row.ts';

const run = promisify(execFile);

export const uses = ['@fastify/http-proxy', '@stoplight/prism-cli', '@mockoon/cli', 'autocannon'];

const starts = 5;
const writes = 50;
/** Records of each of five kinds. */
const many = 20_000;

/** Time (ms) until a call has been answered; its answer. */
async function asked(url: string, init?: RequestInit): Promise<{ ms: number; answer: unknown }> {
  const before = performance.now();
  const response = await fetch(url, init);
  const answer: unknown = await response.json();
  const ms = performance.now() - before;
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return { ms, answer };
}

/** The console's own calls, one after the other; `debtors` are those that it holds. */
async function ownCalls({ url }: ConsoleProcess, held: string, debtors: number): Promise<Row[]> {
  const { getFacts, getSettings, setSetting } = calls;
  const spent = { write: [] as number[], settings: [] as number[], facts: [] as number[] };
  let turn = 0;
  const write = async () => {
    turn += 1;
    const body = JSON.stringify({ key: 'useMock', value: String(turn % 2 === 0) });
    const headers = { 'content-type': 'application/json' };
    spent.write.push((await asked(url + setSetting.path, { method: 'POST', headers, body })).ms);
  };
  while (turn < 2 * writes) {
    await write();
    spent.settings.push((await asked(url + getSettings.path)).ms);
    await write();
    const { ms, answer } = await asked(url + getFacts.path);
    const found = (answer as Facts).debtors; // the contract's shape
    if (found !== Math.min(debtors, mostCounted)) throw new Error(`The facts count ${found} debtors, not ${debtors}`);
    spent.facts.push(ms);
  }
  const row = (what: string, values: readonly number[], most: number): Row => ({
    what: `${what}, median, with ${held}`,
    unit: 'ms',
    ours: median(values),
    aim: { most },
  });
  return [
    row('settings after a write', spent.settings, 5),
    row('facts after a write', spent.facts, 5),
    row('a setting written durably', spent.write, 10),
  ];
}

/** Resident memory of a process in bytes. */
const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Start, memory and calls of console and sandbox as `npm start` runs them. */
async function alone(): Promise<Row[]> {
  const program = await newConsole(noLimit);
  try {
    await program.start();
    const spent: number[] = [];
    for (let turn = 0; turn < starts; turn += 1) {
      await program.stop('SIGTERM');
      const before = performance.now();
      await program.start();
      spent.push(performance.now() - before);
    }
    const resident = process.platform === 'linux' ? residentOf(program.pid()) : (await program.memory()).resident;
    return [
      { what: 'start until ready', unit: 's', ours: median(spent) / 1000, aim: { most: 1 } },
      { what: 'idle resident memory', unit: 'MB', ours: resident / 1e6, aim: { most: 140 } },
      ...(await ownCalls(program, 'an empty store', 0)),
    ];
  } finally {
    await program.remove();
  }
}

/** The same calls with many records. */
async function filled(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const program = await newConsole({ DATA_DIR: dataDir, ...noLimit });
  try {
    await run(process.execPath, ['--import', 'tsx', 'tools/bench/fill.ts', dataDir, String(many)]);
    await program.start();
    return await ownCalls(program, '100,000 records', many);
  } finally {
    await program.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** `beside` is the folder of another build, whose processor time is measured in the same run. */
export async function* rows(beside?: string): AsyncGenerator<Row> {
  yield* await asProxy(beside);
  yield* await alone();
  yield* await filled();
}
