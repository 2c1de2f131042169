import { setTimeout as wait } from 'node:timers/promises';
import { apiAt } from '../../tests/support/api.ts';
import { newConsole, type ConsoleProcess } from '../../tests/support/consoleProcess.ts';
import { paid } from '../../tests/support/fixtures.ts';
import { liveEnvironment } from '../../tests/support/liveEnvironment.ts';
import { commitOf, started } from './processes.ts';
import { noLimit } from './proxies.ts';
import { median, quantile, type Aim, type Row } from './row.ts';

/** A way of posting batches: how many in each round, how many of them at once, with how many payments each. */
interface Load {
  name: string;
  batches: number;
  atOnce: number;
  payments: number;
  /** The greatest part of the other build's time that one may take. */
  most: { time: number; processor?: number };
}

const loads: readonly Load[] = [
  {
    name: 'a batch of 10 payments, one at a time',
    batches: 40,
    atOnce: 1,
    payments: 10,
    most: { time: 0.4, processor: 0.5 },
  },
  {
    name: 'a batch of 10 payments, 8 at once',
    batches: 64,
    atOnce: 8,
    payments: 10,
    most: { time: 0.4, processor: 0.5 },
  },
  { name: 'a batch of 2000 payments, 4 at once', batches: 24, atOnce: 4, payments: 2000, most: { time: 0.5 } },
];

/** The builds take turns, because the load of the machine changes. The first round warms them up and is not counted. */
const rounds = 5;
/** Time (ms) between two requests to /healthz. */
const pause = 10;
const company = { companySigningKey: 'k', organisationId: 'o', companyId: 'c' } as const;

/** A console whose writes are measured, with what each load has cost it: ms for each batch, for each `/healthz`, and of the longest turns. */
interface Measured {
  program: ConsoleProcess;
  spent: Map<Load, { times: number[]; processor: number[]; health: number[]; longest: number[] }>;
}

async function prepared(serviceUrl: string, folder: string): Promise<Measured> {
  const program = await newConsole({ ...liveEnvironment(serviceUrl), ...noLimit }, folder);
  await program.start();
  const api = apiAt(program.url);
  for (const [key, value] of Object.entries(company) as [keyof typeof company, string][])
    // its own keys
    await api.done('setSetting', { body: { key, value } });
  return {
    program,
    spent: new Map(loads.map((load) => [load, { times: [], processor: [], health: [], longest: [] }])),
  };
}

/** Samples `/healthz` as long as a promise is pending. Resolves with the time (ms) of each answer. */
async function healthDuring(url: string, pending: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const ended = pending.finally(() => (isOver = true));
  const times: number[] = [];
  while (!isOver) {
    const before = performance.now();
    const response = await fetch(`${url}/healthz`);
    await response.text();
    times.push(performance.now() - before);
    await wait(pause);
  }
  await ended;
  return times;
}

/** Posts the batches of one round, whose invoices are all different. */
async function post({ program, spent }: Measured, load: Load, round: number): Promise<void> {
  const { times, processor, health, longest } = spent.get(load)!; // of these loads
  const { batches, atOnce, payments } = load;
  const api = apiAt(program.url);
  const [payment] = paid.payments;
  const requestedExecutionDateTime = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
  const own: number[] = [];
  let left = batches;
  const postInTurn = async () => {
    while (left > 0) {
      const externalId = `${loads.indexOf(load)}-${round}-${(left -= 1)}`;
      const all = Array.from({ length: payments }, (_, index) => ({
        ...payment!, // the fixture has one
        remittanceInformation: { reference: `${externalId}-${index}` },
      }));
      const before = performance.now();
      await api.done('createBatch', { body: { ...paid, externalId, requestedExecutionDateTime, payments: all } });
      own.push(performance.now() - before);
    }
  };
  await program.longestTurn(); // from now on
  const before = await program.cpu();
  const posted = Promise.all(Array.from({ length: atOnce }, postInTurn));
  // Beside small batches it would be measured as part of them.
  const asked = payments > 10 ? await healthDuring(program.url, posted) : [];
  await posted;
  const each = ((await program.cpu()) - before) / batches;
  const turn = await program.longestTurn();
  if (round === 0) return;
  times.push(...own);
  processor.push(each);
  health.push(...asked);
  longest.push(turn);
}

/**
 * What a payment costs the console alone, on an SQLite file that waits for its disk: the service is a process of its own.
 * `beside` is the folder of another build, which is measured in the same run.
 */
export async function* rows(beside?: string): AsyncGenerator<Row> {
  const service = await started('service.ts');
  const builds: Measured[] = [];
  try {
    for (const folder of [process.cwd(), ...(beside === undefined ? [] : [beside])])
      builds.push(await prepared(service.url, folder));
    for (let round = 0; round <= rounds; round += 1)
      for (const load of loads) for (const build of builds) await post(build, load, round);
    const [ours, other] = builds;
    const row = (what: string, of: (build: Measured) => number, mostPart?: number, aim?: Aim): Row => {
      const compared = other && mostPart !== undefined ? { mostPart } : undefined;
      return {
        what,
        unit: 'ms',
        ours: of(ours!), // at least this build
        ...(other && { reference: { what: commitOf(beside!), value: of(other) } }),
        ...((aim ?? compared) && { aim: { ...compared, ...aim } }),
      };
    };
    for (const load of loads) {
      const { time, processor } = load.most;
      const spent = (build: Measured) => build.spent.get(load)!; // of these loads
      yield row(`${load.name}: median`, (build) => median(spent(build).times), time);
      yield row('the same: processor time of all threads', (build) => median(spent(build).processor), processor);
      if (spent(ours!).health.length === 0) continue;
      const aim = { most: 100 };
      yield row('/healthz beside it: 99th percentile', (build) => quantile(spent(build).health, 0.99), undefined, aim);
      // An earlier build may not say it of itself.
      yield { what: 'the longest turn of the event loop', unit: 'ms', ours: Math.max(...spent(ours!).longest), aim };
    }
  } finally {
    for (const { program } of builds) await program.remove();
    await service.end();
  }
}
