import { Failure } from '#server/failure.ts';
import { messageBy, viewOf } from '#server/messages/message.ts';
import { kindIn, messages, webhooks } from '#server/messages/records.ts';
import type { Message } from '#server/messages/records.ts';
import { resend } from '#server/messages/outbox.ts';
import { pageOfRecords } from '#server/http/pagination.ts';
import { removedUnread, unreadPage } from '#server/webhooks/inbox.ts';
import type { Handlers } from './handlers.ts';

/** Handlers for messages sent to providers, and for unread webhooks. */
export const messageHandlers = {
  async listMessages(context, { query: { state, kind, subscriptionId, resourceId, ...page } }) {
    const { store } = context;
    const kinds = kind?.split(',');
    const isOneKind = kinds?.length === 1 && subscriptionId !== undefined;
    const isWanted = (message: Message) =>
      (kinds?.includes(message.kind) ?? true) && (subscriptionId ?? message.subscriptionId) === message.subscriptionId;
    const where = {
      ...(state && { state }),
      ...(resourceId !== undefined && { subject: resourceId }),
      ...(isOneKind && { alias: kindIn({ kind: kinds[0]!, subscriptionId }) }), // it has one
    };
    const isNarrower = !isOneKind && (kinds !== undefined || subscriptionId !== undefined);
    const { data, ...rest } = await pageOfRecords(
      store.records(messages),
      { where, ...(isNarrower && { isWanted }), idOf: ({ messageId }) => messageId },
      page,
    );
    const isUnread = async ({ webhookId }: Message) =>
      webhookId !== undefined && (await store.records(webhooks).get(webhookId))?.unread === true;
    const views = data.map(async (message) => viewOf(message, await isUnread(message), context));
    return { data: await Promise.all(views), ...rest };
  },
  async getMessage(context, { params: { resourceId } }) {
    const { store } = context;
    const message = await messageBy(store, resourceId);
    if (!message) throw new Failure('not-found', `No message about ${resourceId} was sent from here.`);
    const stored = message.webhookId === undefined ? undefined : await store.records(webhooks).get(message.webhookId);
    if (!stored) return { data: viewOf(message, false, context) };
    const { unread, readAt: _readAt, isAnswer: _isAnswer, ...webhook } = stored;
    const { skipped = [] } = message;
    return { data: { ...viewOf(message, unread, context), webhook }, ...(skipped.length > 0 && { skipped }) };
  },
  sendMessageAgain: async (context, { params: { messageId }, repeat }) => ({
    data: viewOf(await resend(context.store, messageId, repeat), false, context),
  }),
  async listWebhooks({ store }, { query }) {
    return { ...(await unreadPage(store, query)), lost: await removedUnread(store) };
  },
} satisfies Partial<Handlers>;
