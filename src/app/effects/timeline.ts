import { sendAgainKind, type SendAgain } from '#machines/lab/sendAgain.ts';
import { unreadKind, type MarkAsRead, type WebhookPage } from '#machines/lab/unreadWebhooks.ts';
import { call } from '../client/client.ts';
import { sendRecorded } from '../client/sendRecorded.ts';
import { resource, withFacts } from './resource.ts';

/** A call of the timeline, which can be sent again; answers the id of the new call's entry. */
export const sendAgain = resource({
  kind: sendAgainKind,
  // Not aborted with the page: what was sent is reported.
  act: async (repeat: SendAgain) => (await sendRecorded(repeat)).id,
});

/** The latest unread webhooks. A page's actions may mark some, after which the facts are read again. */
export const unreadWebhooks = resource({
  kind: unreadKind,
  news: withFacts,
  read: (_: null, signal: AbortSignal): Promise<WebhookPage> => call('listWebhooks', { signal }),
  async act({ ids }: MarkAsRead) {
    await call('setSetting', { body: { key: 'webhookData', value: JSON.stringify(ids) } });
    return null;
  },
});
