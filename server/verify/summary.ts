import { maskSecrets } from '#contract/secretShapes.ts';
import { counted } from '#rules/counted.ts';
import { shellWord } from '#server/http/ownCommands.ts';
import { checks } from '#server/programs/checks/index.ts';
import { mendsOf } from '#server/programs/mends.ts';
import { sentenceOf } from './reports.ts';
import { scenarios, scenariosFor } from './scenarios/index.ts';
import { citedFor } from './transcript.ts';
import { unmetIn } from './unmet.ts';
import {
  countsOf,
  leavesRepeats,
  seconds,
  standstillOf,
  warningsOf,
  type Judged,
  type Outcome,
  type Verification,
} from './verification.ts';

/** The maximum number of findings of one check that are printed. */
const mostPrinted = 5;

const idWidth = Math.max(...[...scenarios, ...checks].map(({ id }) => id.length));

/** The line of a scenario that has ended: its number, the time since the beginning, and the checks that failed. */
export function progressLine(
  { scenario, verdicts, ms, before, evidence }: Judged,
  { done, of, elapsed }: { done: number; of: number; elapsed: number },
): string {
  const failed = verdicts.filter(({ verdict }) => verdict.verdict === 'failed').map(({ check }) => check.id);
  const count = `${String(done).padStart(String(of).length)}/${of}`;
  const { of: parts, unmet } = unmetIn(scenario, evidence);
  const arose = unmet.length > 0 ? `, ${parts - unmet.length} of ${counted(parts, 'fault')} arose` : '';
  const verdict = failed.length === 0 ? `passed${arose}` : `FAILED  ${failed.join(', ')}`;
  const again = before === undefined ? '' : `, run again: the machine stood still for ${seconds(before)}`;
  return `${count}  ${seconds(elapsed).padStart(7)}  ${scenario.id.padEnd(idWidth)}  ${seconds(ms).padStart(7)}  ${verdict}${again}`;
}

/** The head of the table of progress. */
export const progressHead = (of: number): string =>
  `${'done'.padEnd(String(of).length * 2 + 1)}  elapsed  ${'scenario'.padEnd(idWidth)}     took  checks`;

/** The line that runs the scenario of a finding again, alone, with the same invoices. */
function againLine(scenario: string, seed: number, { options, command }: Verification): string {
  const words = ['verify', ...options, '--only', scenario, '--seed', String(seed), '--keep', 'verify-kept'];
  return maskSecrets([...words, '--', ...command].map(shellWord).join(' '));
}

function failureLines(outcome: Outcome, verification: Verification): string[] {
  const { check, seen, isAllowed } = outcome;
  const [first] = seen;
  const { repetitions } = verification;
  const failed = new Set(seen.map(({ seed }) => seed)).size;
  const more = seen.length - mostPrinted;
  return [
    '',
    `${isAllowed === undefined ? 'FAILED' : 'FAILED, as is allowed'}  ${check.id}: ${check.title}`,
    ...(isAllowed === undefined ? [] : [`  Allowed: ${isAllowed}`]),
    ...(repetitions > 1 ? [`  In ${failed} of ${repetitions} repetitions`] : []),
    ...seen.slice(0, mostPrinted).map((each) => `  - ${sentenceOf(each)}`),
    ...(more > 0 ? [`  - and ${more} more`] : []),
    `  Why: ${check.why}`,
    ...mendsOf(outcome.check.mend, outcome.seen).map((mend) => `  Mend: ${mend}`),
    `  Right: ${citedFor(check.id)}`,
    ...(first ? [`  Alone: ${againLine(first.scenario, first.seed, verification)}`] : []),
  ];
}

/** Checks that did not arise, with the scenarios that are for them. */
function notExercised({ check: { id }, isRequired }: Outcome): string {
  const ids = scenariosFor(id);
  const required = isRequired ? '  REQUIRED' : '';
  return `  ${id.padEnd(idWidth)}  ${ids.length > 0 ? `scenario ${ids.join(', ')}` : ''}${required}`.trimEnd();
}

/** The scenarios of which a part did not arise in any repetition, with each such part. */
function unmetLines(all: readonly Judged[]): string[] {
  const ids = [...new Set(all.map(({ scenario }) => scenario.id))];
  const rows = ids.flatMap((id) => {
    const [first = [], ...others] = all
      .filter(({ scenario }) => scenario.id === id)
      .map(({ scenario, evidence }) => unmetIn(scenario, evidence).unmet);
    const unmet = first.filter((part) => others.every((other) => other.includes(part)));
    return unmet.length > 0 ? [`  ${id.padEnd(idWidth)}  ${unmet.join(', ')}`] : [];
  });
  return rows.length > 0 ? ['', 'Did not arise, so that nothing is said of it:', ...rows] : [];
}

const reasonLine = ({ check: { id }, unjudged }: Outcome): string => `  ${id.padEnd(idWidth)}  ${unjudged ?? ''}`;

/** The summary of a verification: failed checks first, with what was seen and how to mend them. */
export function summaryLines(verification: Verification): string[] {
  const { outcomes, scenarios: all, ms, seed } = verification;
  const of = (verdict: Outcome['verdict']) => outcomes.filter((each) => each.verdict === verdict);
  const [failed, passed] = [of('failed'), of('passed')];
  const unjudged = outcomes.filter((each) => each.unjudged !== undefined);
  const untried = of('not exercised').filter((each) => each.unjudged === undefined);
  return [
    ...failed.flatMap((each) => failureLines(each, verification)),
    ...(unjudged.length > 0 ? ['', 'Not judged:', ...unjudged.map(reasonLine)] : []),
    ...(untried.length > 0
      ? ['', 'Not exercised, because the situation did not arise:', ...untried.map(notExercised)]
      : []),
    ...unmetLines(all),
    ...warningsOf(all).flatMap((warning) => ['', `WARNING  ${warning}`]),
    ...(leavesRepeats(all)
      ? ['', 'Not tried: a file that repeats invoices of an earlier one. If yours may, add --repeated-invoices.']
      : []),
    '',
    `${countsOf({ outcomes })} in ${seconds(ms)} (seed ${seed}): ${failed.length + passed.length} of ${counted(outcomes.length - unjudged.length, 'check')} exercised${standstillOf(all)}`,
  ];
}

/** The lists of scenarios and checks. */
export const listLines = (): string[] => [
  'Scenarios:',
  ...scenarios.map(({ id, title }) => `  ${id.padEnd(idWidth)}  ${title}`),
  '',
  'Checks:',
  ...checks.map(({ id, title }) => `  ${id.padEnd(idWidth)}  ${title}`),
];
