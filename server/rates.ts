import type { Clock } from './clock.ts';
import { createRate, type Rate } from './rate.ts';

/**
 * The rate limit of one caller: bursts may last for ten seconds. A busy page stays far below 100 requests per second.
 */
export const rateOf = (perSecond: number): Rate => ({ perSecond, burst: perSecond * 10 });
const usualRate = rateOf(100);

/** Calls without a valid token from one address; a valid one is accepted however many of these came. */
const guesses = { perSecond: 1, burst: 30 };

/** Counts one request of a caller. Resolves with 0 if it is allowed, otherwise with the seconds to wait. */
interface Limit extends Rate {
  take: (caller: string) => Promise<number>;
}

/**
 * Everything that the console limits by caller, each counted by itself: calls and pages (`requests`), the page's files,
 * what must stay reachable whatever a page does (`apart`), calls of programs, and guesses of their tokens. `requests` and
 * `programs` have the configured rate, files and `apart` at least the usual one.
 */
export function createRates(rate: Rate = usualRate, clock: Clock) {
  const limit = (each: Rate): Limit => {
    const take = createRate(each, clock);
    return { ...each, take: (caller) => Promise.resolve(take(caller)) };
  };
  const atLeastUsual = {
    perSecond: Math.max(rate.perSecond, usualRate.perSecond),
    burst: Math.max(rate.burst, usualRate.burst),
  };
  return {
    requests: limit(rate),
    files: limit(atLeastUsual),
    apart: limit(atLeastUsual),
    programs: limit(rate),
    guesses: limit(guesses),
  };
}

export type Rates = ReturnType<typeof createRates>;
