import { readFile } from 'node:fs/promises';
import { calls } from '#contract/calls.ts';
import { sandboxHomePath } from '#contract/faults.ts';
import { maskSecrets } from '#contract/secretShapes.ts';
import { decodeText } from '#rules/decodeText.ts';
import { printable, printableLine } from '#rules/printable.ts';
import { restore } from '#app/effects/practice.ts';
import { nameOf } from '#machines/journeys.ts';
import { FileError, parseWalks } from '#runner/file.ts';
import type { Walk } from '#runner/actions.ts';
import { rehearse } from '#runner/rehearse.ts';
import { scenarios, type Scenario } from '#runner/scenarios.ts';
import { createWalker, type Walked } from '#runner/runJourney.ts';
import { checkReport, UnwrittenError, writeReport } from '#server/reportFile.ts';
import type { Server } from '#app/client/elsewhere.ts';
import { connect, type Connected } from '#app/tools/lab/connect.ts';
import { labOf } from './lab.ts';
import { UseError } from '#rules/useError.ts';
import { help, optionsOf, type Options } from './options.ts';
import { hasFailed, jsonReport, junitReport, type Part, type Run } from './reports.ts';
import { startConsole } from './start.ts';
import { visitLive, visitSandbox } from './visits.ts';

/** Where the command prints: progress, and errors in its use. */
export interface Output {
  print: (line: string) => void;
  complain: (line: string) => void;
}

interface Place {
  /** The folder of the built console. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Ends the run early; its reason is an error. What the run has set or started is undone nevertheless. */
  interrupted?: AbortSignal;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const signs = { done: 'done   ', failed: 'FAILED ', skipped: 'skipped' } as const;

function lineOf({ journey, end, because, ms }: Walked): string {
  const name = `${nameOf(journey)} (${journey})`;
  return `${signs[end]} ${name}${end === 'skipped' ? '' : `, ${seconds(ms)}`}${because && `: ${because}`}`;
}

async function walksIn(file: string): Promise<Walk[]> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UseError(`--values ${file} cannot be read: ${(error as Error).message}.`); // fs rejects with errors
  });
  try {
    return parseWalks(decodeText(bytes, `--values ${file}`));
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new UseError(`${(error as Error).message}.`); // of decodeText
  }
}

const hasOwnValues = ({ values, choices }: Walk) => [values, choices].some((given) => Object.keys(given).length > 0);

/** The journeys to run; null for the whole path. Takes the values of a `--journey` without any from the file if it contains them. */
async function walksOf({ journeys, values }: Options): Promise<Walk[] | null> {
  const filed = values ? await walksIn(values) : null;
  if (journeys.length === 0) return filed;
  return journeys.map(
    (walk) => (hasOwnValues(walk) ? undefined : filed?.find(({ journey }) => journey === walk.journey)) ?? walk,
  );
}

/** The headers of each request. Throws UseError. */
function headersOf({ CONSOLE_COOKIE: cookie }: Place['env']): Server['headers'] {
  if (!cookie) return {};
  try {
    new Headers({ cookie });
  } catch {
    throw new UseError('CONSOLE_COOKIE is not a cookie: give the one of a session, name=value, in one line.');
  }
  return { cookie };
}

const reportsOf = ({ junit, json }: Options) =>
  Object.entries({ junit, json })
    .filter(([, path]) => path !== '')
    .map(([option, path]) => ({ option, path, name: `--${option} ${path}` }));

/** Throws UnwrittenError if a report cannot be written, before the run starts. */
async function checkReports(options: Options): Promise<void> {
  for (const { name, path } of reportsOf(options)) await checkReport(name, path);
}

/** Throws a UseError if the address is not a console's, or its console does not admit this command. */
async function checkServer({ origin, headers }: Server): Promise<void> {
  const answer = await fetch(`${origin}${calls.getSettings.path}`, { headers }).catch((error: unknown) => {
    const { message = '', code = '' } = ((error as Error).cause ?? {}) as Partial<NodeJS.ErrnoException>; // fetch rejects with errors
    const why = message || code; // if several addresses fail, only the code is set
    throw new UseError(`No console answers at ${origin}${why && `: ${why}`}.`);
  });
  if (answer.status === 401)
    throw new UseError(
      `The console at ${origin} has its users sign in: set CONSOLE_COOKIE to the cookie of a session, name=value.`,
    );
  const settings: unknown = await answer.json().catch(() => null);
  if (!answer.ok || typeof settings !== 'object' || settings === null || !('providerCountry' in settings))
    throw new UseError(`What answers at ${origin} is not a console: it has no ${calls.getSettings.path}.`);
}

interface Walking {
  walker: ReturnType<typeof createWalker>;
  options: Options;
  output: Output;
  server: Server;
}

/** The fault lab of the console's sandbox. Throws UseError if there is none; `asked` is the option that needs it. */
async function labFor({ walker, server: { origin, headers } }: Walking, asked: string) {
  const { environment, sandbox } = await walker.facts();
  if (environment === 'live' || !sandbox)
    throw new UseError(`${asked} is for the sandbox; this console uses a live service.`);
  return labOf(sandbox.url, { address: origin + sandboxHomePath, headers });
}

async function walkPath(walking: Walking, walks: Walk[] | null): Promise<Part> {
  const { walker, options, output } = walking;
  const { retries, faults } = options;
  const lab = faults.length > 0 ? await labFor(walking, '--fault') : null;
  const set: string[] = [];
  try {
    for (const rule of faults) if (lab) set.push((await lab.set(rule)).ruleId);
    const journeys = walks ? await walker.all(walks, { retries }) : await walker.guided({ retries });
    if (journeys.length === 0) output.print('All of the guided path is done already.');
    for (const each of journeys) if (each.end === 'skipped') output.print(lineOf(each));
    return { scenario: null, journeys };
  } finally {
    for (const ruleId of set) await lab?.remove(ruleId);
  }
}

async function walkScenario(walking: Walking, scenario: Scenario): Promise<Part> {
  const { walker, output } = walking;
  const { id, name } = scenario;
  output.print(`${name} (${id})`);
  const { walked, because } = await rehearse(scenario, walker, await labFor(walking, '--scenario'), restore);
  output.print(because ? `FAILED  ${name}: ${because}` : `right   ${name}: ${scenario.shows}`);
  return { scenario: { id, name, because }, journeys: walked };
}

async function partsOf(walking: Walking, walks: Walk[] | null): Promise<Part[]> {
  const chosen = scenarios.filter(({ id }) => walking.options.scenarios.includes(id));
  if (chosen.length === 0) return [await walkPath(walking, walks)];
  const parts: Part[] = [];
  for (const scenario of chosen) parts.push(await walkScenario(walking, scenario));
  return parts;
}

/** Writes the reports. One that cannot be written is a complaint: what the run came to decides the exit code. */
async function report(options: Options, run: Run, { complain }: Output): Promise<void> {
  for (const { option, path, name } of reportsOf(options))
    await writeReport(name, path, maskSecrets(option === 'junit' ? junitReport(run) : jsonReport(run))).catch(
      (error: unknown) => complain(`${(error as Error).message}.`), // an UnwrittenError
    );
}

function walkerOn(connected: Connected, output: Output, signal: AbortSignal) {
  const live = () => connected.actor.getSnapshot().context.facts?.environment === 'live';
  return createWalker(
    connected.actor,
    {
      ...connected,
      visit: (visit) => (live() ? visitLive(visit, output.print) : visitSandbox(visit, connected.reload)),
      patient: false,
      now: () => performance.now(),
      tell: (told) => 'ended' in told && output.print(lineOf(told.ended)),
    },
    signal,
  );
}

async function runWith(options: Options, { root, env, interrupted }: Place, output: Output): Promise<boolean> {
  const walks = await walksOf(options);
  const headers = headersOf(env);
  await checkReports(options);
  const started = options.console ? null : await startConsole(root, interrupted);
  const server: Server = { origin: started?.origin ?? options.console, headers };
  try {
    await checkServer(server);
    const [startedAt, begun, usage] = [new Date().toISOString(), performance.now(), process.cpuUsage()];
    const connected = await connect(server);
    const timeout = options.timeout > 0 ? [AbortSignal.timeout(options.timeout)] : [];
    const signal = AbortSignal.any([...timeout, ...(interrupted ? [interrupted] : [])]);
    try {
      const walker = walkerOn(connected, output, signal);
      const parts = await partsOf({ walker, options, output, server }, walks).finally(() => walker.stop());
      const { user, system } = process.cpuUsage(usage);
      const run: Run = {
        console: server.origin,
        environment: connected.actor.getSnapshot().context.facts?.environment ?? '',
        startedAt,
        ms: performance.now() - begun,
        waited: parts.flatMap(({ journeys }) => journeys).reduce((sum, { waited }) => sum + waited, 0),
        cpu: (user + system) / 1000,
        parts,
      };
      await report(options, run, output);
      const failed = hasFailed(run);
      const of = `${seconds(run.ms)}, of which ${seconds(run.waited)} waiting for polls; CPU time ${seconds(run.cpu)}`;
      output.print(`${failed ? 'Failed' : 'All done'} in ${of}`);
      return !failed;
    } finally {
      connected.end();
    }
  } finally {
    await started?.stop();
  }
}

/** Runs the command with these arguments; resolves to its exit code (see `help`). */
export async function main(args: readonly string[], place: Place, to: Output): Promise<number> {
  const output: Output = {
    print: (line) => to.print(printableLine(line)),
    // What a console that did not start has printed has lines.
    complain: (line) => to.complain(printable(line)),
  };
  try {
    const options = optionsOf(args);
    if (!options.help) return (await runWith(options, place, output)) ? 0 : 1;
    help.split('\n').forEach(output.print);
    return 0;
  } catch (error) {
    const isUse = error instanceof UseError || error instanceof FileError;
    // If the signal also ended the console, the error is a consequence of it.
    const { message } = (place.interrupted?.aborted ? place.interrupted.reason : error) as Error; // only errors are thrown
    const isUnwritten = error instanceof UnwrittenError;
    output.complain(isUse ? error.message : isUnwritten ? `${message}.` : `The run has ended early: ${message}`);
    return isUse || isUnwritten ? 2 : 1;
  }
}
