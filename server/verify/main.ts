import { randomInt } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepScenario } from './keep.ts';
import { help, optionsOf, UseError, type Options } from './options.ts';
import { isListening } from './ports.ts';
import { ProgramError } from './program.ts';
import { reportFor } from './reports.ts';
import { runScenario } from './runScenario.ts';
import type { Scenario } from './scenarios.ts';
import type { Setting } from './stage.ts';
import { listLines, progressHead, progressLine, summaryLines } from './summary.ts';
import { hasFailed, judged, outcomesOf, worksIn, type Judged, type Verification } from './verification.ts';

/** Where the command prints: progress and summary, and why it cannot run. */
export interface Output {
  print: (line: string) => void;
  complain: (line: string) => void;
}

interface Place {
  env: Readonly<Record<string, string | undefined>>;
  /** Ends the verification early; its reason is an error. The program is ended nevertheless. */
  interrupted?: AbortSignal;
}

/** Throws UseError if a report or the port cannot be used, before the program is started. */
async function checkOptions({ reports, webhookPort }: Options): Promise<void> {
  for (const path of reports) {
    const file = await open(path, 'a').catch((error: unknown) => {
      throw new UseError(`--report ${path} cannot be written: ${(error as Error).message}.`); // fs rejects with errors
    });
    await file.close();
  }
  if (webhookPort > 0 && (await isListening(webhookPort)))
    throw new UseError(`Port ${webhookPort} is taken: give another --webhook-port, or end what listens there.`);
}

/** Throws UseError if the program ended before it called the service. */
function checkFirstCall({ evidence: { calls, runs }, outputs }: Judged): void {
  const [run] = runs;
  if (calls.length > 0 || run?.ended !== 'itself') return;
  const printed = (outputs[0] ?? '').trim().split('\n').at(-1) ?? '';
  throw new UseError(
    `The program ended with status ${run.exitStatus ?? 'none'} before its first call${printed === '' ? '.' : `, and printed last: ${printed}`}`,
  );
}

/** Runs the scenarios: the first one alone, because it shows whether the program runs at all, the others in parallel. */
async function runAll(options: Options, setting: Setting, output: Output): Promise<Judged[]> {
  const { scenarios, parallel, keep } = options;
  const begun = performance.now();
  const done: Judged[] = [];
  output.print(progressHead(scenarios.length));
  const run = async (scenario: Scenario, works: boolean): Promise<Judged> => {
    const observed = await runScenario(scenario, setting);
    if (setting.interrupted?.aborted) throw setting.interrupted.reason;
    const found = judged(scenario, observed, works);
    const count = done.push(found);
    if (keep !== '') await keepScenario(found, keep, observed.url);
    const elapsed = performance.now() - begun;
    output.print(progressLine(found, { done: count, of: scenarios.length, elapsed }));
    return found;
  };
  const [first, ...rest] = scenarios;
  if (!first) return [];
  const found = await run(first, true);
  checkFirstCall(found);
  const works = first.id !== 'works' || worksIn(found);
  // The longest ones come first, so that the last one does not run alone.
  const queue = rest.toSorted((a, b) => (b.expected ?? 0) - (a.expected ?? 0));
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await run(next, works);
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return done.toSorted((a, b) => scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario));
}

async function verify(options: Options, { env, interrupted }: Place, output: Output): Promise<boolean> {
  await checkOptions(options);
  const { command, seed, limit, webhookPort, reports } = options;
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  const [startedAt, begun] = [new Date().toISOString(), performance.now()];
  try {
    const setting = { command, env, seed, limit, folder, webhookPort, ...(interrupted && { interrupted }) };
    const scenarios = await runAll(options, setting, output);
    const ms = performance.now() - begun;
    const verification: Verification = {
      command,
      seed,
      startedAt,
      ms,
      scenarios,
      outcomes: outcomesOf(scenarios, options),
    };
    for (const line of summaryLines(verification)) output.print(line);
    for (const path of reports) await writeFile(path, reportFor(path, verification));
    return !hasFailed(verification);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the command with these arguments; resolves to its exit status (see `help`). */
export async function main(args: readonly string[], place: Place, output: Output): Promise<number> {
  try {
    const options = optionsOf(args, randomInt(60_466_176));
    if (options.help) output.print(help);
    else if (options.list) listLines().forEach(output.print);
    else return (await verify(options, place, output)) ? 0 : 1;
    return 0;
  } catch (error) {
    // What the signal ended fails as a consequence of it.
    const { message } = (place.interrupted?.aborted ? place.interrupted.reason : error) as Error; // only errors are thrown
    const isUse = error instanceof UseError || error instanceof ProgramError;
    output.complain(isUse ? message : `The verification could not be run: ${message}`);
    return 2;
  }
}
