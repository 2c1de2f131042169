import type { Clock } from './clock.ts';

/** Calls of one caller: in the long run, and at once. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Callers from which on those who have been quiet are forgotten. */
const many = 1000;

/** A token bucket for each caller. Gives 0 to who may call now, else the seconds after which to call again. */
export function createRate({ perSecond, burst }: Rate, clock: Clock): (caller: string) => number {
  const buckets = new Map<string, { tokens: number; at: number }>();

  function forgetQuiet(now: number): void {
    const refill = (burst / perSecond) * 1000;
    for (const [caller, { at }] of buckets) if (at + refill <= now) buckets.delete(caller);
  }

  return (caller) => {
    const now = clock.now();
    const bucket = buckets.get(caller) ?? { tokens: burst, at: now };
    if (buckets.size >= many) forgetQuiet(now);
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    buckets.set(caller, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    return tokens < 1 ? Math.ceil((1 - tokens) / perSecond) : 0;
  };
}
