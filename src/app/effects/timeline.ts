import { provideEffects } from '#machines/lib/effect.ts';
import { sendAgainMachine } from '#machines/lab/sendAgain.machine.ts';
import { unreadWebhooksMachine } from '#machines/lab/unreadWebhooks.machine.ts';
import { call } from '../api/client.ts';
import { sendRecorded } from '../api/sendRecorded.ts';

export const sendAgain = provideEffects(sendAgainMachine, {
  // Not aborted with the page: what was sent is reported.
  async repeat(repeat) {
    if (!repeat) throw new Error('No call was chosen');
    return (await sendRecorded(repeat)).id;
  },
});

export const unreadWebhooks = provideEffects(unreadWebhooksMachine, {
  read: (_, signal) => call('listWebhooks', { signal }),
  async mark(ids) {
    await call('setSetting', { body: { key: 'webhookData', value: JSON.stringify(ids) } });
  },
});
