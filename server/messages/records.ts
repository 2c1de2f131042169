import { fingerprintOf } from '#server/calls/fingerprint.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Message as MessageView, Webhook } from '#contract/message.ts';
import type { RecordKind } from '#server/storage/records.ts';
import type { Skipped } from '#server/upstream/lenientParse.ts';
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
  /** When the webhook that reported this status was sent (ISO time); absent before one has. */
  statusAt?: string;
  /** An ISO time, for display only; messages are ordered by their position in the database. */
  sentAt: string;
  forwarded: boolean;
  /** The time (ms) of the service when the message was sent first; absent if it was not known. */
  serviceTime?: number | undefined;
  authorise?: string;
  authoriseExpiresAt?: string;
  /** For a query: the id of the webhook that contained the list, and the parts of the list that were skipped. */
  webhookId?: string;
  skipped?: Skipped[];
}

const queryKinds: readonly MessageKind[] = ['debtoraccountlistqueries', 'creditorlistqueries'];
export const isQuery = (kind: MessageKind): boolean => queryKinds.includes(kind);

/** The state by which a message is found and counted: queries are apart. */
const countedState = (message: Message): string => {
  if (!isQuery(message.kind)) return message.state;
  return message.state === 'waiting' ? 'waiting query' : 'answered query';
};

/** Returns a fingerprint of the body without the debtor's or creditor's id, which is new for each attempt. */
export const contentFingerprint = ({ kind, data }: Pick<Message, 'kind' | 'data'>): string => {
  const { debtorId: _debtorId, creditorId: _creditorId, ...rest } = data;
  return fingerprintOf(kind, rest);
};

/** The name of the messages of a kind about the parties of a subscription. */
export const kindIn = ({ kind, subscriptionId }: { kind: string; subscriptionId: string }): string =>
  JSON.stringify([kind, subscriptionId]);

export const messages: RecordKind<Message> = {
  kind: 'messages',
  isAnnounced: true,
  columns: {
    subject: ({ resourceId }) => resourceId,
    state: countedState,
    alias: kindIn,
  },
};

/** Selects the messages, without queries, that await the provider's answer. */
export const waitingOnly = { state: 'waiting' };

/** How many of the latest messages of each state are stored; waiting ones are not removed. */
export const storedMessages = { accepted: 200, refused: 200, 'waiting query': 100, 'answered query': 20 } as const;

/**
 * When the list from which each debtor or creditor was taken was sent (ISO time), by the party's id; under `debtors/` or
 * `creditors/` and the subscription's id.
 */
export const partyLists: RecordKind<Record<string, string>> = { kind: 'partyLists' };

/** The id of the latest message about each debtor, creditor or subscription, under the id of that entity. */
export const latestMessages: RecordKind<string> = { kind: 'latestMessages' };

/** A webhook that is unread or was read less than a minute ago. */
export interface StoredWebhook extends Webhook {
  unread: boolean;
  /** Whether it answers a query that is still stored; it is then kept for as long as it is unread. */
  isAnswer?: boolean;
  /** When it was read, in ms. */
  readAt?: number;
}

export const webhooks: RecordKind<StoredWebhook> = {
  kind: 'webhooks',
  columns: { state: ({ unread }) => (unread ? 'unread' : 'read') },
};

/** Selects the webhooks that are unread. */
export const unreadOnly = { state: 'unread' };
