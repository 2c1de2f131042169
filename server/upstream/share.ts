import pLimit from 'p-limit';
import { Failure } from '#server/failure.ts';

/**
 * Maximum number of concurrent requests per workspace. Reads and writes have separate limits, so that hanging reads do
 * not delay payments.
 */
const atOnce = { reads: 32, writes: 16 };
/** Maximum number of requests per workspace that wait for one of these. */
const longestQueue = 500;

/** Limits the concurrent requests of one workspace. `run` throws a Failure if too many requests are waiting. */
export interface Share {
  run<T>(kind: keyof typeof atOnce, ask: () => Promise<T>): Promise<T>;
}

export function createShare(): Share {
  const limits = { reads: pLimit(atOnce.reads), writes: pLimit(atOnce.writes) };
  return {
    run(kind, ask) {
      const limit = limits[kind];
      if (limit.pendingCount >= longestQueue)
        throw new Failure('rate-limited', `More than ${longestQueue} of your requests wait for the service.`, {
          retryAfter: 5,
        });
      return limit(ask);
    },
  };
}
