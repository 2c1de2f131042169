import { stringify } from '#contract/json.ts';
import type { Webhook } from '#contract/entities.ts';
import type { Deps } from '#server/deps.ts';
import { messagesIn } from '#server/messages/message.ts';
import { inTurn } from '#server/messages/turn.ts';
import type { Store } from '#server/store/store.ts';

/** A webhook that nobody has read yet, or that was read a moment ago. */
export interface KeptWebhook extends Webhook {
  unread: boolean;
  /** When it was read, in ms. */
  readAt?: number;
}

/** Of what nobody asked for and nobody has read: how many webhooks, and how many characters of JSON in all. */
export const quota = { webhooks: 200, length: 1024 * 1024 } as const;

/** How many characters of unread webhooks the settings carry, and of a single one; the rest is in the list. */
const settingsLength = 64 * 1024;
const longestInSettings = 512 * 1024;

/** How long (ms) the answer to a query stays after it was read: another tab may have asked at the same time. */
const moment = 60_000;

const lengthOf = (webhook: Webhook): number => stringify(webhook).length;

/** Lets go of what was read, and of the oldest that are over the quota. Tells how many of these there were. */
async function trim({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<number> {
  // What a query awaits is beyond the quota; once read, it stays for the moment.
  const awaited = new Set((await messagesIn(store)).flatMap(({ webhookId }) => webhookId ?? []));
  let webhooks = 0;
  let length = 0;
  let lost = 0;
  for (const { unread, readAt = 0, ...webhook } of (await store.webhooks.list()).reverse()) {
    const isAwaited = awaited.has(webhook.id);
    if (unread && !isAwaited) {
      webhooks += 1;
      length += lengthOf(webhook);
      if (webhooks <= quota.webhooks && length <= quota.length) continue;
      lost += 1;
    } else if (unread || (isAwaited && Math.abs(clock.now() - readAt) < moment)) continue;
    await store.webhooks.remove(webhook.id);
  }
  return lost;
}

/** Keeps a webhook that nobody asked for to be read. */
export const keep = ({ store }: Pick<Deps, 'store'>, webhook: Webhook): Promise<void> =>
  inTurn(() => store.webhooks.put(webhook.id, { ...webhook, unread: true }));

/** Lets go of what was read and of what is over the quota, which is counted and logged. Takes time for each that is kept. */
export const letGo = (deps: Pick<Deps, 'store' | 'clock' | 'log'>): Promise<void> =>
  inTurn(async () => {
    const { store, log } = deps;
    const lost = await trim(deps);
    if (lost === 0) return;
    const all = (await lostIn(store)) + lost;
    await store.counts.put('lostWebhooks', all);
    log.warn({ lost: all }, 'too many webhooks are unread: the oldest were let go');
  });

/** How many webhooks were not kept because too many were unread; counted anew once all have been read. */
export const lostIn = async (store: Store): Promise<number> => (await store.counts.get('lostWebhooks')) ?? 0;

/** In order of arrival. */
export const unreadIn = async (store: Store): Promise<Webhook[]> =>
  (await store.webhooks.list()).flatMap(({ unread, readAt: _readAt, ...webhook }) => (unread ? [webhook] : []));

/**
 * The latest of them, in order of arrival, as many as the settings carry: at least one of those that are not too long
 * for every answer about settings.
 */
export function latestOf(unread: readonly Webhook[]): Webhook[] {
  const latest: Webhook[] = [];
  let length = 0;
  for (const webhook of unread.toReversed()) {
    const own = lengthOf(webhook);
    if (own > longestInSettings) continue;
    length += own;
    if (length > settingsLength && latest.length > 0) break;
    latest.unshift(webhook);
  }
  return latest;
}

/** Marks webhooks as read: those with these ids, or all of them. */
export const markRead = (deps: Pick<Deps, 'store' | 'clock'>, ids?: readonly string[]): Promise<void> =>
  inTurn(async () => {
    const { store, clock } = deps;
    for (const webhook of await store.webhooks.list())
      if (webhook.unread && (ids?.includes(webhook.id) ?? true))
        await store.webhooks.put(webhook.id, { ...webhook, unread: false, readAt: clock.now() });
    await trim(deps);
    if ((await unreadIn(store)).length === 0) await store.counts.remove('lostWebhooks');
  });
