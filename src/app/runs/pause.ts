import { webhookPollInterval } from '#contract/constants.ts';
import { hear } from '../api/recordEvents.ts';

/** Resolves on news of a record, at the latest after a poll's interval. */
export const pause = (id: string): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      end();
      resolve();
    };
    const timer = setTimeout(done, webhookPollInterval);
    const end = hear(id, () => queueMicrotask(done)); // `hear` may call back synchronously
  });
