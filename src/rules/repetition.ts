import type { FailureCode, Problem } from '#contract/problem.ts';

/** Failures whose cause is the request itself, or a state that another action has to change first. */
const needChange: ReadonlySet<FailureCode> = new Set([
  'upstream-refused',
  'upstream-forbidden',
  'upstream-conflict',
  'token-expired',
  'login-refused',
  'login-expired',
  'login-unusable',
  'prerequisite-missing',
  'company-unknown',
  'unknown-to-service',
  'invalid-request',
  'not-found',
  'idempotency-conflict',
  'message-pending',
  'exists-already',
  'paid-already',
  'too-large',
  'forbidden',
]);

/** Whether sending the same request again can end otherwise; one whose outcome is unknown can always be looked up. */
export const repetitionHelps = ({ code, outcome, despite }: Pick<Problem, 'code' | 'outcome' | 'despite'>): boolean =>
  despite !== undefined || outcome === 'unknown' || outcome === 'done' || !needChange.has(code);
