import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { kindOf, simulate, type Outcome } from './simulate.ts';

/** One world, as a process tells it to the one that started it. */
export interface Told extends Pick<Outcome, 'seed' | 'wrong' | 'hash' | 'steps' | 'attempts' | 'covered'> {
  accidents: string[];
  /** The time (ms) of the processor that it took. */
  cpu: number;
}

/** The time (ms) of the processor that this process has taken. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Worlds {
  from: number;
  to: number;
  isBroken: boolean;
  /** The kind of those that are run; all if it is undefined. */
  only?: string | undefined;
  /** A fault of `sourcePlants.ts` that the console has in them. */
  planted?: string | undefined;
}

/** Runs the worlds of these seeds in this process, and sends what became of each to the process that started it. */
export async function runHere({ from, to, isBroken, only }: Worlds): Promise<void> {
  for (let seed = from; seed <= to; seed += 1) {
    if (only !== undefined && kindOf(seed) !== only) continue;
    const before = cpuTime();
    const { wrong, hash, steps, attempts, covered, accidents } = await simulate(seed, { isBroken });
    const cpu = cpuTime() - before;
    const told: Told = { seed, wrong, hash, steps, attempts, covered, cpu, accidents: [...accidents.values()] };
    await new Promise((done) => process.send!(told, done)); // started by runApart
  }
}

const file = fileURLToPath(new URL('main.ts', import.meta.url));
const planting = new URL('planting.ts', import.meta.url).href;

/** Runs the worlds of these seeds in a process of their own, until `onWorld` returns false. */
export async function runApart(
  { from, to, isBroken, only, planted }: Worlds,
  onWorld: (told: Told) => boolean,
): Promise<boolean> {
  // What a world prints, as charts do, is no message.
  const child = fork(
    file,
    [
      '--here',
      '--from',
      String(from),
      '--seeds',
      String(to - from + 1),
      ...(isBroken ? ['--broken'] : []),
      ...(only === undefined ? [] : ['--only', only]),
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      ...(planted !== undefined && {
        execArgv: [...process.execArgv, '--import', planting],
        env: { ...process.env, PLANTED: planted },
      }),
    },
  );
  let isWanted = true;
  child.on('message', (told) => {
    if (!isWanted || onWorld(told as Told)) return; // sent by runHere
    isWanted = false;
    child.kill();
  });
  // The channel ends after its last message.
  const [[code]] = (await Promise.all([once(child, 'exit'), once(child, 'disconnect')])) as [[number | null], unknown];
  if (isWanted && code !== 0) throw new Error(`the worlds from ${from} ended with exit status ${code}`);
  return isWanted;
}
