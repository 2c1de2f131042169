import type { Clock } from '#server/clock.ts';
import { createTokenBucket } from './tokenBucket.ts';
import type { Rate } from './tokenBucket.ts';

/**
 * Returns the rate limit of one caller: a burst may use up the calls of ten seconds. A busy page stays far below 100
 * requests per second.
 */
export const rateOf = (perSecond: number): Rate => ({ perSecond, burst: perSecond * 10 });
const usualRate = rateOf(100);

/** Limit for calls without a valid token from one address; calls with a valid token do not count. */
const guessRate = { perSecond: 1, burst: 30 };

/** `take` counts one request of a caller. It returns 0 if the request is allowed, otherwise the seconds to wait. */
interface Limit extends Rate {
  take: (caller: string) => number;
}

/**
 * The console's rate limits by caller, each counted separately: calls and pages (`requests`), the page's files,
 * endpoints that must stay reachable whatever a page does (`apart`), calls of programs, guesses of their tokens, and
 * reads of what an earlier request has done (`earlier`).
 * `requests` and `programs` have the configured rate, `files`, `apart` and `earlier` at least the default. Each server counts for
 * itself.
 */
export function createRates(rate: Rate = usualRate, clock: Pick<Clock, 'steady'>) {
  const limit = (each: Rate): Limit => ({ ...each, take: createTokenBucket(each, clock) });
  const atLeastUsual = {
    perSecond: Math.max(rate.perSecond, usualRate.perSecond),
    burst: Math.max(rate.burst, usualRate.burst),
  };
  return {
    requests: limit(rate),
    files: limit(atLeastUsual),
    apart: limit(atLeastUsual),
    programs: limit(rate),
    earlier: limit(atLeastUsual),
    guesses: limit(guessRate),
  };
}

export type Rates = ReturnType<typeof createRates>;
