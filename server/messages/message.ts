import type { Message as MessageView } from '#contract/message.ts';
import { nameOfParty } from '#rules/party.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Deps } from '#server/deps.ts';
import { leadsTo } from '#server/links.ts';
import type { Store } from '#server/store/store.ts';
import type { Skipped } from '#server/upstream/tolerant.ts';
import type { MessageKind } from '#server/upstream/wire.ts';

/** A message that was sent or is about to be, with the outcome brought by its webhook. Stored under its `messageId`. */
export interface Message {
  /** Also the idempotency key and interaction id towards the service. */
  messageId: string;
  kind: MessageKind;
  resourceId: string;
  subscriptionId: string;
  data: JsonObject;
  state: MessageView['state'];
  /** The provider's last status, '' if none. */
  status: string;
  detail: string;
  /** An ISO time, for display only. Messages are ordered by their records. */
  sentAt: string;
  forwarded: boolean;
  authorise?: string;
  authoriseExpiresAt?: string;
  /** For a query: the webhook that brought the list, and what of it was left out. */
  webhookId?: string;
  skipped?: Skipped[];
}

/** The former shape, before messages had ids of their own: one per resource, under the resource's id. */
interface EarlierMessage {
  resourceId: string;
  key: string;
  kind: MessageKind;
  state: Message['state'];
  detail: string;
  data: JsonObject;
}

const current = (kept: Message | EarlierMessage): Message => {
  if ('messageId' in kept) return kept;
  const { resourceId, kind, state, detail, data } = kept;
  const { subscriptionId } = data;
  return {
    messageId: resourceId,
    kind,
    resourceId,
    subscriptionId: typeof subscriptionId === 'string' ? subscriptionId : '',
    data,
    state,
    status: '',
    detail,
    sentAt: '',
    forwarded: true,
  };
};

/** All messages in the order of sending. */
export const messagesIn = async ({ messages }: Store): Promise<Message[]> => (await messages.list()).map(current);

/** The message with this id, otherwise the latest one about the resource with this id. */
export async function messageBy(store: Store, id: string): Promise<Message | undefined> {
  const kept = await store.messages.get(id);
  return kept ? current(kept) : (await messagesIn(store)).findLast(({ resourceId }) => resourceId === id);
}

const queryKinds: readonly MessageKind[] = ['debtoraccountlistqueries', 'creditorlistqueries'];
export const isQuery = ({ kind }: Pick<Message, 'kind'>): boolean => queryKinds.includes(kind);

/** A message as the browser sees it; `unread`: it has brought a webhook to be read. An unknown time is ''. */
export const viewOf = (message: Message, unread: boolean, { config }: Pick<Deps, 'config'>): MessageView => {
  const { authorise = '', authoriseExpiresAt = '', webhookId: _webhookId, skipped: _skipped, ...told } = message;
  return {
    ...told,
    name: nameOfParty(message.data),
    authorise,
    authoriseExpiresAt,
    followed: leadsTo(config.upstream.providerOrigins, authorise),
    unread,
  };
};
