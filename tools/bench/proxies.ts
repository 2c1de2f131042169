import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '../../src/contract/calls.ts';
import { programPath, programTokenHeader } from '../../src/contract/programs.ts';
import { endpoints } from '../../tests/support/endpoints.ts';
import { header } from '../../src/contract/requests/headers.ts';
import { newConsole, type ConsoleProcess } from '../../tests/support/consoleProcess.ts';
import { liveEnvironment } from '../../tests/support/liveEnvironment.ts';
import { sandboxCredentials } from '../../tests/support/sandboxCredentials.ts';
import { peers } from './peers.ts';
import { commitOf, paced, started, throughput, type Load, type Process } from './processes.ts';
import { median, type Row } from './row.ts';

export const noLimit = { RATE_LIMIT: '100000' };

/** Seconds after which a server has compiled what runs often. */
const warming = 8;
/** The machine's load changes meanwhile, so all are measured in turns. */
const turns = 3;
/** Requests per second, and seconds, at which latencies are measured. */
const pace = { rate: 400, seconds: 4 };

/** The read that all proxies pass on: a subscription. */
const path = `${endpoints.subscriptions}/bench`;
const headers: Readonly<Record<string, string>> = {
  [header.application]: sandboxCredentials.applicationId,
  [header.apiKey]: sandboxCredentials.apiKey,
  authorization: 'Bearer bench',
};

/** What is measured of a load: requests per second, and the server's processor time for each in ms, medians of the turns. */
interface Rate {
  perSecond: number;
  cpu: number;
}

/** A load, and the processor time (ms) that its server has spent so far, if that can be asked. */
interface Measured extends Load {
  cpu?: () => Promise<number>;
}

async function rates(loads: ReadonlyMap<string, Measured>): Promise<(name: string) => Rate> {
  const found = new Map([...loads.keys()].map((name) => [name, [] as Rate[]]));
  for (const load of loads.values()) await throughput(load, warming);
  const seconds = 2;
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, load] of loads) {
      const { cpu = () => Promise.resolve(NaN) } = load;
      const before = await cpu();
      const perSecond = await throughput(load, seconds);
      found.get(name)?.push({ perSecond, cpu: ((await cpu()) - before) / (perSecond * seconds) });
    }
  const middle = (name: string, member: keyof Rate) => median((found.get(name) ?? []).map((each) => each[member]));
  return (name) => ({ perSecond: middle(name, 'perSecond'), cpu: middle(name, 'cpu') });
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

async function posted(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** The ways through the console to the service's read: a program's, and the console's own call. */
async function waysThrough({ url }: ConsoleProcess): Promise<Record<'program' | 'call', Load>> {
  const settings = { organisationId: 'bench', companyId: 'bench', companySigningKey: 'bench' };
  for (const [key, value] of Object.entries(settings)) await posted(url + calls.setSetting.path, { key, value });
  const made = await posted(url + calls.makeProgramToken.path, { name: 'bench' });
  const { token } = (made as { data: { token: string } }).data; // the contract's shape
  return {
    program: { url: url + programPath + path, headers: { ...headers, [programTokenHeader]: token } },
    call: { url: url + calls.getSubscription.path.replace('{subscriptionId}', 'bench') },
  };
}

const [plain, itself, floor, better] = [
  'a plain proxy',
  'the service itself',
  'the floor',
  'the better one of these',
] as const;
const aims = {
  program: {
    what: 'a program’s read through the console, recorded',
    ofPlain: 0.3,
    ofBetter: 2.5,
    processor: { ofBuild: 0.5, ofFloor: 2 },
  },
  call: {
    what: 'a call of the console that reads it, recorded and validated',
    ofPlain: 0.12,
    ofBetter: 1,
    processor: { ofBuild: 0.6 },
  },
} as const;
const of = (way: string, build: string): string => `${way} of ${build}`;

/** Both ways per second beside other proxies; their processor time beside the floor and another build. */
function rateRows(rateOf: (name: string) => Rate, others: readonly string[], build?: string): Row[] {
  const best = Math.max(...others.map((name) => rateOf(name).perSecond));
  return (['program', 'call'] as const).flatMap((way) => {
    const { what, ofPlain, ofBetter, processor } = aims[way];
    const { perSecond: ours, cpu } = rateOf(way);
    const rate = (name: string, value: number, leastPart?: number): Row => ({
      what,
      unit: 'requests/s',
      ours,
      reference: { what: name, value },
      ...(leastPart !== undefined && { aim: { leastPart } }),
    });
    const time = (name: string, value: number, mostPart: number): Row => ({
      what: 'the same: processor time for each',
      unit: 'ms',
      ours: cpu,
      reference: { what: name, value },
      aim: { mostPart },
    });
    return [
      rate(plain, rateOf(plain).perSecond, ofPlain),
      ...others.map((name) => rate(name, rateOf(name).perSecond)),
      ...(others.length > 0 ? [rate(better, best, ofBetter)] : []),
      rate(itself, rateOf(itself).perSecond),
      ...('ofFloor' in processor ? [time(floor, rateOf(floor).cpu, processor.ofFloor)] : []),
      ...(build === undefined ? [] : [time(build, rateOf(of(way, build)).cpu, processor.ofBuild)]),
    ];
  });
}

/** What the console adds to a read's time at a steady rate. */
async function added(ways: Record<'program' | 'call', Load>, direct: Load): Promise<Row[]> {
  const spent = { program: [] as number[], call: [] as number[], direct: [] as number[] };
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, load] of Object.entries({ ...ways, direct }))
      spent[name as keyof typeof spent].push(...(await paced(load, pace.rate, pace.seconds))); // one of its names
  return (['program', 'call'] as const).map((way) => ({
    what: `${aims[way].what}: median at ${pace.rate} requests/s`,
    unit: 'ms',
    ours: median(spent[way]),
    reference: { what: itself, value: median(spent.direct) },
    aim: { mostMore: 1 },
  }));
}

/**
 * The console as a proxy of a service in a process of its own, beside other proxies of it, and beside the build in the
 * folder `beside`.
 */
export async function asProxy(beside?: string): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const service = await started('service.ts');
  const reference = await started('plainProxy.ts', service.url);
  const least = await started('floor.ts', service.url, 'bench');
  const others = await peersOf(service.url, folder);
  const programs: ConsoleProcess[] = [];
  const begin = async (build?: string): Promise<Record<'program' | 'call', Measured>> => {
    const program = await newConsole({ ...liveEnvironment(service.url), ...noLimit }, build);
    programs.push(program);
    await program.start(); // builds, if the build is stale
    const { program: recorded, call } = await waysThrough(program);
    const cpu = () => program.cpu();
    return { program: { ...recorded, cpu }, call: { ...call, cpu } };
  };
  try {
    const ways = await begin();
    const build = beside === undefined ? undefined : commitOf(beside);
    const earlier: Partial<typeof ways> = build === undefined ? {} : await begin(beside);
    const at = (url: string): Load => ({ url: url + path, headers });
    const loads = new Map<string, Measured>([
      ...Object.entries(ways),
      ...Object.entries(earlier).map(([way, load]) => [of(way, build!), load] as const), // of that build
      ...[...others].map(([name, { url }]) => [name, at(url)] as const),
      [plain, at(reference.url)] as const,
      [itself, at(service.url)] as const,
      [
        floor,
        {
          url: least.url + programPath + path,
          headers: { ...headers, [programTokenHeader]: 'bench' },
          cpu: async () => Number(await (await fetch(`${least.url}/cpu`)).text()),
        },
      ] as const,
    ]);
    const rateOf = await rates(loads);
    return [...rateRows(rateOf, [...others.keys()], build), ...(await added(ways, at(service.url)))];
  } finally {
    for (const program of programs) await program.remove();
    for (const each of [...others.values(), least, reference, service]) await each.end();
    await rm(folder, { recursive: true, force: true });
  }
}
