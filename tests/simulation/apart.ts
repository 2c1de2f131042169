import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startGroup } from '../../scripts/processes.mjs';
import type { Outcome } from './simulate.ts';

/** One world, as a process tells it to the one that started it. */
export interface Told extends Pick<Outcome, 'seed' | 'wrong' | 'hash' | 'steps' | 'attempts' | 'covered' | 'atRest'> {
  accidents: string[];
  /** The time (ms) of the processor that it took. */
  cpu: number;
}

/** Worlds that are run. */
export interface Worlds {
  from: number;
  to: number;
  /** How many processes run them at once, by default one for each core. */
  cores?: number | undefined;
  isBroken: boolean;
  /** The kind of those that are run; all if it is undefined. */
  only?: string | undefined;
  /** What may happen in those that are run, by the names of `climate.ts`. */
  having?: readonly string[];
  /** A fault of `sourcePlants.ts` that the console has in them. */
  planted?: string | undefined;
  /** Whether each is described at rest. */
  isDescribed?: boolean;
}

/** Worlds that a process runs, one after the other: those of every `every`th seed. */
export interface Share extends Omit<Worlds, 'cores'> {
  every: number;
}

/** How many worlds one process runs: memory that libraries keep grows with them. */
const perProcess = 500;

const file = fileURLToPath(new URL('here.ts', import.meta.url));
const planting = new URL('planting.ts', import.meta.url).href;

/** Room (MB) for young objects, of which a world makes many: less of the time goes into collecting them. */
const youngObjects = '--max-semi-space-size=64';

/** Runs worlds in a process of their own, until `onWorld` returns false or they are no longer wanted. */
async function runApart(worlds: Share, onWorld: (told: Told) => void, unwanted: AbortSignal): Promise<void> {
  // What a world prints, as charts do, is no message.
  const { planted } = worlds;
  const plants = planted === undefined ? [] : ['--import', planting];
  const args = ['--import', 'tsx', youngObjects, ...plants, file, JSON.stringify(worlds)];
  const { child } = startGroup(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(planted !== undefined && { env: { ...process.env, PLANTED: planted } }),
  });
  const end = () => void child.kill();
  unwanted.addEventListener('abort', end);
  child.on('message', (told) => onWorld(told as Told)); // sent by here.ts
  // The channel ends after its last message.
  const [[code]] = (await Promise.all([once(child, 'exit'), once(child, 'disconnect')])) as [[number | null], unknown];
  unwanted.removeEventListener('abort', end);
  if (!unwanted.aborted && code !== 0) throw new Error(`the worlds from ${worlds.from} ended with exit status ${code}`);
}

/** Runs the worlds of these seeds on all cores, until `onWorld` returns false. Those that run at once end in any order. */
export async function runWorlds({ cores, ...worlds }: Worlds, onWorld: (told: Told) => boolean): Promise<void> {
  const { from, to } = worlds;
  const every = Math.min(cores ?? availableParallelism(), to - from + 1);
  const stop = new AbortController();
  const tell = (told: Told): void => {
    if (!stop.signal.aborted && !onWorld(told)) stop.abort();
  };
  const inTurn = async (first: number): Promise<void> => {
    for (let next = first; next <= to && !stop.signal.aborted; next += every * perProcess) {
      const last = Math.min(next + every * (perProcess - 1), to);
      await runApart({ ...worlds, from: next, to: last, every }, tell, stop.signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: every }, (_, lane) => inTurn(from + lane)));
  } finally {
    stop.abort();
  }
}
