import { Failure } from '#server/failure.ts';

/** Runs a function as soon as fewer than the maximum are running. Throws `rate-limited` if too many are waiting. */
export type ConcurrencyLimit = <T>(run: () => Promise<T>) => Promise<T>;

/** Limits how many functions run at the same time, and how many wait; they run in the order in which they came. */
export function createConcurrencyLimit(mostRunning: number, mostWaiting: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = mostRunning;
  return async (run) => {
    if (waiting.length >= mostWaiting)
      throw new Failure('rate-limited', `More than ${mostWaiting} of your requests wait for the service.`, {
        retryAfter: 5,
      });
    // A finished function passes its place to the first waiting one.
    if (free > 0) free -= 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
