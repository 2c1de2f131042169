import type { Outcome } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';

/** What is known about the outcome of a failed write; shown before its cause. */
export const outcomeWords: Record<Outcome, string> = {
  'not-sent': 'Nothing was sent: the service knows nothing of this request, and nothing was changed or paid by it.',
  refused: 'It was refused: the service changed nothing and paid nothing.',
  unknown: 'It is not known whether it was done: it may have been.',
};

/** Shown for a message whose answer could not be read. */
export const sentWords = 'What was sent stays sent; its answer is awaited again once it can be read.';

/** The effect of “Try again” after a write whose outcome is unknown; '' for all other failures. */
export function retryWords({ code, outcome }: Problem): string {
  if (outcome !== 'unknown') return '';
  return code === 'outcome-unknown'
    ? 'Try again sends nothing as long as that is so.'
    : 'Try again sends the same request under the same idempotency key: what was done already is not done, and not paid, a second time.';
}

export interface Words {
  cause: string;
  advice: string;
}

/** Not in failures.ts, which cannot be loaded while the console is unreachable. */
export const unreachable: Words = {
  cause: 'The console’s own server did not answer.',
  advice: 'See whether it still runs, or start it with npm start. Nothing you typed is lost.',
};
