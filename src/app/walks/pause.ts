import { webhookPollInterval } from '#contract/constants.ts';
import { hear } from '../news.ts';

/** Resolves when there is news of a record, at the latest when a poll would ask again. */
export const pause = (id: string): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      end();
      resolve();
    };
    const timer = setTimeout(done, webhookPollInterval);
    const end = hear(id, () => queueMicrotask(done)); // it may call at once
  });
