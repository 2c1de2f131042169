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

/** Whether what is followed live ends with this failure of a reading: it was another user's or company's, or nobody's. */
export const endsFollowing = ({ code }: Pick<Problem, 'code'>): boolean =>
  code === 'signed-out' || code === 'another-user' || code === 'company-unknown';

/** What must work before a failed read is repeated by itself. `paced`: it may work already, although the read fails. */
export interface Recovery {
  what: 'console' | 'service';
  paced?: true;
  /** Ends the sentence "This page continues automatically once …". */
  once: string;
}

const consoleWorks: Recovery = { what: 'console', once: 'the console works again' };
const serviceResponds: Recovery = { what: 'service', paced: true, once: 'the service responds' };
const keyAccepted: Recovery = { what: 'service', paced: true, once: 'the service accepts the credentials' };

/** Failures of reads whose cause may go without the user's doing anything on this page. */
const recoveries: Partial<Record<FailureCode, Recovery>> = {
  'console-unreachable': consoleWorks,
  'signed-out': { what: 'console', paced: true, once: 'you are signed in' },
  'upstream-unreachable': serviceResponds,
  'upstream-timeout': serviceResponds,
  'upstream-failed': serviceResponds,
  'upstream-busy': serviceResponds,
  'key-rejected': keyAccepted,
  'signing-key-rejected': keyAccepted,
};

/** How a failed read recovers; undefined if it does not. Writes are excluded: only the user repeats them. */
export function recoveryOf({ code, status, outcome }: Problem): Recovery | undefined {
  if (outcome !== undefined) return undefined;
  return code === 'store-failed' && status === 503 ? consoleWorks : recoveries[code];
}

/** Says that a failed read is repeated automatically, and when; '' if it is not. */
export function recoveryText(problem: Problem): string {
  const recovery = recoveryOf(problem);
  return recovery ? `This page continues automatically once ${recovery.once}.` : '';
}
