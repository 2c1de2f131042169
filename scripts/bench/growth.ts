import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { few, independent, sorted, type AimFor } from './growthAims.ts';
import { rowsOfRules } from './growthOfRules.ts';
import { median, type Filled, type Row } from './row.ts';

const run = promisify(execFile);

/** Numbers of records of each kind, measured against `few`. */
const more = [1000, 100_000] as const;
const requests = 15;

const setting = { method: 'POST', body: JSON.stringify({ key: 'providerCountry', value: 'GB' }) };
const payment = {
  method: 'POST',
  body: JSON.stringify({
    requestedExecutionDateTime: '2026-01-01T00:00:00Z',
    payments: [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'Paper & Sons' } }],
  }),
};

/** Calls, how their cost may grow, and whether something is written before each of them, so that nothing is known. */
const calls: readonly { name: string; path: string; aim: AimFor; isAfterWrite?: true; init?: RequestInit }[] = [
  { name: 'facts, after a write', path: '/api/facts', aim: independent, isAfterWrite: true },
  { name: 'settings, after a write', path: '/api/settings', aim: independent, isAfterWrite: true },
  { name: 'a setting written', path: '/api/settings', aim: independent, init: setting },
  { name: '10 invoices', path: '/api/invoices?count=10', aim: independent },
  { name: '10,000 invoices', path: '/api/invoices?count=10000', aim: independent },
  { name: 'a payment prepared', path: '/api/paymentattempts', aim: independent, init: payment },
  { name: 'a page of messages', path: '/api/messages?limit=20', aim: independent },
  { name: 'a page of webhooks waiting', path: '/api/webhooks?limit=20', aim: independent },
  { name: 'a page of the timeline', path: '/api/timeline?limit=20', aim: independent },
  { name: 'whether it is ready', path: '/readyz', aim: independent },
  { name: 'all batches', path: '/api/getbatchpayments', aim: sorted },
  { name: 'all creditors', path: '/api/creditors', aim: sorted },
];

/** CPU time of the console, in ms, by what was done. */
type Costs = Map<string, { ms: number; aim: AimFor; count?: number }>;

async function costOf(program: ConsoleProcess, { path, isAfterWrite, init }: (typeof calls)[number]) {
  const ask = async (to: string, how: RequestInit = {}) => {
    const answer = await fetch(program.url + to, { ...how, headers: { 'content-type': 'application/json' } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${to} answered ${answer.status}`);
  };
  const spent: number[] = [];
  for (let turn = 0; turn < requests; turn += 1) {
    if (isAfterWrite) await ask('/api/settings', setting);
    const before = await program.cpu();
    await ask(path, init);
    spent.push((await program.cpu()) - before);
  }
  return median(spent.slice(1));
}

/** CPU time until nothing is done any more after `begin`, in ms. */
async function untilQuiet(program: ConsoleProcess, begin: () => Promise<unknown>): Promise<number> {
  const before = await program.cpu();
  await begin();
  for (let [last, now] = [before, await program.cpu()]; now - last > 20; [last, now] = [now, await program.cpu()])
    await wait(200);
  return (await program.cpu()) - before;
}

/** What everything costs with `size` records of each kind. */
async function costsWith(size: number): Promise<Costs> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-out-growth-'));
  const program = await newConsole({ DATA_DIR: dataDir, RATE_LIMIT: '100000' });
  try {
    const { stdout } = await run(process.execPath, [
      ...['--import', 'tsx', 'scripts/bench/fill.ts', dataDir, String(size)],
    ]);
    const costs: Costs = new Map();
    for (const [kind, { count, write, page }] of Object.entries(JSON.parse(stdout) as Filled)) {
      costs.set(`${kind}: one more written`, { ms: write, aim: independent, count });
      const listed = kind === 'workspaces' ? 'one found and opened' : 'the latest 20';
      costs.set(`${kind}: ${listed}`, { ms: page, aim: independent, count });
    }
    await program.start();
    costs.set('start until ready', { ms: await program.cpu(), aim: sorted });
    // The first facts open all records once, in the background.
    costs.set('all opened once after the start', {
      ms: await untilQuiet(program, () => fetch(`${program.url}/api/facts`)),
      aim: sorted,
    });
    for (const call of calls) costs.set(call.name, { ms: await costOf(program, call), aim: call.aim });
    return costs;
  } finally {
    await program.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What each operation costs with many records of each kind, beside what it costs with few; CPU time of the server. */
export async function* rows(): AsyncGenerator<Row> {
  yield* rowsOfRules();
  const reference = await costsWith(few);
  for (const size of more)
    for (const [what, { ms, aim, count = size }] of await costsWith(size))
      yield {
        what: `${what}; ${count === size ? size : `${count}, the most that is kept,`} of each kind`,
        unit: 'ms',
        ours: ms,
        reference: { what: `with ${few}`, value: reference.get(what)!.ms }, // the same operations
        aim: aim(size),
      };
}
