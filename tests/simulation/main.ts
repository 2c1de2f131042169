import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { find, plants } from './plants.ts';
import { Coverage } from './coverage.ts';
import { shrink, simulate, type Outcome } from './simulate.ts';
import { diagramOf } from './story.ts';

/** How many worlds one process runs: memory that libraries keep grows with them. */
const perProcess = 500;

const usage = `npm run simulate -- [--seeds 100] [--from 1] [--minutes 10]    runs worlds
npm run simulate -- --plants                                   plants faults in the console, each of which must be found
npm run simulate -- --seed 7 [--trace story.mmd]               tells one world, and draws it as a sequence diagram`;

/** One world, as a process tells it to the one that started it. */
interface Told extends Pick<Outcome, 'seed' | 'wrong' | 'hash' | 'steps' | 'covered'> {
  accidents: string[];
}

/** Runs the worlds of these seeds in this process, and prints what became of each as a line of JSON. */
async function runHere(from: number, to: number): Promise<void> {
  for (let seed = from; seed <= to; seed += 1) {
    const { wrong, hash, steps, covered, accidents } = await simulate(seed);
    const told: Told = { seed, wrong, hash, steps, covered, accidents: [...accidents.values()] };
    await new Promise((done) => process.stdout.write(`${JSON.stringify(told)}\n`, done));
  }
}

/** Runs the worlds of these seeds in a process of their own, until `onWorld` returns false. */
async function runApart(from: number, to: number, onWorld: (told: Told) => boolean): Promise<boolean> {
  const file = fileURLToPath(import.meta.url);
  const child = spawn(
    process.execPath,
    [...process.execArgv, file, '--here', '--from', String(from), '--seeds', String(to - from + 1)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (onWorld(JSON.parse(line) as Told)) continue; // written by runHere
    child.kill();
    await ended;
    return false;
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`the worlds from ${from} ended with exit status ${code}`);
  return true;
}

/** Prints a world in words. Returns whether nothing is wrong with it. */
function tell({ seed, wrong, hash, lines }: Outcome, file?: string): boolean {
  console.log(lines.join('\n'));
  console.log(`\nWorld ${seed}, trace ${hash}: ${wrong.length === 0 ? 'nothing is wrong' : wrong.join('\n')}`);
  if (file === undefined) return wrong.length === 0;
  writeFileSync(file, diagramOf(lines));
  console.log(`The sequence diagram is in ${file}.`);
  return wrong.length === 0;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      ...{ seeds: { type: 'string', default: '100' }, from: { type: 'string', default: '1' } },
      ...{ minutes: { type: 'string' }, seed: { type: 'string' }, trace: { type: 'string' } },
      ...{
        here: { type: 'boolean' },
        hashes: { type: 'boolean' },
        plants: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    },
  });
  const [from, count] = [Number(values.from), Number(values.seeds)];
  if (values.help) {
    console.log(usage);
    return true;
  }
  if (values.seed !== undefined) return tell(await simulate(Number(values.seed), { traces: true }), values.trace);
  if (values.plants) {
    let areFound = true;
    for (const [name, planted] of Object.entries(plants)) {
      const found = await find(planted);
      areFound &&= found !== undefined;
      console.log(`${name}: ${found ? `world ${found.seed}, ${found.sentence}` : 'not found'}`);
    }
    return areFound;
  }
  if (values.here) {
    await runHere(from, from + count - 1);
    return true;
  }

  const end = performance.now() + Number(values.minutes ?? Infinity) * 60_000;
  const begun = performance.now();
  const accidents = new Map<string, number>();
  const pairs = new Set<string>();
  const coverage = new Coverage();
  let [worlds, steps] = [0, 0];
  let failed: Told | undefined;
  const onWorld = (told: Told): boolean => {
    worlds += 1;
    steps += told.steps;
    coverage.add(told.covered);
    if (values.hashes) console.log(`${told.seed} ${told.hash}`);
    for (const each of told.accidents) accidents.set(each, (accidents.get(each) ?? 0) + 1);
    const kinds = [...new Set(told.accidents)].sort();
    for (const one of kinds) for (const other of kinds) if (one < other) pairs.add(`${one} + ${other}`);
    if (told.wrong.length > 0) failed = told;
    return !failed && performance.now() < end;
  };
  for (let next = from; next < from + count; next += perProcess)
    if (!(await runApart(next, Math.min(next + perProcess, from + count) - 1, onWorld))) break;

  const seconds = (performance.now() - begun) / 1000;
  const kinds = [...accidents].sort(([, one], [, other]) => other - one);
  console.log(`${worlds} worlds from seed ${from}, ${steps} steps, ${(worlds / seconds).toFixed(1)} worlds a second`);
  console.log(`accidents: ${kinds.map(([name, number]) => `${name} ${number}`).join(', ') || 'none'}`);
  const possible = (kinds.length * (kinds.length - 1)) / 2;
  console.log(`pairs of accidents that met in one world: ${pairs.size} of ${possible}`);
  console.log(coverage.lines().join('\n'));
  if (!failed) {
    console.log('No invariant was violated.');
    return true;
  }
  console.log(`\nWorld ${failed.seed} is wrong: ${failed.wrong.join('\n')}\n\nThe accidents that it needs:\n`);
  const whole = await simulate(failed.seed);
  return tell(await shrink(whole), values.trace);
}

const isRight = await main();
process.exit(isRight ? 0 : 1);
