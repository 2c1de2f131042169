import { counted } from '#rules/counted.ts';
import { programClaims } from '#server/programs/checks/claims.ts';
import { combined, judgeAll } from '#server/programs/checks/index.ts';
import type { Check, Evidence, Finding, Verdict } from '#server/programs/checks/evidence.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { dayIn } from './minuteEnd.ts';
import type { Options } from './options.ts';
import type { Observed } from './runScenario.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { excusable } from './standstill.ts';

/** A scenario that was run, with what each check says about it. */
export interface Judged extends Observed {
  scenario: Scenario;
  /** By which its invoices were made. */
  seed: number;
  verdicts: readonly { check: Check; verdict: Verdict }[];
  /** How long (ms) the machine stood still when the scenario was run first; absent if this is the first time. */
  before?: number;
}

/** What shows a mistake, with the scenario in which it was seen. */
export interface SeenIn extends Finding {
  scenario: string;
  seed: number;
  /** The first calls that show it, each with what it was, such as `3 POST /v3/batchpayments 201`; empty if none does. */
  shown: readonly string[];
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The maximum number of calls that are named of a finding. */
const mostNamed = 5;

/** What became of a call, in a word. */
export const endedWith = ({ status, fault }: RecordedCall): string =>
  `${status === 0 ? 'no response' : status}${fault === undefined ? '' : ` (${fault})`}`;

/** Returns the calls with these numbers, each with what it was; the others are counted. */
function namedCalls({ calls }: Evidence, numbers: readonly number[]): string[] {
  const unique = [...new Set(numbers)];
  const named = unique.slice(0, mostNamed).map((number) => {
    const call = calls.find((each) => each.number === number);
    return call ? `${number} ${call.method} ${call.path} ${endedWith(call)}` : String(number);
  });
  return unique.length > mostNamed ? [...named, `and ${unique.length - mostNamed} more`] : named;
}

/** What a check says about all scenarios. */
export interface Outcome {
  check: Check;
  verdict: Verdict['verdict'];
  seen: readonly SeenIn[];
  /** Why it may fail; undefined if it may not. */
  isAllowed: string | undefined;
  /** Whether it has to be exercised. */
  isRequired: boolean;
  /** Ids of the scenarios that exercised it. */
  exercisedBy: readonly string[];
  /** Why it cannot be judged at this service, or on this machine; undefined if it can. */
  unjudged: string | undefined;
}

/** A whole verification; times in ms. */
export interface Verification {
  command: readonly string[];
  /** The options that a later run of single scenarios repeats. */
  options: readonly string[];
  seed: number;
  /** How often each scenario was run. */
  repetitions: number;
  /** ISO time. */
  startedAt: string;
  ms: number;
  scenarios: readonly Judged[];
  outcomes: readonly Outcome[];
}

/** Whether a check fails the verification: it failed and may not, or was not exercised and has to be. */
export const isFatal = ({ verdict, isAllowed, isRequired }: Outcome): boolean =>
  verdict === 'failed' ? isAllowed === undefined : verdict === 'not exercised' && isRequired;

export const hasFailed = ({ outcomes }: Pick<Verification, 'outcomes'>): boolean => outcomes.some(isFatal);

/** Says how long the machine stood still, and how many scenarios were run again for it; '' if it did not. */
export function standstillOf(all: readonly Judged[]): string {
  const longest = Math.max(0, ...all.flatMap(({ stoodStill = 0, before = 0 }) => [stoodStill, before]));
  const again = all.filter(({ before }) => before !== undefined).length;
  return longest === 0
    ? ''
    : `; the machine stood still for up to ${seconds(longest)}${again > 0 ? `, ${counted(again, 'scenario')} ran again` : ''}`;
}

/** Counts the checks by what became of them, in words. */
export function countsOf({ outcomes }: Pick<Verification, 'outcomes'>): string {
  const count = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length;
  const [failed, passed] = (['failed', 'passed'] as const).map((each) => count(({ verdict }) => verdict === each));
  const isUntried = ({ verdict, unjudged }: Outcome) => verdict === 'not exercised' && unjudged === undefined;
  const allowed = count(({ verdict, isAllowed }) => verdict === 'failed' && isAllowed !== undefined);
  const required = count((each) => isUntried(each) && each.isRequired);
  const unjudged = count((each) => each.unjudged !== undefined);
  return [
    `${failed} failed${allowed > 0 ? ` (${allowed} allowed)` : ''}`,
    `${passed} passed`,
    `${count(isUntried)} not exercised${required > 0 ? ` (${required} required)` : ''}`,
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
  ].join(', ');
}

/** Judges a scenario. `works`: whether the program pays all invoices when nothing fails. */
export function judged(
  scenario: Scenario,
  observed: Observed,
  works: boolean,
  { seed = 0, judges }: { seed?: number; judges?: readonly Check[] } = {},
): Judged {
  const evidence: Evidence = { ...observed.evidence, works: works && observed.evidence.works };
  const verdicts = judgeAll(evidence, judges);
  const { stoodStill = 0 } = observed;
  const because = `The machine stood still for ${seconds(stoodStill)} in ${scenario.id}`;
  const excused = verdicts.map((each) =>
    stoodStill > 0 && excusable.includes(each.check.id) && each.verdict.verdict !== 'not exercised'
      ? { ...each, verdict: { verdict: 'not exercised', because } as const }
      : each,
  );
  return { ...observed, evidence, scenario, seed, verdicts: excused };
}

/** Whether a scenario is to be run once more: the machine stood still, and has excused all that failed. */
export const isToRepeat = ({ stoodStill = 0, verdicts }: Pick<Judged, 'stoodStill' | 'verdicts'>): boolean =>
  stoodStill > 0 && verdicts.every(({ verdict }) => verdict.verdict !== 'failed');

/** Whether the program paid in the scenario in which nothing fails, and said so. */
export const worksIn = ({ verdicts }: Pick<Judged, 'verdicts'>): boolean =>
  verdicts.every(
    ({ check, verdict }) =>
      !['write-paid', 'truth-paid', 'truth-failed', 'truth-unknown'].includes(check.id) || verdict.verdict !== 'failed',
  );

/** The day of a batch by the call that creates it; '' for another call, or without one. */
const dayOf = ({ operation, body }: RecordedCall): string => (operation === 'createBatch' && dayIn(body)) || '';

/** Returns what fails nothing, and whoever relies on the verdict has to know, in sentences. */
export function warningsOf(all: readonly Judged[]): string[] {
  // Where a local day ends, it may be one to come in UTC.
  const days = all.flatMap(({ scenario, evidence: { calls } }) =>
    calls.flatMap((call) =>
      call.isDone && !scenario.dayEnds && dayOf(call) > new Date(call.at).toISOString().slice(0, 10)
        ? [dayOf(call)]
        : [],
    ),
  );
  const claims = all.flatMap(({ evidence }) => programClaims(evidence));
  const hasReturns = all.some(({ evidence: { batches } }) =>
    batches.some(({ payments }) => payments.some(({ returned }) => returned)),
  );
  const isUntried = all.some(
    ({ isClockLeft, verdicts }) => isClockLeft && verdicts.every(({ verdict }) => verdict.verdict !== 'failed'),
  );
  return [
    ...(days[0] === undefined
      ? []
      : [
          `The program pays on a day to come (requestedExecutionDateTime ${days[0]}): before that day nothing is paid. Its batches were carried out as if the day had come.`,
        ]),
    ...(isUntried
      ? [
          'The program makes its keys from the invoices, and its value date did not follow the clock that verify set on: no scenario shows whether the keys also contain the day, or the hour, in UTC. If they do, and are made anew in each run, a run on the next day pays again; keys that are stored before the first attempt and taken from there, or that contain no time, are right.',
        ]
      : []),
    ...(hasReturns && claims.every(({ outcome }) => outcome !== 'returned')
      ? [
          'The program says of no invoice that its payment came back: read what was paid again in later runs, and heed the webhooks that name a payment as Returned. Require truth-returned if somebody relies on it.',
        ]
      : []),
    ...(claims.length > 0 && claims.every(({ outcome }) => outcome !== 'paid')
      ? [
          'The program says of no invoice that it is paid: whoever relies on what it says learns of no payment. Require truth-paid if somebody does.',
        ]
      : []),
  ];
}

/** Whether the program has paid a further file, and none that repeats invoices: its verdict does not tell about such files. */
export const leavesRepeats = (all: readonly Judged[]): boolean =>
  all.some(({ scenario }) => scenario.course === 'again') && all.every(({ scenario }) => !scenario.repeats);

/** Returns why a check was judged in no scenario in which its situation arose; undefined if it was, or if it did not arise. */
function whyNot(verdicts: readonly Verdict[]): string | undefined {
  const because = verdicts.flatMap((each) => (each.verdict === 'not exercised' ? (each.because ?? []) : []));
  return combined(verdicts) === 'not exercised' ? because[0] : undefined;
}

/** Combines what the checks say about the scenarios; only the chosen checks. */
export function outcomesOf(
  all: readonly Judged[],
  { checks, required, allowed, unjudged }: Pick<Options, 'checks' | 'required' | 'allowed' | 'unjudged'>,
): Outcome[] {
  const [first] = all;
  const judgedChecks = first?.verdicts.filter(({ check }) => checks.includes(check.id)) ?? [];
  return judgedChecks.map(({ check }) => {
    const found = all.flatMap(({ scenario, seed, evidence, verdicts }) =>
      verdicts
        .filter((each) => each.check === check)
        .map(({ verdict }) => ({ scenario: scenario.id, seed, evidence, verdict })),
    );
    return {
      check,
      isAllowed: allowed[check.id],
      isRequired: required.includes(check.id),
      verdict: combined(found.map(({ verdict }) => verdict)),
      seen: found.flatMap(({ scenario, seed, evidence, verdict }) =>
        verdict.verdict === 'failed'
          ? verdict.seen.map((each) => ({ ...each, scenario, seed, shown: namedCalls(evidence, each.calls) }))
          : [],
      ),
      unjudged: unjudged[check.id] ?? whyNot(found.map(({ verdict }) => verdict)),
      exercisedBy: [
        ...new Set(found.flatMap(({ scenario, verdict }) => (verdict.verdict === 'not exercised' ? [] : [scenario]))),
      ],
    };
  });
}
