import type { Operation } from '#server/upstream/operation.ts';

/**
 * How a call of the service ended: the class of its status, or why there is no complete answer; `left` if the program for
 * which it was made hung up.
 */
export type UpstreamOutcome = `${1 | 2 | 3 | 4 | 5}xx` | 'unreachable' | 'timeout' | 'invalid' | 'left';

/**
 * `accepted`: applied, or kept to be read; `repeated`: it had come before; `refused`: not authentic, or not understood;
 * `failed`: it could not be applied, and the service delivers it again.
 */
type WebhookOutcome = 'accepted' | 'repeated' | 'refused' | 'failed';

/**
 * What a claim of an idempotency key found. `fresh`: a new key; `repeated`: its first attempt has no known answer, so it is
 * sent again; `waited`: its attempt is under way, and its answer was awaited; `replayed`: its answer is kept; `conflict`: it
 * belongs to another request; `unknown`: what happened can no longer be known, so nothing is sent.
 */
export type ClaimOutcome = 'fresh' | 'repeated' | 'waited' | 'replayed' | 'conflict' | 'unknown';

/**
 * What is measured; each call is one observation, times in ms. Every label has a bounded number of values: no path, id or
 * secret may become one.
 */
export interface Metrics {
  /** A request: `route` is the pattern of its path, or a word for all that have none. */
  request: (method: string, route: string, status: number, ms: number) => void;
  upstream: (operation: Operation, outcome: UpstreamOutcome, ms: number) => void;
  webhook: (type: string, outcome: WebhookOutcome) => void;
  claim: (outcome: ClaimOutcome) => void;
  /** An operation of the store, by its name there. */
  store: (operation: string, failed: boolean, ms: number) => void;
}
