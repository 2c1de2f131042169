/**
 * Lets Bombadil explore the built console by itself, while the sandbox's fault lab lets things go wrong, and says which
 * properties held (README.md). Ends with 1 if one was broken, with 2 for a wrong use.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exit } from 'node:process';
import { parseArgs } from 'node:util';
import { situations, type SituationId } from '../../src/runner/situations.ts';
import { explore, type Kept } from './explore.ts';
import { report } from './report.ts';
import { selfTest } from './selfTest.ts';
import { tallyOf } from './trace.ts';
import { findChromium } from '../../tests/support/browser.ts';

const help = `npm run explore -- [options]
  --actions N      explores for so many actions (600), the same number in each situation
  --minutes N      explores for so long instead
  --situation ID   in one situation: ${Object.keys(situations).join(', ')}
  --seed N         the seed of what goes wrong; what Bombadil does has none
  --no-faults      nothing goes wrong
  --replay FOLDER  repeats what was done in an earlier run, in its situation and with its faults
  --self-test      plants faults in the page, and sees each property break; --only NAME for one of them
  --keep           keeps traces and pictures also if all properties held`;

const { values } = parseArgs({
  options: {
    actions: { type: 'string' },
    minutes: { type: 'string' },
    situation: { type: 'string' },
    seed: { type: 'string' },
    'no-faults': { type: 'boolean' },
    replay: { type: 'string' },
    'self-test': { type: 'boolean' },
    only: { type: 'string' },
    keep: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

function misused(why: string): never {
  console.error(`${why}\n\n${help}`);
  exit(2);
}

function numberOf(name: 'actions' | 'minutes' | 'seed', usual: number): number {
  const number = Number(values[name] ?? usual);
  return Number.isFinite(number) && number >= 0 ? number : misused(`--${name} takes a number.`);
}

/** Where there are many creditors to pay, where some are missing, and where something was paid already. */
const usual: readonly SituationId[] = ['tenCreditors', 'authorised', 'partlyFailed'];

async function legs(): Promise<Kept[]> {
  if (values.replay !== undefined) return [JSON.parse(await readFile(join(values.replay, 'run.json'), 'utf8')) as Kept]; // explore.ts writes it
  const { situation } = values;
  if (situation !== undefined && !(situation in situations)) misused(`There is no situation ${situation}.`);
  const chosen = situation === undefined ? usual : [situation as SituationId]; // it is one of them
  const seed = numberOf('seed', Math.floor(Math.random() * 2 ** 31));
  return chosen.map((each) => ({ situation: each, seed, faults: values['no-faults'] !== true }));
}

/** Explores in each situation, and says what was seen. Returns whether all properties held. */
async function run(folder: string): Promise<boolean> {
  const chosen = await legs();
  const tally = tallyOf();
  const most =
    values.minutes === undefined && values.replay === undefined
      ? Math.ceil(numberOf('actions', 600) / chosen.length)
      : Infinity;
  const minutes = values.minutes === undefined ? Infinity : numberOf('minutes', 0) / chosen.length;
  const began = Date.now();
  const faults = new Map<string, number>();
  for (const kept of chosen) {
    console.log(`Situation ${kept.situation}, seed ${kept.seed}${kept.faults ? '' : ', without faults'}`);
    const own = join(folder, kept.situation);
    await explore({
      kept,
      folder: own,
      chromium: findChromium(),
      most,
      minutes,
      replays: values.replay ?? null,
      tally,
      faults,
    });
  }
  for (const line of report(tally, faults, (Date.now() - began) / 60_000)) console.log(line);
  return tally.broken().length === 0 && tally.ends('elsewhere') === 0;
}

// Bombadil runs in a group of processes of its own, which an interrupt of this one does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => exit(130));

if (values.help) console.log(help);
else {
  const folder = join('dist/explore', new Date().toISOString().replaceAll(':', '-'));
  const say = (line: string) => console.log(line);
  const isWell = values['self-test']
    ? (await selfTest(findChromium(), folder, values.only ?? '', say)).length === 0
    : await run(folder);
  if (isWell && !values.keep) await rm(folder, { recursive: true, force: true });
  // The connections of what walked the situation would hold the process for a while.
  exit(isWell ? 0 : 1);
}
