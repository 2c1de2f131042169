import type { Failure } from '#server/failure.ts';
import type { Operation } from './operation.ts';

/**
 * How a call of the service ended: the class of its status, or why there is no complete answer; `left` if the program
 * that made the call hung up.
 */
export type UpstreamOutcome = `${1 | 2 | 3 | 4 | 5}xx` | 'unreachable' | 'timeout' | 'invalid' | 'left';

export interface UpstreamMetrics {
  upstream: (operation: Operation, outcome: UpstreamOutcome, ms: number) => void;
}

/** Returns the outcome of a call that was answered with this status. */
export const classOf = (status: number): UpstreamOutcome => `${Math.floor(status / 100) as 1 | 2 | 3 | 4 | 5}xx`; // HTTP has no others

/** Returns the outcome of a call without a complete answer, from its failure (transportFailure.ts). */
export function failureLabel({ problem: { code } }: Failure): UpstreamOutcome {
  if (code === 'upstream-unreachable') return 'unreachable';
  return code === 'upstream-timeout' ? 'timeout' : 'invalid';
}
