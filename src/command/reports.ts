import { failureOf } from '#machines/lib/effect.ts';
import { nameOf } from '#machines/journeys.ts';
import type { Walked } from '#runner/runJourney.ts';

/** The result of a scenario besides its journeys: what the console did wrong, '' if nothing. */
interface Rehearsed {
  id: string;
  name: string;
  because: string;
}

/** A part of a run: the journeys of the path, or of one scenario. */
export interface Part {
  scenario: Rehearsed | null;
  journeys: readonly Walked[];
}

/** A whole run; times in ms. */
export interface Run {
  console: string;
  environment: string;
  /** ISO time. */
  startedAt: string;
  ms: number;
  /** The part of `ms` spent waiting for polls and people. */
  waited: number;
  /** CPU time of the command (ms). */
  cpu: number;
  parts: readonly Part[];
}

export const hasFailed = ({ parts }: Pick<Run, 'parts'>): boolean =>
  parts.some(({ scenario, journeys }) =>
    scenario ? scenario.because !== '' : journeys.some(({ end }) => end !== 'done'),
  );

/** The ids in a journey's result; reports contain nothing else of it. */
function madeBy({ result }: Walked): Record<string, string> {
  const entries = Object.entries((result ?? {}) as Record<string, unknown>); // an object, if anything
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => /Id$/.test(entry[0]) && typeof entry[1] === 'string'),
  );
}

const rounded = (ms: number): number => Math.round(ms);

const journeyReport = (walked: Walked) => {
  const { journey, end, ms, waited, states, because, problem } = walked;
  return {
    journey,
    name: nameOf(journey),
    end,
    ms: rounded(ms),
    waited: rounded(waited),
    states,
    ...(because && { because }),
    ...(problem && { problem: failureOf(problem) }),
    made: madeBy(walked),
  };
};

/**
 * The report as JSON: `parts` with their journeys, each with its end, its states, and why it failed. Contains no
 * secrets.
 */
export function jsonReport(run: Run): string {
  const { parts, ...rest } = run;
  const report = {
    kind: 'payments-out-journeys-report',
    version: 1,
    ...rest,
    ms: rounded(run.ms),
    waited: rounded(run.waited),
    cpu: rounded(run.cpu),
    ok: !hasFailed(run),
    parts: parts.map(({ scenario, journeys }) => ({ scenario, journeys: journeys.map(journeyReport) })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 does not allow, lone surrogates included. */
const noXml =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const xml = (text: string): string => text.replace(noXml, '\ufffd').replace(/[&<>"]/g, (each) => escapes[each] ?? '');
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function testCase(name: string, suite: string, ms: number, inside = ''): string {
  const head = `<testcase classname="${xml(suite)}" name="${xml(name)}" time="${seconds(ms)}"`;
  return inside ? `    ${head}>${inside}</testcase>` : `    ${head}/>`;
}

function journeyCase(suite: string, walked: Walked, expected: boolean): string {
  const { journey, end, because, ms, states } = walked;
  const name = `${journey}: ${nameOf(journey)}`;
  if (end === 'skipped') return testCase(name, suite, 0, `<skipped message="${xml(because)}"/>`);
  const passed = `<system-out>${xml(states.join(' -> '))}</system-out>`;
  const failed =
    end === 'failed' && !expected && `<failure message="${xml(because)}">${xml(states.join(' -> '))}</failure>`;
  return testCase(name, suite, ms, failed || passed);
}

/**
 * The report in JUnit's format: a suite for each part, a test case for each journey and one for the check of a
 * scenario. A journey that fails within a scenario does not count as a failure: the scenario provokes it.
 */
export function junitReport({ parts, ms, startedAt }: Run): string {
  const suites = parts.map(({ scenario, journeys }) => {
    const name = scenario ? `scenario ${scenario.id}` : 'journeys';
    const cases = journeys.map((walked) => journeyCase(name, walked, scenario !== null));
    if (scenario)
      cases.push(testCase(scenario.name, name, 0, scenario.because && `<failure message="${xml(scenario.because)}"/>`));
    const count = (part: string) => cases.filter((each) => each.includes(part)).length;
    const time = journeys.reduce((sum, each) => sum + each.ms, 0);
    const head = `<testsuite name="${xml(name)}" tests="${cases.length}" failures="${count('<failure ')}" errors="0" skipped="${count('<skipped ')}" time="${seconds(time)}" timestamp="${startedAt.slice(0, 19)}">`;
    return {
      text: `  ${head}\n${cases.join('\n')}\n  </testsuite>`,
      tests: cases.length,
      failures: count('<failure '),
    };
  });
  const sum = (of: 'tests' | 'failures') => suites.reduce((all, suite) => all + suite[of], 0);
  const head = `<testsuites name="payments-out-journeys" tests="${sum('tests')}" failures="${sum('failures')}" errors="0" time="${seconds(ms)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.map(({ text }) => text).join('\n')}\n</testsuites>\n`;
}
