import type { Outcome } from '#contract/outcome.ts';
import type { Problem, Retry } from '#contract/problem.ts';

export const outcomeWords: Record<Outcome, string> = {
  'not-sent': 'This request was not sent: it changed nothing and paid nothing.',
  refused: 'It was refused: the service changed nothing and paid nothing.',
  unknown: 'It is not known whether it was done: it may have been.',
};

const repeatWords: Record<NonNullable<Problem['repeat']>, string> = {
  'not-sent': 'This request was not sent. The earlier one may have been made.',
  refused: 'This request was refused. The earlier one may have been made.',
};

/** What is known about the outcome of a failed write; shown before its cause. '' for a read. */
export const outcomeText = ({ outcome, repeat }: Problem): string =>
  repeat ? repeatWords[repeat] : outcome ? outcomeWords[outcome] : '';

/** Shown for a message whose answer could not be read. */
export const sentWords = 'The message was sent. Its answer is shown once it can be read.';

/** The effect of “Try again” after a failed write, where it matters; '' after a failed read. */
export function retryWords({ code, outcome }: Problem, retry: Retry): string {
  if (outcome === undefined) return '';
  if (retry === 'reads') return 'Try again only reads the present state: it does not send the request again.';
  if (retry === 'confirms') return 'Try again asks you before it sends anything.';
  if (outcome !== 'unknown') return '';
  if (retry === 'new')
    return 'Try again sends a new request: if the first one was executed, this one is executed as well.';
  return code === 'outcome-unknown'
    ? 'Try again sends nothing until that is known.'
    : 'Try again sends the same request with the same idempotency key: nothing is done or paid a second time.';
}
