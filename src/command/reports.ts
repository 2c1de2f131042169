import { failureOf } from '#machines/lib/effect.ts';
import { nameOf } from '#machines/journeys.ts';
import { junitXml, type JunitCase } from '#rules/junit.ts';
import { printableJson } from '#rules/printable.ts';
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
  return printableJson(`${JSON.stringify(report, null, 2)}\n`);
}

function journeyCase({ journey, end, because, ms, states }: Walked, expected: boolean): JunitCase {
  const name = `${journey}: ${nameOf(journey)}`;
  if (end === 'skipped') return { name, ms: 0, skipped: because };
  const path = states.join(' -> ');
  if (end === 'failed' && !expected) return { name, ms, failure: { message: because, text: path } };
  return { name, ms, output: path };
}

/**
 * The report in JUnit's format: a suite for each part, a test case for each journey and one for the check of a
 * scenario. A journey that fails within a scenario does not count as a failure: the scenario provokes it.
 */
export function junitReport({ parts, ms, startedAt }: Run): string {
  const suites = parts.map(({ scenario, journeys }) => {
    const cases = journeys.map((walked) => journeyCase(walked, scenario !== null));
    if (scenario) {
      const { name, because } = scenario;
      cases.push({ name, ms: 0, ...(because && { failure: { message: because, text: '' } }) });
    }
    const time = journeys.reduce((sum, each) => sum + each.ms, 0);
    return { name: scenario ? `scenario ${scenario.id}` : 'journeys', ms: time, cases };
  });
  return junitXml('payments-out-journeys', suites, { ms, startedAt });
}
