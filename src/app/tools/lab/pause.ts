import { webhookPollInterval } from '#contract/constants.ts';
import { subscribeToRecord } from '#app/client/recordEvents.ts';

/** Resolves on news of a record, at the latest after a poll's interval. */
export const pause = (id: string): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      end();
      resolve();
    };
    const timer = setTimeout(done, webhookPollInterval);
    const end = subscribeToRecord(id, () => queueMicrotask(done)); // it may call back synchronously
  });
