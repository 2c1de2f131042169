import type { Unread } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { Deps } from '../deps.ts';
import { Failure, isRefusal } from '../failure.ts';

/** Maximum time (ms) that a reading waits for the service. */
const patience = 10_000;

const late = () =>
  new Failure('upstream-timeout', `The payments service has not answered within ${patience / 1000} seconds.`);

/** Whether an error says nothing about the resource: the service is down or busy, or its answer is unusable. */
const saysNothing = (error: unknown): error is Failure =>
  error instanceof Failure &&
  (error.problem.code === 'key-rejected' || (/^upstream-/.test(error.problem.code) && !isAnswer(error)));

const isAnswer = ({ problem: { code } }: Failure): boolean =>
  ['upstream-refused', 'upstream-forbidden', 'upstream-conflict'].includes(code);

/**
 * Readings that tolerate failures of the service. `read` resolves with the result, or with `otherwise` if the service
 * is late, unreachable or refuses. Readings without an answer are listed in `unread` with the reason, in order of
 * failure; refusals are listed in `refused`. Rejects only with errors that are not the service's.
 */
export function tolerantReading(clock: Deps['clock']) {
  const unread = new Map<Unread, Problem>();
  const refused: Failure[] = [];
  return {
    unread,
    refused,
    read: async <T>(what: Unread | undefined, otherwise: T, reading: () => Promise<T>): Promise<T> => {
      let timer: unknown;
      const patient = new Promise<never>((_, reject) => {
        timer = clock.setTimeout(() => reject(late()), patience);
      });
      try {
        return await Promise.race([reading(), patient]);
      } catch (error) {
        if (isRefusal(error) && !saysNothing(error)) {
          refused.push(error);
          return otherwise;
        }
        if (!saysNothing(error)) throw error;
        if (what) unread.set(what, error.problem);
        return otherwise;
      } finally {
        clock.clearTimeout(timer);
      }
    },
  };
}
