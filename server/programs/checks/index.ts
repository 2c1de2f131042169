import type { Check, Evidence, Verdict } from './evidence.ts';
import { onceChecks } from './onceChecks.ts';
import { readingChecks } from './readingChecks.ts';
import { requestChecks } from './requestChecks.ts';
import { retryChecks } from './retryChecks.ts';
import { truthChecks } from './truthChecks.ts';
import { webhookChecks } from './webhookChecks.ts';
import { writeChecks } from './writeChecks.ts';

/** All checks of a program (docs/verify.md), by group. */
export const checks: readonly Check[] = [
  ...requestChecks,
  ...writeChecks,
  ...retryChecks,
  ...onceChecks,
  ...webhookChecks,
  ...readingChecks,
  ...truthChecks,
];

/** What a check says about all situations: failed if it failed in one, otherwise passed if it passed in one. */
export function combined(verdicts: readonly Verdict[]): Verdict['verdict'] {
  for (const verdict of ['failed', 'passed'] as const)
    if (verdicts.some((each) => each.verdict === verdict)) return verdict;
  return 'not exercised';
}

/** Judges all checks by the same evidence. */
export const judgeAll = (evidence: Evidence, all = checks): { check: Check; verdict: Verdict }[] =>
  all.map((check) => ({ check, verdict: check.judge(evidence) }));
