import type { JsonObject } from '#contract/json.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import type { WhilePending } from '#server/messages/keep.ts';
import { messageBy, messagesIn, viewOf } from '#server/messages/message.ts';
import { send, sendAgain } from '#server/messages/outbox.ts';
import { pageOf } from '#server/pages.ts';
import { storedSettingsOf } from '#server/settings.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import { lostIn, unreadIn } from '#server/webhooks/inbox.ts';
import type { Handlers } from './route.ts';

interface Sending<Data> {
  body: { data: Data; whilePending?: WhilePending };
  key: string;
}

/** Messages to the provider, answered by webhooks, and the debtors and creditors that came of them. */
export function messageRoutes(deps: Deps) {
  const { store } = deps;

  /** A handler that sends one kind of message; `idOf` names what it is about. */
  const sending =
    <Data extends JsonObject & { subscriptionId: string }>(kind: MessageKind, idOf: (data: Data) => string) =>
    ({ body: { data, whilePending }, key }: Sending<Data>) =>
      send(deps, { kind, resourceId: idOf(data), subscriptionId: data.subscriptionId, data }, { key, whilePending });

  const ofSubscription = async <Party extends { subscriptionId: string }>(parties: Promise<Party[]>) => {
    const [{ subscriptionId }, all] = await Promise.all([storedSettingsOf(store), parties]);
    return { data: all.filter((party) => party.subscriptionId === subscriptionId) };
  };

  return {
    sendUpdate: sending('updates', (data) => data.id),
    putDebtor: sending('debtoraccountputs', (data) => data.debtorId),
    putCreditor: sending('creditorputs', (data) => data.creditorId),
    deleteDebtor: sending('debtoraccountdeletes', (data) => data.debtorId),
    deleteCreditor: sending('creditordeletes', (data) => data.creditorId),
    queryDebtors: sending('debtoraccountlistqueries', (data) => data.subscriptionId),
    queryCreditors: sending('creditorlistqueries', (data) => data.subscriptionId),
    async listMessages({ query: { state, kind, subscriptionId, resourceId, ...page } }) {
      const kinds = kind?.split(',');
      const found = (await messagesIn(store)).filter(
        (message) =>
          (state ?? message.state) === message.state &&
          (kinds?.includes(message.kind) ?? true) &&
          (subscriptionId ?? message.subscriptionId) === message.subscriptionId &&
          (resourceId ?? message.resourceId) === message.resourceId,
      );
      const views = found.toReversed().map((message) => viewOf(message, deps));
      return pageOf(views, ({ messageId }) => messageId, page);
    },
    async getMessage({ params: { resourceId } }) {
      const message = await messageBy(store, resourceId);
      if (!message) throw new Failure('not-found', `No message about ${resourceId} was sent from here.`);
      const kept = message.webhookId === undefined ? undefined : await store.webhooks.get(message.webhookId);
      if (!kept) return { data: viewOf(message, deps) };
      const { unread: _unread, readAt: _readAt, ...webhook } = kept;
      const { skipped = [] } = message;
      return { data: { ...viewOf(message, deps), webhook }, ...(skipped.length > 0 && { skipped }) };
    },
    sendMessageAgain: async ({ params: { messageId } }) => ({
      data: viewOf(await sendAgain(deps, messageId), deps),
    }),
    async listWebhooks({ query }) {
      const unread = (await unreadIn(store)).toReversed();
      return { ...pageOf(unread, ({ id }) => id, query), lost: await lostIn(store) };
    },
    getDebtors: () => ofSubscription(store.debtors.list()),
    getCreditors: () => ofSubscription(store.creditors.list()),
  } satisfies Partial<Handlers>;
}
