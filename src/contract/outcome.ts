/**
 * The outcome of a failed write. `not-sent`: the request did not reach the service; `refused`: the service executed
 * nothing; `unknown`: it may have been executed, because the answer was lost or is unusable. For a repeat under an
 * idempotency key the outcome includes the earlier requests under the key, as far as the console could read its records;
 * `done`: an earlier one took effect, and this one was not sent.
 */
export const outcomes = ['not-sent', 'refused', 'unknown', 'done'] as const;
export type Outcome = (typeof outcomes)[number];

/** What became of a repeat itself, if its outcome is unknown only because of an earlier request. */
export const ofRepeat = ['not-sent', 'refused'] as const;

/**
 * Whether a write keeps its idempotency key after this outcome; the page and the server both use this. `sentBefore`:
 * the write was, or may have been, sent under this key before; a page cannot exclude that, because other tabs may have
 * sent it.
 */
export const keepsKey = (outcome: Outcome = 'unknown', sentBefore = true): boolean =>
  ({ 'not-sent': sentBefore, refused: false, unknown: true, done: true })[outcome];

/** The label of the button that repeats a request whose outcome is unknown. */
export const resendLabel = 'Resend with the same key';
