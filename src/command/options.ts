import { shapeError } from '#contract/shapeError.ts';
import { parseArgs } from 'node:util';
import { faultKinds, faultPlaces, type FaultTarget } from '#contract/faults.ts';
import { faultRuleSchema, type FaultRule } from '#contract/controlShapes.ts';
import { own } from '#contract/member.ts';
import { journeyOrder, journeys, type JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#runner/actions.ts';
import { UseError } from '#rules/useError.ts';
import { plain, walkAt } from '#runner/file.ts';
import { scenarios } from '#runner/scenarios.ts';

export interface Options {
  help: boolean;
  /** The address of a running console without a trailing slash; '' starts a new one. */
  console: string;
  /** The journeys to run, with values if they were given; empty for the whole path, or for those of the file. */
  journeys: readonly Walk[];
  /** The path of a file of journeys; '' for none. */
  values: string;
  faults: readonly FaultRule[];
  /** Ids of scenarios; empty for none. */
  scenarios: readonly string[];
  /** Paths of the reports; '' for none. */
  junit: string;
  json: string;
  retries: number;
  /** Maximum duration of the run in ms. */
  timeout: number;
}

const options = {
  help: { type: 'boolean', short: 'h' },
  console: { type: 'string' },
  journey: { type: 'string', multiple: true },
  values: { type: 'string' },
  fault: { type: 'string', multiple: true },
  scenario: { type: 'string', multiple: true },
  junit: { type: 'string' },
  json: { type: 'string' },
  retries: { type: 'string' },
  timeout: { type: 'string' },
} as const;

export const help = `Runs the journeys of the console without a screen.

  npm run journey -- [options]

Without options it starts a console on its own sandbox, in a folder of its own that is removed afterwards, and runs the
whole guided path with the rules' examples.

  --console URL      run against a running console, such as http://127.0.0.1:3000; what is done already is not done
                     again. Where users sign in, the environment variable CONSOLE_COOKIE is the cookie of a session
  --journey ID       run this journey only; may be given several times, in their order. In place of an id, an entry of a
                     file of journeys: '{"journey": "company", "values": {"name": "Paper mill"}}'
  --values FILE      take values from a file as the page exports it; without --journey, its journeys are run in its order
  --fault RULE       set a fault of the sandbox before, and take it back afterwards: createBatch:answerLost,
                     webhook.any:duplicate, createBatch:status,status=500,times=2, or a rule as JSON (docs/sandbox.md)
  --scenario ID      rehearse a scenario, or all of them: "all"
  --retries N        try a failure again so many times in each journey (0); a question whether to
                     create another one counts as one
  --timeout SECONDS  end after this time (120; without an end on a live service)
  --junit FILE       write a JUnit report
  --json FILE        write a report as JSON
  --help             print this

Exit code: 0 all done; 1 a journey or a scenario failed, or the run was ended; 2 wrong use, or no console to run against.

Journeys: ${journeyOrder.join(', ')}

Scenarios:
${scenarios.map(({ id, name }) => `  ${id.padEnd(18)} ${name}`).join('\n')}
`;

const targets = Object.keys(faultKinds) as FaultTarget[]; // its own keys

/** Parses the short form of a fault: `[on.]of:kind[,option=value…]`. */
function shortRule(text: string): unknown {
  const [, on, of = '', kind = '', rest = ''] = /^(?:([a-z]+)\.)?(\w+):(\w+)((?:,\w+=[^,]*)*)$/.exec(text) ?? [];
  if (kind === '')
    throw new UseError(`--fault ${text} is not a rule: give one such as createBatch:answerLost, or JSON.`);
  const fits = targets.filter(
    (each) =>
      (on === undefined || on === each) &&
      Object.hasOwn(faultKinds[each], kind) &&
      (of === 'any' || (faultPlaces[each] as readonly string[]).includes(of)),
  );
  const [target, ...others] = fits;
  if (!target)
    throw new UseError(
      `--fault ${text}: nothing named ${of} has the fault ${kind}; docs/sandbox.md lists what there is.`,
    );
  if (others.length > 0) throw new UseError(`--fault ${text} may mean ${fits.join(' or ')}: give ${target}.${text}.`);
  const given = rest
    .split(',')
    .slice(1)
    .map((each) => each.split(/=(.*)/s).slice(0, 2) as [string, string]) // ensured by the pattern
    .map(([name, value]) => [name, value !== '' && Number.isFinite(Number(value)) ? Number(value) : value] as const);
  const ofRule = ['times', 'probability', 'seed'];
  return {
    on: target,
    of,
    fault: { kind, ...Object.fromEntries(given.filter(([name]) => !ofRule.includes(name))) },
    ...Object.fromEntries(given.filter(([name]) => ofRule.includes(name))),
  };
}

function jsonIn(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UseError(`--${option} ${text} is not JSON: ${(error as Error).message}.`); // JSON.parse throws errors
  }
}

/** Reads a rule of the fault lab, in the short form or as JSON. Throws UseError. */
function faultOf(text: string): FaultRule {
  const parsed = faultRuleSchema.safeParse(text.startsWith('{') ? jsonIn('fault', text) : shortRule(text), {
    error: shapeError,
  });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: give ${message}`);
  throw new UseError(`--fault ${text} is not a rule: ${issues.join('; ')}.`);
}

/** Reads a journey: an id, or an entry of a file of journeys. Throws UseError or FileError. */
function journeyOption(text: string): Walk {
  if (text.trimStart().startsWith('{')) return walkAt('--journey', jsonIn('journey', text));
  if (Object.hasOwn(journeys, text)) return plain(text as JourneyId); // a key of the table
  throw new UseError(`--journey ${text} is not a journey: there are ${journeyOrder.join(', ')}.`);
}

function scenarioIds(given: readonly string[]): string[] {
  const known = scenarios.map(({ id }) => id);
  const wrong = given.find((id) => id !== 'all' && !known.includes(id));
  if (wrong !== undefined)
    throw new UseError(`--scenario ${wrong} is not a scenario: there are ${known.join(', ')}, all.`);
  return given.includes('all') ? known : [...given];
}

/** The maximum of a timer, in s. */
const longestTimeout = Math.floor((2 ** 31 - 1) / 1000);

function numberOption(
  name: string,
  text: string | undefined,
  [usual, least, most]: readonly [usual: number, least: number, most?: number],
): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > (most ?? value))
    throw new UseError(
      `--${name} ${text} is not possible: give a whole number from ${least}${most === undefined ? '' : ` to ${most}`}.`,
    );
  return value;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw new UseError(`--console ${text} is not an address: give one such as http://127.0.0.1:3000.`);
}

/** A path that is given; '' for none. */
function pathOption(name: string, path: string | undefined): string {
  if (path?.trim() === '') throw new UseError(`--${name} has no value: give a file, or leave it out.`);
  return path ?? '';
}

/** Reads the arguments of the command. Throws UseError. */
export function optionsOf(args: readonly string[]): Options {
  let values;
  try {
    ({ values } = parseArgs({ args: [...args], options, strict: true }));
  } catch (error) {
    throw new UseError(`${(error as Error).message} --help lists the options.`); // parseArgs throws errors
  }
  const scenario = scenarioIds(values.scenario ?? []);
  const one = ['journey', 'values', 'fault'].find((name) => own(values, name));
  if (scenario.length > 0 && one)
    throw new UseError(`--scenario has journeys and faults of its own: leave out --${one}.`);
  return {
    help: values.help ?? false,
    console: values.console === undefined ? '' : originOf(values.console),
    journeys: (values.journey ?? []).map(journeyOption),
    values: pathOption('values', values.values),
    faults: (values.fault ?? []).map(faultOf),
    scenarios: scenario,
    junit: pathOption('junit', values.junit),
    json: pathOption('json', values.json),
    retries: numberOption('retries', values.retries, [0, 0]),
    timeout: numberOption('timeout', values.timeout, [0, 1, longestTimeout]) * 1000,
  };
}
