import type { Webhook } from '#contract/message.ts';
import type { RecordKind } from '#server/storage/records.ts';

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
