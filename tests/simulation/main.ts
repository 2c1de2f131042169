import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printable } from '#rules/printable.ts';
import { runWorlds, type Told } from './apart.ts';
import { sourcePlants } from './sourcePlants.ts';
import type { Outcome } from './simulate.ts';
import { storyFrom, storyOf } from './stories.ts';
import { diagramOf, sentencesOf } from './story.ts';
import { Tally } from './tally.ts';

const usage = `npm run simulate -- [--seeds 100] [--from 1] [--minutes 10]    runs worlds, until one fails
npm run simulate -- --seed 7         tells one world
npm run simulate -- --story FILE     tells the world of a story
npm run simulate -- --stories FOLDER says of each story what is wrong, and which of its accidents no longer happen
npm run simulate -- --plants          plants faults in the console, each of which must be found
npm run simulate -- --planted all     plants each fault that the console has had, or the one that is named, until a world fails
  --trace FILE.har       writes its exchanges as a session that the console's timeline opens
  --diagram FILE.mmd     writes it as a sequence diagram
  --cores NUMBER         runs as many worlds at once, by default one on each core
  --only KIND            runs only worlds of scripts, pages or tenants
  --having NAMES         runs only worlds in which all of this may happen: names of climate.ts, with commas
  --at-rest FILE.ndjson  writes a line for each world at rest, also after one that fails, to compare two builds of the console
  --broken               lets the service break a promise, so that an invariant must fail
  --keep FILE.json       writes it as a story, which is repeated decision by decision
The same options tell the first failing world, shortened to the accidents that it needs.`;

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    seeds: { ...text, default: '100' },
    from: { ...text, default: '1' },
    minutes: text,
    cores: text,
    seed: text,
    story: text,
    trace: text,
    diagram: text,
    keep: text,
    stories: text,
    planted: text,
    only: text,
    having: text,
    'at-rest': text,
    broken: { type: 'boolean', default: false },
    plants: { type: 'boolean' },
    hashes: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

const { broken: isBroken, only } = values;
const having = values.having?.split(',') ?? [];
const coresOf = () => (values.cores === undefined ? undefined : numberOf('cores', 1));

/** Returns the number that an option gives. */
function numberOf(name: 'seeds' | 'from' | 'minutes' | 'seed' | 'cores', least: number): number {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number >= least && (name === 'minutes' || Number.isInteger(number))) return number;
  throw new Error(`--${name} is ${values[name]}: give a number from ${least}`);
}

/** When no more worlds are begun (ms of this process). */
const endOf = (): number =>
  performance.now() + (values.minutes === undefined ? Infinity : numberOf('minutes', 0) * 60_000);

function write(file: string | undefined, content: string, what: string): void {
  if (file === undefined) return;
  writeFileSync(file, content);
  console.log(`${what} is in ${file}.`);
}

/** Prints what is told of worlds, whose service and users say what they like. */
const say = (text: string): void => console.log(printable(text));

/** Prints a world in words, and writes the files that were asked for. Returns whether nothing is wrong with it. */
function tell(outcome: Outcome): boolean {
  const { seed, wrong, hash, lines, har } = outcome;
  const isRight = wrong.length === 0;
  say(sentencesOf(lines).join('\n'));
  if (!isRight) say(`\n${diagramOf(lines)}`);
  say(`\nWorld ${seed}, trace ${hash}: ${isRight ? 'nothing is wrong' : wrong.join('\n')}`);
  write(values.trace, har, 'The session');
  write(values.diagram, diagramOf(lines), 'The sequence diagram');
  write(values.keep, storyOf(outcome), 'The story');
  return isRight;
}

/** Runs worlds whose console has a fault until one fails, and says which. Returns whether one has. */
async function seek(planted: string): Promise<boolean> {
  const [from, count, end] = [numberOf('from', 0), numberOf('seeds', 1), endOf()];
  let [worlds, failed] = [0, undefined as Told | undefined];
  const onWorld = (told: Told): boolean => {
    worlds += 1;
    if (told.wrong.length > 0) failed = told;
    return !failed && performance.now() < end;
  };
  await runWorlds({ from, to: from + count - 1, cores: coresOf(), isBroken, only, having, planted }, onWorld);
  say(
    `${planted}: ${failed ? `found in the ${worlds}th world (${failed.seed}), ${failed.wrong[0]}` : `not found in ${worlds} worlds`}`,
  );
  return failed !== undefined;
}

async function main(): Promise<boolean> {
  if (values.help) {
    console.log(usage);
    return true;
  }
  if (values.plants) {
    const { find, plants } = await import('./plants.ts');
    let areFound = true;
    for (const [name, planted] of Object.entries(plants)) {
      const found = await find(planted);
      areFound &&= found !== undefined;
      say(`${name}: ${found ? `world ${found.seed}, ${found.sentence}` : 'not found'}`);
    }
    return areFound;
  }
  if (values.planted !== undefined) {
    let areFound = true;
    for (const name of values.planted === 'all' ? Object.keys(sourcePlants) : [values.planted])
      areFound = (await seek(name)) && areFound;
    return areFound;
  }
  // Worlds that other processes run do not need what this one would load for them.
  const worlds = () => import('./simulate.ts');
  if (values.stories !== undefined) {
    const { simulate } = await worlds();
    for (const name of readdirSync(values.stories)) {
      const { seed, accidents, decisions: recorded } = storyFrom(readFileSync(join(values.stories, name), 'utf8'));
      const outcome = await simulate(seed, { recorded });
      const happened = new Set(outcome.accidents.values());
      const missing = accidents.filter((each) => !happened.has(each));
      console.log(JSON.stringify({ name, wrong: outcome.wrong, missing }));
    }
    return true;
  }
  if (values.story !== undefined) {
    const { seed, decisions: recorded } = storyFrom(readFileSync(values.story, 'utf8'));
    const { simulate } = await worlds();
    return tell(await simulate(seed, { recorded, isBroken, traces: true }));
  }
  if (values.seed !== undefined) {
    const seed = numberOf('seed', 0);
    const { simulate } = await worlds();
    return tell(await simulate(seed, { isBroken, traces: true }));
  }
  const [from, count] = [numberOf('from', 0), numberOf('seeds', 1)];

  const begun = performance.now();
  const end = endOf();
  const tally = new Tally();
  const { 'at-rest': restFile } = values;
  if (restFile !== undefined) writeFileSync(restFile, '');
  let failed: Told | undefined;
  const onWorld = (told: Told): boolean => {
    tally.add(told);
    const { seed, hash, wrong, accidents, atRest } = told;
    if (values.hashes) console.log(`${seed} ${hash}`);
    if (restFile !== undefined) appendFileSync(restFile, `${JSON.stringify({ seed, wrong, accidents, atRest })}\n`);
    if (wrong.length > 0) failed ??= told;
    return (!failed || restFile !== undefined) && performance.now() < end;
  };
  await runWorlds(
    { from, to: from + count - 1, cores: coresOf(), isBroken, only, having, isDescribed: restFile !== undefined },
    onWorld,
  );
  say(tally.lines(from, (performance.now() - begun) / 1000).join('\n'));
  if (!failed) {
    console.log('No invariant was violated.');
    // Worlds that were chosen do not say what happens in all.
    const never = only === undefined && having.length === 0 && !isBroken ? tally.never() : [];
    for (const what of never) console.log(`Never happened in these worlds, and must sometimes: ${what}`);
    return never.length === 0;
  }
  say(`\nWorld ${failed.seed} is wrong: ${failed.wrong.join('\n')}\n\nThe accidents that it needs:\n`);
  const { shrink, simulate } = await worlds();
  return tell(await shrink(await simulate(failed.seed, { isBroken }), { isBroken }));
}

// A world that waits for what never comes ends this process without an error.
process.exitCode = 1;
const isRight = await main();
// A pipe may still hold the last lines.
process.stdout.write('', () => process.exit(isRight ? 0 : 1));
