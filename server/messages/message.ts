import type { Message as MessageView } from '#contract/message.ts';
import { nameOfParty } from '#rules/party.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Deps } from '#server/deps.ts';
import { leadsTo } from '#server/links.ts';
import type { Store } from '#server/store/store.ts';
import type { Skipped } from '#server/upstream/tolerant.ts';
import type { MessageKind } from '#server/upstream/wire.ts';

/**
 * A message that was sent or is about to be, with the outcome reported by its webhook. Stored under its `messageId`.
 */
export interface Message {
  /** Also sent to the service as idempotency key and interaction id. */
  messageId: string;
  kind: MessageKind;
  resourceId: string;
  subscriptionId: string;
  data: JsonObject;
  state: MessageView['state'];
  /** The last status reported by the provider; '' if none. */
  status: string;
  detail: string;
  /** An ISO time, for display only; messages are ordered by their position in the store. */
  sentAt: string;
  forwarded: boolean;
  authorise?: string;
  authoriseExpiresAt?: string;
  /** For a query: the id of the webhook that contained the list, and the parts of the list that were skipped. */
  webhookId?: string;
  skipped?: Skipped[];
}

/** The former shape, without ids of messages: one message per resource, stored under the resource's id. */
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

/** The message with this id; otherwise the latest one about the resource with this id. */
export async function messageBy(store: Store, id: string): Promise<Message | undefined> {
  const kept = await store.messages.get(id);
  return kept ? current(kept) : (await messagesIn(store)).findLast(({ resourceId }) => resourceId === id);
}

const queryKinds: readonly MessageKind[] = ['debtoraccountlistqueries', 'creditorlistqueries'];
export const isQuery = ({ kind }: Pick<Message, 'kind'>): boolean => queryKinds.includes(kind);

/** The message as sent to the browser. `unread`: the webhook with its list is unread. An unknown time is ''. */
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
