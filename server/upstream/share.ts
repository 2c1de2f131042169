import pLimit from 'p-limit';
import { Failure } from '#server/failure.ts';

/** Requests of one workspace that are under way at a time, reads and writes apart: reads that hang hold up no payment. */
const atOnce = { reads: 32, writes: 16 };
/** Requests of one workspace that wait for those. */
const longestQueue = 500;

/** What one workspace may ask of the service at a time. `run` rejects with a Failure if too much waits already. */
export interface Share {
  run<T>(kind: keyof typeof atOnce, ask: () => Promise<T>): Promise<T>;
}

export function createShare(): Share {
  const limits = { reads: pLimit(atOnce.reads), writes: pLimit(atOnce.writes) };
  return {
    run(kind, ask) {
      const limit = limits[kind];
      if (limit.pendingCount >= longestQueue)
        throw new Failure('rate-limited', `More than ${longestQueue} requests of yours wait for the service.`, {
          retryAfter: 5,
        });
      return limit(ask);
    },
  };
}
