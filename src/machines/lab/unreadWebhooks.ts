import type { Answer } from '#contract/shapes.ts';
import type { ResourceKind } from '../lib/resource.machine.ts';

export type WebhookPage = Answer<'listWebhooks'>;

/** Marks the webhooks with these ids as read. */
export interface MarkAsRead {
  act: 'mark';
  ids: readonly string[];
}

/** Unread webhooks, newest first, one page at a time, until they are marked as read. */
export const unreadKind: ResourceKind<WebhookPage, MarkAsRead> = { reads: 'at once' };
