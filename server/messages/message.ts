import type { Message as MessageView } from '#contract/entities.ts';
import { nameOfParty } from '#rules/party.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Deps } from '#server/deps.ts';
import { leadsTo } from '#server/links.ts';
import type { Store } from '#server/store/store.ts';
import type { Skipped } from '#server/upstream/tolerant.ts';
import type { MessageKind } from '#server/upstream/wire.ts';

/** A message that was sent, or was about to be, and what its webhook made of it. Kept under its `messageId`. */
export interface Message {
  /** Idempotency key and interaction id towards the service as well. */
  messageId: string;
  kind: MessageKind;
  resourceId: string;
  subscriptionId: string;
  data: JsonObject;
  state: MessageView['state'];
  /** What the provider has said last, '' if nothing. */
  status: string;
  detail: string;
  /** An ISO time; only shown. The order of sending is that of the records. */
  sentAt: string;
  forwarded: boolean;
  authorise?: string;
  authoriseExpiresAt?: string;
  /** The webhook that brought the list which a query asked for, and what of it was left out. */
  webhookId?: string;
  skipped?: Skipped[];
}

/** As it was kept before messages had ids of their own: one for each resource, under the resource's id. */
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

/** All messages in the order in which they were sent. */
export const messagesIn = async ({ messages }: Store): Promise<Message[]> => (await messages.list()).map(current);

/** By its own id, else the latest one about a resource of this id. */
export async function messageBy(store: Store, id: string): Promise<Message | undefined> {
  const kept = await store.messages.get(id);
  return kept ? current(kept) : (await messagesIn(store)).findLast(({ resourceId }) => resourceId === id);
}

const queryKinds: readonly MessageKind[] = ['debtoraccountlistqueries', 'creditorlistqueries'];
export const isQuery = ({ kind }: Pick<Message, 'kind'>): boolean => queryKinds.includes(kind);

/** What the browser is told of a message. A time that is not known is ''. */
export const viewOf = (message: Message, { config }: Pick<Deps, 'config'>): MessageView => {
  const { authorise = '', authoriseExpiresAt = '', webhookId: _webhookId, skipped: _skipped, ...told } = message;
  return {
    ...told,
    name: nameOfParty(message.data),
    authorise,
    authoriseExpiresAt,
    followed: leadsTo(config.upstream.providerOrigins, authorise),
  };
};
