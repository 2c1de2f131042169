import type { Rate } from './rate.ts';
import type { Stores } from '../store/store.ts';

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
 * `programs` have the configured rate, files and `apart` at least the usual one. All servers of a store count together.
 */
export function createRates(rate: Rate = usualRate, stores: Pick<Stores, 'limit'>) {
  const limit = (name: string, each: Rate): Limit => ({ ...each, take: stores.limit(name, each) });
  const atLeastUsual = {
    perSecond: Math.max(rate.perSecond, usualRate.perSecond),
    burst: Math.max(rate.burst, usualRate.burst),
  };
  return {
    requests: limit('requests', rate),
    files: limit('files', atLeastUsual),
    apart: limit('apart', atLeastUsual),
    programs: limit('programs', rate),
    guesses: limit('guesses', guesses),
  };
}

export type Rates = ReturnType<typeof createRates>;
