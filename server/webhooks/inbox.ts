import type { Webhook } from '#contract/entities.ts';
import type { Store } from '#server/store/store.ts';

/** Webhooks that are kept after they were read, for looking back. */
const keptWebhooks = 500;

/** Keeps a webhook; the oldest make room. */
export async function keep({ webhooks }: Store, webhook: Webhook, unread: boolean): Promise<void> {
  await webhooks.put(webhook.id, { ...webhook, unread });
  const all = await webhooks.list();
  for (const { id } of all.slice(0, -keptWebhooks)) await webhooks.remove(id);
}

/** Marks webhooks as read: those with these ids, or all of them. */
export async function markRead({ webhooks }: Store, ids?: readonly string[]): Promise<void> {
  for (const webhook of await webhooks.list())
    if (webhook.unread && (ids?.includes(webhook.id) ?? true))
      await webhooks.put(webhook.id, { ...webhook, unread: false });
}
