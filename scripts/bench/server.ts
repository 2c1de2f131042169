import { readFileSync } from 'node:fs';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { credentials, paced, reads, sideBySide, throughput, type Load, type Side } from './processes.ts';
import { median, p99, timed, type Aim, type Row } from './row.ts';

const starts = 5;
/** The machine's load changes meanwhile, so all are measured in turns. */
const turns = 3;
/** Requests per second, and seconds, at which latencies are measured. */
const pace = { rate: 400, seconds: 4 } as const;

/** The requests per second of each load, the median of the turns. */
async function rates<Name extends string>(loads: Record<Name, Load>): Promise<Record<Name, number>> {
  const names = Object.keys(loads) as Name[]; // exactly the object's keys
  const passed = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>; // the same
  for (let turn = 0; turn < turns; turn += 1)
    for (const name of names) passed[name].push(await throughput(loads[name]));
  return Object.fromEntries(names.map((name) => [name, median(passed[name])])) as Record<Name, number>; // the same
}

/** The console's own calls beside `/healthz`, which passes through the same middleware. */
async function ownCalls({ program }: Side): Promise<Row[]> {
  const { url } = program;
  const found = await rates({
    health: { url: `${url}/healthz` },
    settings: { url: `${url}/api/settings` },
    facts: { url: `${url}/api/facts` },
    write: { url: `${url}/api/settings`, body: JSON.stringify({ key: 'useMock', value: 'true' }) },
  });
  const row = (what: string, ours: number, least: number): Row => ({
    what,
    unit: 'requests/s',
    ours,
    reference: { what: 'GET /healthz', value: found.health },
    aim: { leastPart: least },
  });
  return [
    row('GET /api/settings', found.settings, 0.7),
    row('GET /api/facts', found.facts, 0.7),
    row('a setting written durably', found.write, 0.4),
  ];
}

/** Reads that go through to the service, beside other ways to it. */
async function proxied({ program, service, proxy, nginx }: Side): Promise<Row[]> {
  const { status, providers } = reads;
  const at = (url: string) => ({ url, headers: credentials });
  const found = await rates({
    status: { url: program.url + status.console },
    direct: at(service + status.service),
    proxy: at(proxy + status.service),
    providers: { url: program.url + providers.console },
    providersDirect: at(service + providers.service),
  });
  const others = nginx === undefined ? undefined : await rates({ nginx: at(nginx + status.service) });
  const what = 'a proxied read, recorded';
  const row = (reference: string, value: number, aim?: Aim): Row => ({
    ...{ what, unit: 'requests/s', ours: found.status, reference: { what: reference, value } },
    ...(aim && { aim }),
  });
  return [
    row('@fastify/http-proxy', found.proxy, { leastPart: 1 }),
    ...(others ? [row('nginx', others.nginx)] : []),
    row('the service itself', found.direct),
    {
      what: 'definitions from memory',
      unit: 'requests/s',
      ours: found.providers,
      reference: { what: 'the service itself', value: found.providersDirect },
      aim: { leastPart: 1.2 },
    },
  ];
}

/** What the console adds to a read's time at a steady rate. */
async function added({ program, service }: Side): Promise<Row[]> {
  const spent = async (load: Load) => paced(load, pace.rate, pace.seconds);
  const direct = { url: service + reads.status.service, headers: credentials };
  const through = { url: program.url + reads.status.console };
  const [ours, its]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    ours.push(...(await spent(through)));
    its.push(...(await spent(direct)));
  }
  const row = (at: string, of: (values: readonly number[]) => number, most: number): Row => ({
    what: `a proxied read, ${at}, at ${pace.rate} requests/s`,
    unit: 'ms',
    ours: of(ours),
    reference: { what: 'the service itself', value: of(its) },
    aim: { mostMore: most },
  });
  return [row('median', median, 1), row('p99', p99, 5)];
}

/** A read with and without its record. */
async function recordCost(): Promise<Row[]> {
  const [kept, unkept] = [await sideBySide(), await sideBySide({ TIMELINE_ENTRIES: '0' })];
  try {
    const at = ({ program }: Side) => ({ url: program.url + reads.status.console });
    const found = await rates({ kept: at(kept), unkept: at(unkept) });
    return [
      {
        what: 'a proxied read, recorded',
        unit: 'requests/s',
        ours: found.kept,
        reference: { what: 'not recorded', value: found.unkept },
        aim: { leastPart: 0.95 },
      },
    ];
  } finally {
    for (const each of [kept, unkept]) await each.end();
  }
}

/** Resident memory of a process in bytes. */
const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Start and memory of console and sandbox as `npm start` runs them. */
async function atRest(): Promise<Row[]> {
  const program = await newConsole();
  try {
    await program.start();
    const warm = await timed(starts, async () => {
      await program.stop('SIGTERM');
      await program.start();
    });
    const resident = process.platform === 'linux' ? residentOf(program.pid()) : (await program.memory()).resident;
    return [
      { what: 'warm start until ready', unit: 's', ours: median(warm) / 1000, aim: { most: 1 } },
      { what: 'idle resident memory', unit: 'MB', ours: resident / 1e6, aim: { most: 120 } },
    ];
  } finally {
    await program.remove();
  }
}

export const uses = ['@fastify/http-proxy', 'fastify', 'nginx', 'autocannon'];

export async function* rows(): AsyncGenerator<Row> {
  const side = await sideBySide();
  try {
    yield* await ownCalls(side);
    yield* await proxied(side);
    yield* await added(side);
  } finally {
    await side.end();
  }
  yield* await recordCost();
  yield* await atRest();
}
