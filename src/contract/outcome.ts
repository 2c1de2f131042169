/**
 * The outcome of a failed write. `not-sent`: nothing reached the service; `refused`: the service executed nothing;
 * `unknown`: it may have been executed, because the answer was lost or is unusable.
 */
export const outcomes = ['not-sent', 'refused', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * Whether a write keeps its idempotency key after this outcome; the page and the server both use this. `sentBefore`:
 * the write was, or may have been, sent under this key before; a page cannot exclude that, because other tabs may have
 * sent it.
 */
export const keepsKey = (outcome: Outcome = 'unknown', sentBefore = true): boolean =>
  ({ 'not-sent': sentBefore, refused: false, unknown: true })[outcome];
