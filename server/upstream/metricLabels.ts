import type { Failure } from '#server/failure.ts';
import type { Span } from '#server/calls/spans.ts';
import type { ServiceOperation } from '#contract/serviceCalls.ts';

/** A call of the service, as a label; `other` for calls outside its protocol. */
export type Operation = ServiceOperation | 'other';

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

/** Returns what a span tells of a call of the service; no path, because paths contain ids and links. */
export const spanOf = (
  {
    operation,
    method,
    origin,
    outcome,
  }: { operation: Operation; method: string; origin: string; outcome: UpstreamOutcome },
  startedAt: number,
  ms: number,
): Pick<Span, 'name' | 'startedAt' | 'ms' | 'attributes' | 'isFailed'> => ({
  name: `${method} ${operation}`,
  startedAt,
  ms,
  isFailed: !/^[1-4]xx$/.test(outcome),
  attributes: { 'http.request.method': method, 'server.address': new URL(origin).host, operation, outcome },
});
