/**
 * What is known of a write that failed. `not-sent`: nothing reached the service; `refused`: the service took nothing of
 * it; `unknown`: it may have been done, because its answer was lost or cannot be used.
 */
export const outcomes = ['not-sent', 'refused', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * Whether a write keeps its idempotency key after this outcome; page and server both decide by it. `sentBefore`: the
 * write was sent under this key before, or may have been, as a page never knows of its other tabs.
 */
export const keepsKey = (outcome: Outcome = 'unknown', sentBefore = true): boolean =>
  ({ 'not-sent': sentBefore, refused: false, unknown: true })[outcome];
