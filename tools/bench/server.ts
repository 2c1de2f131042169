import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Facts } from '../../src/contract/facts.ts';
import { calls } from '../../src/contract/calls.ts';
import { endpoints, header } from '../../src/contract/requests/endpoints.ts';
import { newConsole, type ConsoleProcess } from '../../tests/support/consoleProcess.ts';
import { liveEnvironment } from '../../tests/support/liveEnvironment.ts';
import { sandboxCredentials } from '../../tests/support/sandboxCredentials.ts';
import { peers } from './peers.ts';
import { paced, started, throughput, type Load, type Process } from './processes.ts';
import { median, type Row } from './row.ts';

const run = promisify(execFile);

export const uses = ['@stoplight/prism-cli', '@mockoon/cli', 'autocannon'];

/** Seconds after which a server has compiled what runs often. */
const warming = 8;
/** The machine's load changes meanwhile, so all are measured in turns. */
const turns = 3;
/** Requests per second, and seconds, at which latencies are measured. */
const pace = { rate: 400, seconds: 4 };
const starts = 5;
const writes = 50;
/** Records of each of five kinds. */
const many = 20_000;

const noLimit = { RATE_LIMIT: '100000' };

/** Headers with which the service answers a read that needs no token. */
const credentials: Readonly<Record<string, string>> = {
  [header.application]: sandboxCredentials.applicationId,
  [header.apiKey]: sandboxCredentials.apiKey,
};

/** The requests per second of each load, the median of the turns. */
async function rates(loads: ReadonlyMap<string, Load>): Promise<(name: string) => number> {
  const passed = new Map([...loads.keys()].map((name) => [name, [] as number[]]));
  for (const load of loads.values()) await throughput(load, warming);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, load] of loads) passed.get(name)?.push(await throughput(load));
  return (name) => median(passed.get(name) ?? []);
}

/** Starts the other proxies in front of the service; says which cannot be started. */
async function peersOf(service: string, folder: string): Promise<Map<string, Process>> {
  const there = new Map<string, Process>();
  for (const [name, start] of Object.entries(peers))
    try {
      there.set(name, await start(folder, service));
    } catch (error) {
      console.error(`Not measured: ${name} cannot be started: ${String(error)}`);
    }
  return there;
}

/** A read that goes through to the service per second, beside other proxies. */
async function proxied(program: ConsoleProcess, service: string, others: Map<string, Process>): Promise<Row[]> {
  const at = (url: string) => ({ url: url + endpoints.consumerStatus, headers: credentials });
  const [itself, better] = ['the service itself', 'the better one of these'];
  const rateOf = await rates(
    new Map<string, Load>([
      ['ours', { url: program.url + calls.getConsumerHealth.path }],
      [itself, at(service)],
      ...[...others].map(([name, { url }]) => [name, at(url)] as const),
    ]),
  );
  const row = (what: string, value: number, leastPart?: number): Row => ({
    ...{ what: 'a proxied read, recorded and validated', unit: 'requests/s', ours: rateOf('ours') },
    ...{ reference: { what, value } },
    ...(leastPart !== undefined && { aim: { leastPart } }),
  });
  const theirs = [...others.keys()].map((name) => row(name, rateOf(name), 2));
  const best = theirs.length > 0 ? Math.max(...theirs.map(({ reference }) => reference?.value ?? 0)) : NaN;
  return [...theirs, row(better, best, 3), row(itself, rateOf(itself))];
}

/** What the console adds to a read's time at a steady rate. */
async function added(program: ConsoleProcess, service: string): Promise<Row> {
  const direct = { url: service + endpoints.consumerStatus, headers: credentials };
  const through = { url: program.url + calls.getConsumerHealth.path };
  const [ours, its]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    ours.push(...(await paced(through, pace.rate, pace.seconds)));
    its.push(...(await paced(direct, pace.rate, pace.seconds)));
  }
  return {
    what: `the same, median, at ${pace.rate} requests/s`,
    unit: 'ms',
    ours: median(ours),
    reference: { what: 'the service itself', value: median(its) },
    aim: { mostMore: 2 },
  };
}

/** The console as a proxy of a service in a process of its own, beside other proxies of it. */
async function asProxy(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const sandbox = await started('sandbox.ts', folder);
  const program = await newConsole({ ...liveEnvironment(sandbox.url), ...noLimit });
  const others = await peersOf(sandbox.url, folder);
  try {
    await program.start(); // builds, if the build is stale
    return [...(await proxied(program, sandbox.url, others)), await added(program, sandbox.url)];
  } finally {
    await program.remove();
    for (const each of [...others.values(), sandbox]) await each.end();
    await rm(folder, { recursive: true, force: true });
  }
}

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
    if (found !== debtors) throw new Error(`The facts count ${found} debtors, not ${debtors}`);
    spent.facts.push(ms);
  }
  const row = (what: string, values: readonly number[], most: number): Row => ({
    ...{ what: `${what}, median, with ${held}`, unit: 'ms', ours: median(values), aim: { most } },
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

export async function* rows(): AsyncGenerator<Row> {
  yield* await asProxy();
  yield* await alone();
  yield* await filled();
}
