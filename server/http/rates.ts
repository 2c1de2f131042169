import type { Rate } from './rate.ts';
import type { Stores } from '../store/store.ts';

/**
 * Returns the rate limit of one caller: a burst may use up the calls of ten seconds. A busy page stays far below 100
 * requests per second.
 */
export const rateOf = (perSecond: number): Rate => ({ perSecond, burst: perSecond * 10 });
const usualRate = rateOf(100);

/** Limit for calls without a valid token from one address; calls with a valid token do not count. */
const guesses = { perSecond: 1, burst: 30 };

/**
 * `take` counts one request of a caller. It resolves with 0 if the request is allowed, otherwise with the seconds to
 * wait.
 */
interface Limit extends Rate {
  take: (caller: string) => Promise<number>;
}

/**
 * The console's rate limits by caller, each counted separately: calls and pages (`requests`), the page's files,
 * endpoints that must stay reachable whatever a page does (`apart`), calls of programs, and guesses of their tokens.
 * `requests` and `programs` have the configured rate, `files` and `apart` at least the default. All servers of a store
 * share the counts.
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
