/**
 * What is known of a write that failed. `not-sent`: nothing reached the service; `refused`: the service took nothing of
 * it; `unknown`: it may have been done, because its answer was lost or cannot be used.
 */
export const outcomes = ['not-sent', 'refused', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * Whether an idempotency key stays bound to its write after this outcome. Page and server both decide by it. Only a
 * refusal frees the key: what was not sent now may have been sent before under the same key.
 */
export const keepsKey = (outcome: Outcome | undefined): boolean => outcome !== 'refused';
