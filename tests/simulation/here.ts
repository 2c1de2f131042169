/** Runs worlds in this process, and sends what became of each to the process that started it (`apart.ts`). */
import type { Share, Told } from './apart.ts';
import { hasAll, someClimate } from './climate.ts';
import { Scheduler } from './scheduler.ts';
import { kindOf, simulate } from './simulate.ts';

/** The time (ms) of the processor that this process has taken. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

// A world that waits for what never comes ends this process without an error.
process.exitCode = 1;
const {
  from,
  to,
  every,
  isBroken,
  only,
  having = [],
  isDescribed = false,
} = JSON.parse(process.argv[2] ?? '') as Share; // written by apart.ts
for (let seed = from; seed <= to; seed += every) {
  if (only !== undefined && kindOf(seed) !== only) continue;
  if (having.length > 0 && !hasAll(someClimate(new Scheduler(seed)), having)) continue;
  const before = cpuTime();
  const outcome = await simulate(seed, { isBroken, isDescribed });
  const { wrong, hash, steps, attempts, covered, atRest, accidents } = outcome;
  const cpu = cpuTime() - before;
  const told: Told = { seed, wrong, hash, steps, attempts, covered, atRest, cpu, accidents: [...accidents.values()] };
  await new Promise((done) => process.send!(told, done)); // started by apart.ts
}
process.exit(0);
