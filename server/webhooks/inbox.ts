import type { Webhook } from '#contract/entities.ts';
import type { Store } from '#server/store/store.ts';

/** Webhooks that are kept after they were read, for looking back. */
const keptRead = 500;
/** How many more may come before room is made: counting them takes reading all. */
const between = 100;

const arrivals = new WeakMap<Store['webhooks'], number>();

/** Keeps a webhook; the oldest that were read make room, what nobody has read stays. */
export async function keep({ webhooks }: Store, webhook: Webhook, unread: boolean): Promise<void> {
  await webhooks.put(webhook.id, { ...webhook, unread });
  const arrived = (arrivals.get(webhooks) ?? 0) + 1;
  arrivals.set(webhooks, arrived % between);
  if (arrived < between) return;
  const read = (await webhooks.list()).filter((each) => !each.unread);
  for (const { id } of read.slice(0, -keptRead)) await webhooks.remove(id);
}

/** Marks webhooks as read: those with these ids, or all of them. */
export async function markRead({ webhooks }: Store, ids?: readonly string[]): Promise<void> {
  for (const webhook of await webhooks.list())
    if (webhook.unread && (ids?.includes(webhook.id) ?? true))
      await webhooks.put(webhook.id, { ...webhook, unread: false });
}
