import type { Clock } from './clock.ts';

/** Calls of one caller: in the long run, and at once. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Callers that are remembered; beyond them those who have been quiet for longest are forgotten. */
const most = 100_000;

/**
 * A token bucket for each caller. Returns 0 if the caller may call now, otherwise the seconds after which to call again.
 * Measured on the steady clock, which the usual libraries do not: the machine's may be set back, and all would wait.
 */
export function createRate({ perSecond, burst }: Rate, clock: Pick<Clock, 'steady'>): (caller: string) => number {
  /** In the order of the last call. */
  const buckets = new Map<string, { tokens: number; at: number }>();
  const refill = (burst / perSecond) * 1000;

  /** A full bucket is as good as none. */
  function forgetQuiet(now: number): void {
    for (const [caller, { at }] of buckets) {
      if (at + refill > now && buckets.size <= most) return;
      buckets.delete(caller);
    }
  }

  return (caller) => {
    const now = clock.steady();
    const bucket = buckets.get(caller) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    buckets.delete(caller);
    buckets.set(caller, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    forgetQuiet(now);
    return tokens < 1 ? Math.ceil((1 - tokens) / perSecond) : 0;
  };
}
