import { parseArgs } from 'node:util';
import { checks } from '#server/programs/checks/index.ts';
import type { Check } from '#server/programs/checks/evidence.ts';
import { meant } from '#server/similarNames.ts';
import { checksAt, scenariosAt, unjudgedAt } from './against/judged.ts';
import type { Mapping } from './against/mapping.ts';
import { scenarios as allScenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { version } from '#server/version.ts';
import { emptyConfig, type VerifyConfig } from './config.ts';
import { UseError } from '#rules/useError.ts';

export interface Options {
  /** The options as they were given. */
  own: readonly string[];
  /** The program and its arguments. */
  command: readonly string[];
  help: boolean;
  list: boolean;
  scenarios: readonly Scenario[];
  /** Ids of the checks that are reported. */
  checks: readonly string[];
  /** All checks, as they judge. */
  judges: readonly Check[];
  /** Another service than the sandbox. */
  mapping: Mapping | undefined;
  /** Checks that cannot be judged at this service, each with the reason. */
  unjudged: Readonly<Partial<Record<string, string>>>;
  /** How many scenarios this service has. */
  all: number;
  /** Paths of the reports; the ending says in which form. */
  reports: readonly string[];
  /** The folder that keeps what was recorded; '' for none. */
  keep: string;
  /** The data folder of the console that shows the verdict; '' for the usual one. */
  data: string;
  seed: number;
  /** Whether the program is a service, which does not end by itself. */
  isService: boolean;
  /** Variables of the program, besides those of the command line and of the scenario. */
  env: Readonly<Record<string, string>>;
  /** Ids of the checks that must be exercised. */
  required: readonly string[];
  /** Checks that may fail, each with its reason. */
  allowed: Readonly<Partial<Record<string, string>>>;
  /** Time (ms) after which a run of the program is ended. */
  limit: number;
  /** Number of scenarios that run at the same time. */
  parallel: number;
  /** How often each scenario is run, each time with other invoices. */
  repetitions: number;
  /** Whether the first scenario in which a check fails ends the verification. */
  failsFast: boolean;
  /** The port on which the program listens for webhooks; 0 for a free one in each scenario. */
  webhookPort: number;
}

const options = {
  help: { type: 'boolean', short: 'h' },
  list: { type: 'boolean' },
  only: { type: 'string', multiple: true },
  report: { type: 'string', multiple: true },
  keep: { type: 'string' },
  data: { type: 'string' },
  seed: { type: 'string' },
  service: { type: 'boolean' },
  'repeated-invoices': { type: 'boolean' },
  against: { type: 'string' },
  require: { type: 'string', multiple: true },
  'fail-on-not-exercised': { type: 'boolean' },
  config: { type: 'string' },
  timeout: { type: 'string' },
  parallel: { type: 'string' },
  repeat: { type: 'string' },
  'fail-fast': { type: 'boolean' },
  'webhook-port': { type: 'string' },
} as const;

export const help = `Runs a program that pays invoices in situations in which payments go wrong, and judges what it does.

  node <folder of the console>/scripts/verify.mjs [options] -- <command>
  npx ./payments-out-console-${version}.tgz verify [options] -- <command>

Example: node ../console/scripts/verify.mjs -- node pay.mjs

Each situation has a fresh sandbox. The program finds addresses, credentials and the file of invoices in environment
variables that begin with PAYMENTS_ (docs/verify.md).

  --only IDS         only these scenarios or checks, separated by commas; may be given several times
  --list             print scenarios and checks, and run nothing
  --report FILE      write a report: FILE ends with .xml (JUnit), .json or .html; may be given several times
  --keep FOLDER      keep calls (HAR), timeline, output and files of each scenario
  --data FOLDER      the data folder of the console whose page "Your app" shows the verdict
  --seed N           make the ids of invoices with this number; otherwise each verification has ids of its own
  --service          the program is a service: end it by SIGTERM once its result names all invoices
  --repeated-invoices
                     the program's files may repeat invoices of earlier ones: verify that these are paid once
  --against FILE     pay through another service, which this mapping describes, instead of the sandbox
  --require CHECKS   fail if one of these checks is not exercised; may be given several times
  --fail-on-not-exercised
                     fail if any check is not exercised
  --config FILE      read options from this file instead of verify.json
  --timeout SECONDS  end a run of the program after this time (60)
  --parallel N       run so many scenarios at the same time (8)
  --repeat N         run each scenario N times, each time with other invoices
  --fail-fast        end as soon as a check has failed
  --webhook-port N   give the program this port for webhooks; the scenarios then run one after another
  --help             print this

Exit status: 0 no check failed, and those that are required were exercised; 1 otherwise; 2 the verification could not be
run. A file verify.json in the current folder can name the command, its environment, the required checks and those that
may fail.
`;

/** Options that a run of single scenarios does not repeat. */
const ownRun = ['--only', '--seed', '--report', '--keep', '--data', '--repeat', '--fail-fast'];

/** Returns the options that a later run of single scenarios repeats, such as `--service`. */
export function repeatedOptions(own: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < own.length; index += 1) {
    const option = own[index] ?? '';
    const [name = ''] = option.split('=');
    const values = option === name && takesValue(name) ? own.slice(index + 1, index + 2) : [];
    if (!ownRun.includes(name)) kept.push(option, ...values);
    index += values.length;
  }
  return kept;
}

/** How many seeds there are: numbers of five digits to the base of 36. */
export const seeds = 36 ** 5;

const takesValue = (name: string): boolean =>
  Object.entries(options).some(([option, { type }]) => `--${option}` === name && type === 'string');

/** Splits the arguments into those of the command line and the program's: from `--`, or from the first that is no option. */
function split(args: readonly string[]): [own: readonly string[], command: readonly string[]] {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') return [args.slice(0, index), args.slice(index + 1)];
    if (!arg.startsWith('-')) return [args.slice(0, index), args.slice(index)];
    if (takesValue(arg)) index += 1;
  }
  return [args, []];
}

function numberOption(
  name: string,
  text: string | undefined,
  usual: number,
  [least, most]: readonly [number, number],
): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
    throw new UseError(`--${name} ${text} is not possible: give a whole number from ${least} to ${most}.`);
  return value;
}

/** Throws UseError if a check that is asked for cannot be judged at the service. */
function requireJudged(option: string, id: string, unjudged: Options['unjudged']): void {
  const reason = unjudged[id];
  if (reason !== undefined) throw new UseError(`${option} ${id} cannot be judged at another service: ${reason}.`);
}

/**
 * The scenarios and checks that ids name, or else the usual scenarios and all checks. A check is exercised by all usual
 * scenarios that are for it.
 */
function chosen(
  given: readonly string[],
  { scenarios, usual }: Readonly<Record<'scenarios' | 'usual', readonly Scenario[]>>,
  unjudged: Options['unjudged'],
): Pick<Options, 'scenarios' | 'checks'> {
  const all = checks.map(({ id }) => id);
  const lists = given.map((each) => each.split(',').flatMap((id) => id.trim() || []));
  if (lists.some((list) => list.length === 0))
    throw new UseError('--only has no value: give scenarios or checks, which --list names, or leave it out.');
  const ids = lists.flat();
  if (ids.length === 0) return { scenarios: usual, checks: all };
  const known = [...allScenarios.map(({ id }) => id), ...all];
  const wrong = ids.find((id) => !known.includes(id));
  if (wrong !== undefined)
    throw new UseError(`--only ${wrong} is neither a scenario nor a check: --list names them.${meant(wrong, known)}`);
  for (const id of ids) requireJudged('--only', id, unjudged);
  const impossible = ids.find((id) => !all.includes(id) && !scenarios.some((scenario) => scenario.id === id));
  if (impossible !== undefined)
    throw new UseError(`--only ${impossible} is a scenario of the sandbox: without --against it can be run.`);
  const named = ids.filter((id) => all.includes(id));
  const isFor = (scenario: Scenario) =>
    ids.includes(scenario.id) ||
    (usual.includes(scenario) && scenario.checks.some((id) => named.includes(id))) ||
    (scenario.id === 'works' && named.length > 0);
  return { scenarios: scenarios.filter(isFor), checks: ids.some((id) => !all.includes(id)) ? all : named };
}

function folderOption(name: string, folder: string | undefined): string {
  if (folder?.trim() === '') throw new UseError(`--${name} has no value: give a folder, or leave it out.`);
  return folder ?? '';
}

const reportKinds = ['.xml', '.json', '.html'];

/** Returns the options that name files, so that these can be read. Throws UseError. */
export function fileOptions(args: readonly string[]): { config: string | undefined; against: string | undefined } {
  const { config, against } = valuesOf(split(args)[0]);
  return { config, against };
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // parseArgs throws errors with codes
    const [, given = ''] = /'(--?[^' ]*)/.exec(message) ?? [];
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const names = Object.keys(options).map((name) => `--${name}`);
      throw new UseError(`${given} is no option: --help lists them.${meant(given, names)}`);
    }
    if (takesValue(given)) throw new UseError(`${given} has no value: --help says what it takes.`);
    throw new UseError(`${message.replace(/\.$/, '')}. --help lists the options.`);
  }
}

/** Returns the ids of the checks that must be exercised, by the command line and the file. Throws UseError. */
function requiredChecks(
  given: readonly string[],
  isAll: boolean,
  { require, failOnNotExercised }: VerifyConfig,
  { checks: judged, unjudged }: Pick<Options, 'checks' | 'unjudged'>,
): readonly string[] {
  const all = checks.map(({ id }) => id);
  const named = given.flatMap((each) => each.split(',').flatMap((id) => id.trim() || []));
  const unknown = named.find((id) => !all.includes(id));
  if (unknown !== undefined)
    throw new UseError(`--require ${unknown} is no check: --list names them.${meant(unknown, all)}`);
  const excluded = named.find((id) => !judged.includes(id));
  if (excluded !== undefined)
    throw new UseError(`--require ${excluded} is excluded by --only: name it there as well, or leave out --only.`);
  for (const id of [...require, ...named]) requireJudged('--require', id, unjudged);
  return isAll || failOnNotExercised ? all.filter((id) => unjudged[id] === undefined) : [...require, ...named];
}

/** Reads the arguments; `newSeed` is taken if none is given. Throws UseError. */
export function optionsOf(
  args: readonly string[],
  newSeed: number,
  config: VerifyConfig = emptyConfig,
  mapping?: Mapping,
): Options {
  const [own, given] = split(args);
  const values = valuesOf(own);
  const command = given.length > 0 ? given : (config.command ?? []);
  const reports = values.report ?? [];
  const wrong = reports.find((path) => !reportKinds.some((kind) => path.endsWith(kind)));
  if (wrong !== undefined)
    throw new UseError(`--report ${wrong} is not possible: the name ends with ${reportKinds.join(', ')}.`);
  const [isHelp, isList] = [values.help ?? false, values.list ?? false];
  if (!command[0]?.trim() && !isHelp && !isList)
    throw new UseError('The program is missing: give its command, such as verify -- node pay.mjs.');
  const scenarios = mapping ? scenariosAt(mapping) : allScenarios;
  const unjudged = mapping ? unjudgedAt(mapping) : {};
  const webhookPort = numberOption('webhook-port', values['webhook-port'], 0, [1, 65_535]);
  const mayRepeat = values['repeated-invoices'] ?? config.repeatedInvoices;
  const usual = scenarios.filter(({ repeats }) => mayRepeat || !repeats);
  const parts = chosen(values.only ?? [], { scenarios, usual }, unjudged);
  return {
    own,
    command,
    help: isHelp,
    list: isList,
    reports,
    webhookPort,
    ...parts,
    mapping,
    unjudged,
    judges: mapping ? checksAt(mapping) : checks,
    all: usual.length,
    isService: values.service ?? config.service,
    env: config.env,
    allowed: config.allowedToFail,
    required: requiredChecks(values.require ?? [], values['fail-on-not-exercised'] ?? false, config, {
      unjudged,
      checks: parts.checks,
    }),
    keep: folderOption('keep', values.keep),
    data: folderOption('data', values.data),
    seed: numberOption('seed', values.seed, newSeed, [0, seeds - 1]),
    limit: numberOption('timeout', values.timeout, 60, [1, 3600]) * 1000,
    repetitions: numberOption('repeat', values.repeat, 1, [1, 1000]),
    failsFast: values['fail-fast'] ?? false,
    parallel: webhookPort > 0 ? 1 : numberOption('parallel', values.parallel, 8, [1, 50]),
  };
}
