import type { JsonObject } from '#contract/json.ts';
import type { Message as MessageView } from '#contract/message.ts';
import type { Skipped } from '#server/upstream/tolerant.ts';
import type { MessageKind } from '#server/upstream/wire.ts';

/** A message that was or will be sent, with the outcome reported by its webhook. Stored under its `messageId`. */
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

/** The earlier shape, without ids of messages: one message per resource, stored under the resource's id. */
interface EarlierMessage {
  resourceId: string;
  key: string;
  kind: MessageKind;
  state: Message['state'];
  detail: string;
  data: JsonObject;
}

export const current = (kept: Message | EarlierMessage): Message => {
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

/** The fields by which messages are listed. */
export type MessageOutline = Pick<
  Message,
  'messageId' | 'kind' | 'state' | 'subscriptionId' | 'resourceId' | 'webhookId'
>;

export function outlineOf(kept: Message | EarlierMessage): MessageOutline {
  const { messageId, kind, state, subscriptionId, resourceId, webhookId } = current(kept);
  return { messageId, kind, state, subscriptionId, resourceId, ...(webhookId !== undefined && { webhookId }) };
}
