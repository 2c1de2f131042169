import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startGroup } from '../../scripts/processes.mjs';
import type { Outcome } from './simulate.ts';

/** One world, as a process tells it to the one that started it. */
export interface Told extends Pick<Outcome, 'seed' | 'wrong' | 'hash' | 'steps' | 'attempts' | 'covered' | 'atRest'> {
  accidents: string[];
  /** The time (ms) of the processor that it took. */
  cpu: number;
}

/** Worlds that a process runs, one after the other. */
export interface Worlds {
  from: number;
  to: number;
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

const file = fileURLToPath(new URL('here.ts', import.meta.url));
const planting = new URL('planting.ts', import.meta.url).href;

/** Room (MB) for young objects, of which a world makes many: less of the time goes into collecting them. */
const youngObjects = '--max-semi-space-size=64';

/** Runs the worlds of these seeds in a process of their own, until `onWorld` returns false. */
export async function runApart(worlds: Worlds, onWorld: (told: Told) => boolean): Promise<boolean> {
  // What a world prints, as charts do, is no message.
  const { planted } = worlds;
  const plants = planted === undefined ? [] : ['--import', planting];
  const args = ['--import', 'tsx', youngObjects, ...plants, file, JSON.stringify(worlds)];
  const { child } = startGroup(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(planted !== undefined && { env: { ...process.env, PLANTED: planted } }),
  });
  let isWanted = true;
  child.on('message', (told) => {
    if (!isWanted || onWorld(told as Told)) return; // sent by here.ts
    isWanted = false;
    child.kill();
  });
  // The channel ends after its last message.
  const [[code]] = (await Promise.all([once(child, 'exit'), once(child, 'disconnect')])) as [[number | null], unknown];
  if (isWanted && code !== 0) throw new Error(`the worlds from ${worlds.from} ended with exit status ${code}`);
  return isWanted;
}
