import type { Operation } from '#server/upstream/operation.ts';

/**
 * How a call of the service ended: the class of its status, or why there is no complete answer; `left` if the program
 * that made the call hung up.
 */
export type UpstreamOutcome = `${1 | 2 | 3 | 4 | 5}xx` | 'unreachable' | 'timeout' | 'invalid' | 'left';

/**
 * `accepted`: applied, or stored for reading; `repeated`: received before; `refused`: not authentic, or not understood;
 * `failed`: it could not be applied, and the service delivers it again.
 */
type WebhookOutcome = 'accepted' | 'repeated' | 'refused' | 'failed';

/**
 * Result of claiming an idempotency key. `fresh`: a new key; `repeated`: the first attempt has no known answer, so the
 * request is sent again; `waited`: the first attempt was in progress, and its answer was awaited; `replayed`: the
 * stored answer was returned; `conflict`: the key belongs to another request; `unknown`: the outcome can no longer be
 * known, so nothing is sent.
 */
export type ClaimOutcome = 'fresh' | 'repeated' | 'waited' | 'replayed' | 'conflict' | 'unknown';

/**
 * The console's metrics. Each call records one observation; times in ms. Labels must have a bounded number of values,
 * so never paths, ids or secrets.
 */
export interface Metrics {
  /** A request; `route` is the pattern of its path, or one word for all paths without a route. */
  request: (method: string, route: string, status: number, ms: number) => void;
  upstream: (operation: Operation, outcome: UpstreamOutcome, ms: number) => void;
  webhook: (type: string, outcome: WebhookOutcome) => void;
  claim: (outcome: ClaimOutcome) => void;
  /** A statement of the storage, by its kind. */
  store: (operation: string, failed: boolean, ms: number) => void;
}
