import { junitXml } from '#rules/junit.ts';
import { counted } from '#rules/counted.ts';
import { printableJson } from '#rules/printable.ts';
import type { Accepted } from './baseline.ts';
import type { Comparison, Finding, Uncompared } from './compare.ts';

/** What the command found. */
export interface Drift extends Omit<Comparison, 'findings'> {
  source: string;
  startedAt: string;
  fresh: readonly Finding[];
  known: readonly (Finding & { reason: string })[];
  /** Accepted findings that did not come, of calls that were compared. */
  gone: readonly Accepted[];
  /** Those of calls that were not compared. */
  unseen: readonly Accepted[];
  /** What of the source could not be compared. */
  left: readonly string[];
}

const effectWords: Readonly<Record<Finding['effect'], string>> = {
  works: 'the console still works',
  partly: 'the console leaves this part out',
  fails: 'the console cannot use the answer',
};

const often = (times: number): string => (times === 1 ? 'once' : `${times} times`);

const differenceOf = ({ call, path, expected, came }: Pick<Finding, 'call' | 'path' | 'expected' | 'came'>): string =>
  `${call}${path === '' ? '' : ` ${path}`}: expected ${expected}, came ${came}`;

const sentenceOf = (finding: Finding): string =>
  `${differenceOf(finding)} (${often(finding.times)}); ${effectWords[finding.effect]}`;

/** Says of which answers no body was compared, and why. */
export const notCompared = ({ call, why, times }: Uncompared): string =>
  `Not compared: ${call} (${often(times)}): ${why}.`;

const listed = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(([name, why]) => `${name} (${why})`)
    .join(', ');

/** The exit status: 1 for drift; 2 if nothing was compared, or a call got no answer; otherwise 0. */
export function statusOfDrift({ fresh, compared, blocked }: Drift): 0 | 1 | 2 {
  if (fresh.length > 0) return 1;
  return Object.keys(compared).length === 0 || Object.keys(blocked).length > 0 ? 2 : 0;
}

/** The report in lines for people. */
export function lines(drift: Drift): string[] {
  const { source, compared, blocked, refused, fresh, known, gone, unseen, uncompared, left } = drift;
  const answers = Object.values(compared).reduce((sum, each) => sum + each, 0);
  return [
    `${source}: ${counted(answers, 'answer')} of ${counted(Object.keys(compared).length, 'call')} compared with the description.`,
    ...fresh.map(sentenceOf),
    ...known.map((each) => `Accepted: ${sentenceOf(each)}. ${each.reason}`),
    ...gone.map((each) => `Accepted, but it came no more: ${differenceOf(each)}. Remove it from the baseline.`),
    ...unseen.map((each) => `Accepted, but its call was not compared: ${differenceOf(each)}.`),
    ...(Object.keys(refused).length > 0 ? [`Refused, so that only the refusal was compared: ${listed(refused)}.`] : []),
    ...(Object.keys(blocked).length > 0
      ? [`Nothing was compared, because it was not answered: ${listed(blocked)}.`]
      : []),
    ...uncompared.map(notCompared),
    ...left,
    {
      0: uncompared.length > 0 ? 'No drift in what was compared.' : 'No drift.',
      1: `${counted(fresh.length, 'difference')} from the description.`,
      2: 'This says nothing about drift: see what was not compared.',
    }[statusOfDrift(drift)],
  ];
}

export const jsonReport = (drift: Drift): string =>
  printableJson(
    `${JSON.stringify({ kind: 'payments-out-drift-report', version: 1, status: statusOfDrift(drift), ...drift }, null, 2)}\n`,
  );

/** A suite for each call, a test case for each finding; a call without any has one that passes. */
export function junitReport(drift: Drift): string {
  const { compared, blocked, uncompared, fresh, known, startedAt } = drift;
  const failed = (name: string, text: string) => ({ name, ms: 0, failure: { message: text, text } });
  const calls = [
    ...new Set([
      ...Object.keys(compared),
      ...Object.keys(blocked),
      ...[...uncompared, ...fresh, ...known].map(({ call }) => call),
    ]),
  ];
  const suites = calls.map((call) => {
    const of = <F extends Finding>(findings: readonly F[]) => findings.filter((each) => each.call === call);
    const titleOf = ({ path, expected, came }: Finding) => `${path || 'the answer'}: ${expected}, not ${came}`;
    const isAsDescribed = compared[call] !== undefined && of(fresh).length + of(known).length === 0;
    const cases = [
      ...(isAsDescribed ? [{ name: 'is as described', ms: 0 }] : []),
      ...of(fresh).map((each) => failed(titleOf(each), sentenceOf(each))),
      ...of(known).map((each) => ({ name: titleOf(each), ms: 0, skipped: each.reason })),
      ...uncompared
        .filter((each) => each.call === call)
        .map(({ why, times }) => ({ name: `is compared: ${why} (${often(times)})`, ms: 0, skipped: why })),
      ...(blocked[call] === undefined ? [] : [failed('is compared', `${call} was not compared: ${blocked[call]}`)]),
    ];
    return { name: call, ms: 0, cases };
  });
  return junitXml('payments-out-drift', suites, { ms: 0, startedAt });
}
