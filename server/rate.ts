import type { Clock } from './clock.ts';

/** Calls allowed to one caller: on average, and in a burst. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Maximum number of callers remembered; the longest quiet are forgotten first. */
const most = 100_000;

/**
 * A token bucket for each caller. Returns 0 if allowed, otherwise the seconds to wait. Measured by the steady clock: if
 * the machine's clock were set back, all would have to wait.
 */
export function createRate({ perSecond, burst }: Rate, clock: Pick<Clock, 'steady'>): (caller: string) => number {
  /** Ordered by the time of the last call. */
  const buckets = new Map<string, { tokens: number; at: number }>();
  const refill = (burst / perSecond) * 1000;

  /** Removes full buckets, which equal no bucket, and the longest quiet beyond the maximum. */
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
