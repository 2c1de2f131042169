import { Failure } from '#server/failure.ts';

/**
 * Maximum number of concurrent requests per workspace. Reads and writes have separate limits, so that hanging reads do
 * not delay payments.
 */
const atOnce = { reads: 32, writes: 16 };
/** Maximum number of requests per workspace that wait for a free place. */
const longestQueue = 500;

/** Limits the concurrent requests of one workspace. `run` throws `rate-limited` if too many requests are waiting. */
export interface Share {
  run<T>(kind: keyof typeof atOnce, ask: () => Promise<T>): Promise<T>;
}

export function createShare(): Share {
  const places = {
    reads: { free: atOnce.reads, waiting: [] as (() => void)[] },
    writes: { free: atOnce.writes, waiting: [] as (() => void)[] },
  };
  return {
    async run(kind, ask) {
      const place = places[kind];
      const { waiting } = place;
      if (waiting.length >= longestQueue)
        throw new Failure('rate-limited', `More than ${longestQueue} of your requests wait for the service.`, {
          retryAfter: 5,
        });
      // A finished request passes its place to the first waiting one.
      if (place.free > 0) place.free -= 1;
      else await new Promise<void>((begin) => waiting.push(begin));
      try {
        return await ask();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else place.free += 1;
      }
    },
  };
}
