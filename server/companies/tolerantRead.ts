import type { Unread } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { CompanyContext } from './companyContext.ts';
import { Failure, isRefusal } from '#server/failure.ts';

/** Maximum time (ms) that a read waits for the service. */
const timeout = 10_000;

const timedOut = () =>
  new Failure('upstream-timeout', `The payments service has not answered within ${timeout / 1000} seconds.`);

/** Lists that a service may refuse for a country or language that has none (wire 4.9); it must answer every other read. */
const lists: readonly (Unread | undefined)[] = ['providers', 'fileFormats'];

/**
 * Whether an error says nothing about the resource: the service is down, busy or refuses, or its answer is unusable.
 */
const isInconclusive = (error: unknown, what: Unread | undefined): error is Failure => {
  if (!(error instanceof Failure)) return false;
  const { code } = error.problem;
  if (code === 'upstream-refused') return !lists.includes(what);
  return code === 'key-rejected' || code.startsWith('upstream-');
};

/**
 * Reads that tolerate failures of the service. `read` resolves with the result, or with `fallback` if the service is
 * late, unreachable or refuses. Failures that say nothing about `what` are listed in `unread`, in order; other refusals
 * are listed in `refused`. Rejects only with errors that are not the service's.
 */
export function createTolerantReader(clock: CompanyContext['clock']) {
  const unread = new Map<Unread, Problem>();
  const refused: Failure[] = [];
  return {
    unread,
    refused,
    read: async <T>(what: Unread | undefined, fallback: T, reading: () => Promise<T>): Promise<T> => {
      let timer: unknown;
      const timedOutRead = new Promise<never>((_, reject) => {
        timer = clock.setTimeout(() => reject(timedOut()), timeout);
      });
      try {
        return await Promise.race([reading(), timedOutRead]);
      } catch (error) {
        if (isInconclusive(error, what)) {
          if (what) unread.set(what, error.problem);
          return fallback;
        }
        if (!isRefusal(error)) throw error;
        refused.push(error);
        return fallback;
      } finally {
        clock.clearTimeout(timer);
      }
    },
  };
}
