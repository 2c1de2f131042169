import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { printableLine } from '#rules/printable.ts';
import { checkReport, UnwrittenError, writeReport } from '../reportFile.ts';
import { keepScenario, makeKeep } from './keep.ts';
import { readMapping } from './against/mapping.ts';
import { serviceOf } from './against/mappedService.ts';
import { readConfig } from './config.ts';
import { fileOptions, help, optionsOf, repeatedOptions, seeds, type Options } from './options.ts';
import { isListening } from './ports.ts';
import { ProgramError } from './program.ts';
import { markdownReport, reportFor } from './reports.ts';
import { runScenario } from './runScenario.ts';
import { sandboxService } from './sandboxService.ts';
import type { Scenario } from './scenarios/scenario.ts';
import type { Setting } from './stage.ts';
import { isFolder, openStoredReport } from './storedReport.ts';
import { listLines, progressHead, progressLine, summaryLines } from './summary.ts';
import { UseError } from '#rules/useError.ts';
import { hasFailed, isToRepeat, judged, outcomesOf, worksIn, type Judged, type Verification } from './verification.ts';

/** Where the command prints: progress and summary, and why it cannot run. */
export interface Output {
  print: (line: string) => void;
  complain: (line: string) => void;
  /** A scenario was judged. */
  judged?: () => Promise<void>;
}

interface Place {
  env: Readonly<Record<string, string | undefined>>;
  /** Ends the verification early; its reason is an error. The program is ended nevertheless. */
  interrupted?: AbortSignal;
  /** The data folder of this console unless an option names another one; nothing is stored if absent. */
  dataFolder?: string;
}

/** Throws UseError or UnwrittenError if a report, the folder or the port cannot be used, before the program is started. */
async function checkOptions({ reports, keep, data, webhookPort }: Options): Promise<void> {
  for (const path of reports) {
    // If it cannot be made, the check says why.
    await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
    await checkReport(`--report ${path}`, path);
  }
  if (keep !== '') await makeKeep(keep);
  if (data !== '' && !(await isFolder(data)))
    throw new UseError(`--data ${data} is no folder: give the data folder of a console that was started.`);
  if (webhookPort > 0 && (await isListening(webhookPort)))
    throw new UseError(`Port ${webhookPort} is taken: give another --webhook-port, or end what listens there.`);
}

/** Returns the line that says why a program ended: its last error, or else what it printed last. */
function lastSaid(output: string): string {
  const lines = output.split('\n').flatMap((line) => line.trim() || []);
  const said = lines.filter((line) => !/^(Node\.js v\d|at |\^+$)/.test(line));
  return said.findLast((line) => /^(Uncaught )?\w*(Error|Exception)\b/.test(line)) ?? said.at(-1) ?? '';
}

/** Throws UseError if the program ended, or was ended, before it called the service, or the service shows nothing about it. */
function checkFirstCall({ scenario, evidence: { calls, runs }, outputs, trouble }: Judged): void {
  const [run] = runs;
  if (calls.length > 0 && scenario.id === 'works' && trouble !== '') throw new UseError(trouble);
  if (calls.length > 0 || run === undefined || run.ended === 'killed') return;
  const printed = lastSaid(outputs[0] ?? '');
  const seconds = Math.round((run.endedAt - run.startedAt) / 1000);
  const ended =
    run.ended === 'limit'
      ? `was ended after ${seconds} s without a call: let it pay at PAYMENTS_URL, or give it longer by --timeout`
      : `ended with status ${run.exitStatus ?? 'none'} before its first call: let it pay at PAYMENTS_URL`;
  throw new UseError(`The program ${ended}.${printed === '' ? '' : ` It printed last: ${printed}`}`);
}

/** Why the programs of the other scenarios are ended once a check has failed, where that ends the verification. */
class EndedEarly extends Error {}

const isEndedEarly = ({ interrupted }: Setting): boolean => interrupted?.reason instanceof EndedEarly;

/**
 * Runs the scenarios: the first one before the others, because it shows whether the program runs at all, except those that
 * wait most of their time.
 */
async function runAll(options: Options, setting: Setting, output: Output, endEarly: () => void): Promise<Judged[]> {
  const { scenarios, parallel, keep, judges, seed, failsFast } = options;
  const begun = performance.now();
  const done: Judged[] = [];
  output.print(progressHead(scenarios.length));
  const run = async (scenario: Scenario, first: Promise<boolean>): Promise<Judged> => {
    const judgeNow = async (isAgain: boolean): Promise<Judged> => {
      const observed = await runScenario(scenario, setting, isAgain);
      const works = await first;
      if (setting.interrupted?.aborted) throw setting.interrupted.reason;
      return judged(scenario, observed, works, { seed, judges });
    };
    const once = await judgeNow(false);
    const found = isToRepeat(once) ? { ...(await judgeNow(true)), before: once.stoodStill ?? 0 } : once;
    const count = done.push(found);
    await output.judged?.();
    if (keep !== '') await keepScenario(found, keep, found.url);
    const elapsed = performance.now() - begun;
    output.print(progressLine(found, { done: count, of: scenarios.length, elapsed }));
    if (failsFast && hasFailed({ outcomes: outcomesOf([found], { ...options, required: [] }) })) endEarly();
    return found;
  };
  const [first, ...rest] = scenarios;
  if (!first) return [];
  const works = run(first, Promise.resolve(true)).then((found) => {
    checkFirstCall(found);
    return first.id !== 'works' || worksIn(found);
  });
  const runNext = (scenario: Scenario) =>
    run(scenario, works).catch((error: unknown) => {
      if (!isEndedEarly(setting)) throw error;
    });
  // Those that wait most of their time run beside all others, and are judged after the first one.
  const isWaiting = ({ limit, stepEvery, atMinuteEnd }: Scenario) =>
    parallel > 1 && (atMinuteEnd || (limit ?? stepEvery) !== undefined);
  // The longest ones come first, so that the last one does not run alone.
  const queue = rest.filter((each) => !isWaiting(each)).toSorted((a, b) => (b.expected ?? 0) - (a.expected ?? 0));
  const work = async () => {
    await works;
    for (let next = queue.shift(); next && !isEndedEarly(setting); next = queue.shift()) await runNext(next);
  };
  await Promise.all([...rest.filter(isWaiting).map(runNext), ...Array.from({ length: parallel }, work)]);
  return done.toSorted((a, b) => scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario));
}

/** Runs the scenarios in a folder of their own, which is removed. */
async function observe(options: Options, { env, interrupted }: Place, output: Output): Promise<Judged[]> {
  const { command, seed, limit, webhookPort, isService, mapping } = options;
  const openService = mapping ? serviceOf(mapping) : sandboxService();
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  const failed = new AbortController();
  const ended = AbortSignal.any([failed.signal, ...(interrupted ? [interrupted] : [])]);
  setMaxListeners(0, ended); // each program that runs listens
  try {
    return await runAll(
      options,
      {
        command,
        env: { ...env, ...options.env },
        seed,
        limit,
        folder,
        webhookPort,
        isService,
        isAlone: options.parallel === 1,
        openService,
        interrupted: ended,
      },
      output,
      () => failed.abort(new EndedEarly()),
    );
  } catch (error) {
    failed.abort(error); // ends the programs of the other scenarios
    throw error;
  } finally {
    // A program may have made files that cannot be removed; they are the system's to remove.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Runs the scenarios as often as it is asked for, each time with other invoices; with `--fail-fast`, until a check has failed. */
async function observeAll(options: Options, place: Place, output: Output): Promise<Judged[]> {
  const { repetitions, seed, keep, failsFast } = options;
  const all: Judged[] = [];
  for (let time = 1; time <= repetitions; time += 1) {
    if (repetitions > 1) output.print(`Repetition ${time} of ${repetitions}`);
    const folder = repetitions > 1 && keep !== '' ? join(keep, String(time)) : keep;
    all.push(...(await observe({ ...options, seed: (seed + time - 1) % seeds, keep: folder }, place, output)));
    if (failsFast && hasFailed({ outcomes: outcomesOf(all, { ...options, required: [] }) })) break;
  }
  return all;
}

/** Why a verification ended without a verdict; what the signal ended fails as a consequence of it. */
const saidOf = (error: unknown, { interrupted }: Place): string =>
  ((interrupted?.aborted ? interrupted.reason : error) as Error).message; // only errors are thrown

/**
 * Verifies the program; resolves to whether no check has failed. Once the verdict is printed, it decides the exit status:
 * a report that cannot be written is a complaint.
 */
async function verify(options: Options, place: Place, output: Output): Promise<boolean> {
  await checkOptions(options);
  const { command, seed, reports } = options;
  const [startedAt, begun] = [new Date().toISOString(), performance.now()];
  const stored = await openStoredReport({
    folder: options.data || (place.dataFolder ?? ''),
    own: repeatedOptions(options.own),
    program: command,
    of: options.scenarios.length * options.repetitions,
    all: options.all,
    allowed: options.allowed,
    complain: output.complain,
  });
  const scenarios = await observeAll(options, place, { ...output, judged: stored.judged }).catch(
    async (error: unknown) => {
      await stored.failed(saidOf(error, place));
      throw error;
    },
  );
  // Of several runs of a scenario, the console shows the last one.
  await stored.ended([...new Map(scenarios.map((each) => [each.scenario.id, each])).values()]);
  const ms = performance.now() - begun;
  const outcomes = outcomesOf(scenarios, options);
  const verification: Verification = {
    command,
    options: repeatedOptions(options.own),
    seed,
    repetitions: options.repetitions,
    startedAt,
    ms,
    scenarios,
    outcomes,
  };
  for (const line of summaryLines(verification)) output.print(line);
  for (const path of reports)
    await writeReport(`--report ${path}`, path, reportFor(path, verification)).catch(
      (error: unknown) => output.complain(`${(error as Error).message}.`), // an UnwrittenError
    );
  const summary = place.env['GITHUB_STEP_SUMMARY'];
  if (summary)
    await appendFile(summary, markdownReport(verification)).catch((error: unknown) =>
      output.complain(`${new UnwrittenError(`GITHUB_STEP_SUMMARY ${summary}`, error).message}.`),
    );
  return !hasFailed(verification);
}

/** Runs the command with these arguments; resolves to its exit status (see `help`). */
export async function main(args: readonly string[], place: Place, to: Output): Promise<number> {
  const output: Output = {
    print: (line) => to.print(printableLine(line)),
    complain: (line) => to.complain(printableLine(line)),
  };
  try {
    const files = fileOptions(args);
    const config = await readConfig(files.config);
    const against = files.against ?? config.against;
    const mapping = against === undefined ? undefined : await readMapping(against);
    const options = optionsOf(args, randomInt(seeds), config, mapping);
    if (options.help) help.split('\n').forEach(output.print);
    else if (options.list) listLines().forEach(output.print);
    else return (await verify(options, place, output)) ? 0 : 1;
    return 0;
  } catch (error) {
    const message = saidOf(error, place);
    const isUse = error instanceof UseError || error instanceof ProgramError;
    if (error instanceof UnwrittenError) output.complain(`${message}.`);
    else output.complain(isUse ? message : `The verification could not be run: ${message}`);
    return 2;
  }
}
