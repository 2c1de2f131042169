import { calls } from '#contract/calls.ts';
import type { Outcome } from '#contract/outcome.ts';
import type { Problem, Retry } from '#contract/problem.ts';

export const outcomeWords: Record<Outcome, string> = {
  'not-sent': 'The request was not sent. Nothing was changed or paid.',
  refused: 'The service refused the request. Nothing was changed or paid.',
  unknown: 'The outcome is unknown: the request may have taken effect.',
  done: 'This request was not sent. An earlier one under the same key took effect.',
};

const repeatWords: Record<NonNullable<Problem['repeat']>, string> = {
  'not-sent': 'This request was not sent. The earlier one may have taken effect.',
  refused: 'The service refused this request. The earlier one may have taken effect.',
};

/** What is known about the outcome of a failed write; shown before its cause. '' for a read. */
export const outcomeText = ({ outcome, repeat, earlier }: Problem): string =>
  earlier && earlier.state !== 'not-read'
    ? earlier.detail
    : repeat
      ? repeatWords[repeat]
      : outcome
        ? outcomeWords[outcome]
        : '';

/** Whether it is the failure of a read, which neither sends entries nor changes anything. */
export const isRead = ({ call }: Problem): boolean => call !== undefined && calls[call].method === 'GET';

/** What failed reads mean for money and records. */
const readWords = 'Nothing was changed or paid.';

/** What a failure means for money and records; '' if that is unknown here. */
export const meaningOf = (problem: Problem): string => outcomeText(problem) || (isRead(problem) ? readWords : '');

/** Shown once what a write could not reach responds again. */
export const backTitle = ({ code }: Problem): string =>
  `The ${code === 'console-unreachable' ? 'console’s server' : 'payments service'} responds again`;

/** What to do then, beside the outcome. */
export const backWords = ({ outcome }: Problem): string =>
  outcome === 'not-sent' ? 'Your entries are not lost: send the request again.' : 'Your entries are not lost.';

/** Shown for a message whose answer could not be read. */
export const sentWords = 'The message was sent; its response could not be read yet.';

/** The effect of “Try again” after a failed write, where it matters; '' after a failed read. */
export function retryWords({ code, outcome }: Problem, retry: Retry): string {
  if (outcome === undefined) return '';
  if (retry === 'reads') return '“Try again” reads the current state and does not resend the request.';
  if (retry === 'confirms') return '“Try again” asks before it sends anything.';
  if (outcome === 'done' && retry === 'same') return '“Try again” gets its answer and sends nothing.';
  if (outcome !== 'unknown') return '';
  if (retry === 'new') return '“Try again” sends a new request. If the first one took effect, both do.';
  return code === 'outcome-unknown'
    ? '“Try again” sends nothing until the outcome is known.'
    : 'Safe to retry: it takes effect once.';
}

/** Whether a retry resends a write whose outcome is unknown under its own idempotency key. */
export const isResend = ({ code, outcome }: Problem, retry: Retry): boolean =>
  outcome === 'unknown' && retry === 'same' && code !== 'outcome-unknown';

/** Failures of a connection after the request was sent: they have no cause that the user could remove. */
const lostConnections: readonly Problem['code'][] = ['upstream-unreachable', 'upstream-timeout'];

/** Whether all that is known of a write is that its request was sent and that no response arrived. */
export const isLost = ({ code, outcome, repeat }: Problem): boolean =>
  outcome === 'unknown' && repeat === undefined && lostConnections.includes(code);

/** What the outcome of a lost write means, below the title that says it is unknown. */
export const lostWords = 'It may have taken effect.';
