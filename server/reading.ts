import type { Unread } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { Deps } from './deps.ts';
import { Failure, isRefusal } from './failure.ts';

/** How long a reading waits for the service before facts are told without it, ms. */
const patience = 10_000;

const late = () =>
  new Failure('upstream-timeout', `The payments service has not answered within ${patience / 1000} seconds.`);

/** The service is down, busy, or answers with what cannot be used: that says nothing about what was asked. */
const saysNothing = (error: unknown): error is Failure =>
  error instanceof Failure &&
  (error.problem.code === 'key-rejected' || (/^upstream-/.test(error.problem.code) && !isAnswer(error)));

const isAnswer = ({ problem: { code } }: Failure): boolean =>
  ['upstream-refused', 'upstream-forbidden', 'upstream-conflict'].includes(code);

/**
 * Reads at the service what it gives in time: `read` gives what was read, or `otherwise` where the service does not
 * answer in time, not at all or with a refusal; what was not answered is in `unread` by its name, with the reason, in
 * the order in which the readings failed. Rejects only with what is no fault of the service.
 */
export function tolerantReading(clock: Deps['clock']) {
  const unread = new Map<Unread, Problem>();
  return {
    unread,
    read: async <T>(what: Unread | undefined, otherwise: T, reading: () => Promise<T>): Promise<T> => {
      let timer: unknown;
      const patient = new Promise<never>((_, reject) => {
        timer = clock.setTimeout(() => reject(late()), patience);
      });
      try {
        return await Promise.race([reading(), patient]);
      } catch (error) {
        if (isRefusal(error) && !saysNothing(error)) return otherwise;
        if (!saysNothing(error)) throw error;
        if (what) unread.set(what, error.problem);
        return otherwise;
      } finally {
        clock.clearTimeout(timer);
      }
    },
  };
}
