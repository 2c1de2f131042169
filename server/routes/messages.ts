import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { messageBy, messageWith, viewOf, type Message } from '#server/messages/message.ts';
import type { MessageOutline } from '#server/messages/record.ts';
import { sendAgain } from '#server/messages/outbox.ts';
import { openedPageOf } from '#server/http/pages.ts';
import { lostIn, unreadPage } from '#server/webhooks/inbox.ts';
import type { Handlers } from './route.ts';

/** Handlers for messages sent to providers, and for unread webhooks. */
export function messageRoutes(deps: Deps) {
  const { store } = deps;

  return {
    async listMessages({ query: { state, kind, subscriptionId, resourceId, ...page } }) {
      const kinds = kind?.split(',');
      const isWanted = (message: MessageOutline) =>
        (state ?? message.state) === message.state &&
        (kinds?.includes(message.kind) ?? true) &&
        (subscriptionId ?? message.subscriptionId) === message.subscriptionId &&
        (resourceId ?? message.resourceId) === message.resourceId;
      const open = async (id: string) => {
        const message = await messageWith(store, id);
        // A record is newer than its outline until the write is on the disk.
        return message && isWanted(message) ? message : undefined;
      };
      const found = [...(await store.messages.outlines()).values()].filter(isWanted);
      const { data, ...rest } = await openedPageOf(found.reverse(), ({ messageId }) => messageId, open, page);
      const isUnread = async ({ webhookId }: Message) =>
        webhookId !== undefined && (await store.webhooks.get(webhookId))?.unread === true;
      const views = data.map(async (message) => viewOf(message, await isUnread(message), deps));
      return { data: await Promise.all(views), ...rest };
    },
    async getMessage({ params: { resourceId } }) {
      const message = await messageBy(store, resourceId);
      if (!message) throw new Failure('not-found', `No message about ${resourceId} was sent from here.`);
      const kept = message.webhookId === undefined ? undefined : await store.webhooks.get(message.webhookId);
      if (!kept) return { data: viewOf(message, false, deps) };
      const { unread, readAt: _readAt, ...webhook } = kept;
      const { skipped = [] } = message;
      return { data: { ...viewOf(message, unread, deps), webhook }, ...(skipped.length > 0 && { skipped }) };
    },
    sendMessageAgain: async ({ params: { messageId } }) => ({
      data: viewOf(await sendAgain(deps, messageId), false, deps),
    }),
    async listWebhooks({ query }) {
      return { ...(await unreadPage(store, query)), lost: await lostIn(store) };
    },
  } satisfies Partial<Handlers>;
}
