import type { Clock } from '#server/clock.ts';

/** The rate of calls allowed to one caller: on average, and in a burst. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Maximum number of callers in memory; the least recently active are evicted. */
const most = 100_000;

/**
 * Creates a rate limit with a token bucket for each caller. The returned function returns 0 if a call is allowed,
 * otherwise the seconds to wait. It uses the steady clock, because all callers would have to wait after the system
 * clock was set back.
 */
export function createTokenBucket(
  { perSecond, burst }: Rate,
  clock: Pick<Clock, 'steady'>,
): (caller: string) => number {
  /** Ordered by the time of the last call. */
  const buckets = new Map<string, { tokens: number; at: number }>();
  /** The caller of the last call; its bucket is already the last. */
  let latest = '';
  const refill = (burst / perSecond) * 1000;

  /**
   * Removes full buckets, which equal new ones; beyond the maximum, also those of the least recently active callers.
   */
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
    if (caller !== latest) buckets.delete(caller);
    latest = caller;
    buckets.set(caller, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    forgetQuiet(now);
    return tokens < 1 ? Math.ceil((1 - tokens) / perSecond) : 0;
  };
}
