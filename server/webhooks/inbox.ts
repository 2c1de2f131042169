import { stringify } from '#contract/json.ts';
import type { Webhook } from '#contract/message.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { pageOfRecords, type PageQuery } from '#server/http/pagination.ts';
import { unreadOnly, webhooks } from '#server/messages/records.ts';
import type { StoredWebhook } from '#server/messages/records.ts';
import type { RecordKind } from '#server/storage/records.ts';
import type { Store } from '#server/companies/companyStore.ts';

/** The number of unread webhooks that were removed, under `removedUnreadKey`. */
export const counts: RecordKind<number> = { kind: 'counts' };
const removedUnreadKey = 'lostWebhooks';

/** Limits of unsolicited unread webhooks: their number, and their total length in characters of JSON. */
export const webhookQuota = { webhooks: 200, length: 1024 * 1024 } as const;

/**
 * Maximum number of characters of the unread webhooks returned with the settings: of all together, and of a single one.
 * The list of webhooks also returns the others.
 */
const settingsLength = 64 * 1024;
const maximumInSettings = 512 * 1024;

/**
 * Times (ms) after which webhooks are removed: `read`, the answer to a query after it was read, because another tab may
 * have sent the same query (others are removed at once); `unread`, an unsolicited unread webhook after it arrived.
 */
export const lifetimes = { read: 60_000, unread: 30 * 24 * 60 * 60_000 } as const;

const lengthOf = (webhook: Webhook): number => stringify(webhook).length;

/**
 * Removes read webhooks, unread ones beyond their life, and the oldest unread ones beyond the quota. Returns the number
 * of the latter two.
 */
async function trim({ store, clock }: Pick<CompanyContext, 'store' | 'clock'>): Promise<number> {
  let number = 0;
  let length = 0;
  let removed = 0;
  // Answers to queries are exempt from the quota and are kept for a while after they were read.
  for (const { unread, readAt = 0, isAnswer = false, ...webhook } of (await store.records(webhooks).list()).reverse()) {
    if (unread && !isAnswer) {
      number += 1;
      length += lengthOf(webhook);
      const isOld = clock.now() - Date.parse(webhook.receivedAt) > lifetimes.unread;
      if (number <= webhookQuota.webhooks && length <= webhookQuota.length && !isOld) continue;
      removed += 1;
    } else if (unread) continue;
    else if (isAnswer && Math.abs(clock.now() - readAt) < lifetimes.read) continue;
    await store.records(webhooks).remove(webhook.id);
  }
  return removed;
}

/** Stores an unsolicited webhook as unread. */
export const saveWebhook = (store: Store, webhook: Webhook): Promise<void> =>
  store.records(webhooks).put(webhook.id, { ...webhook, unread: true });

/**
 * Removes webhooks that were read, exceed the quota or are too old; counts and logs the latter two. Takes time
 * proportional to the number of stored webhooks.
 */
export const pruneWebhooks = (deps: Pick<CompanyContext, 'store' | 'clock' | 'log'>): Promise<void> =>
  deps.store.transaction(async () => {
    const { store, log } = deps;
    const removed = await trim(deps);
    if (removed === 0) return;
    const all = (await removedUnread(store)) + removed;
    await store.records(counts).put(removedUnreadKey, all);
    log.warn({ lost: all }, 'too many webhooks are unread, or for too long: the oldest were removed');
  });

/**
 * Returns the number of unread webhooks removed because of the quota or their age; reset when all others have been
 * read.
 */
export const removedUnread = async (store: Store): Promise<number> =>
  (await store.records(counts).get(removedUnreadKey)) ?? 0;

const shown = ({ unread: _unread, readAt: _readAt, isAnswer: _isAnswer, ...webhook }: StoredWebhook): Webhook =>
  webhook;

/** Returns a page of the unread webhooks, latest first. Throws as `pageOfRecords` does. */
export async function unreadPage(store: Store, query: PageQuery) {
  const page = await pageOfRecords(store.records(webhooks), { where: unreadOnly, idOf: ({ id }) => id }, query);
  return { ...page, data: page.data.map(shown) };
}

/**
 * Returns the latest unread webhooks, in order of arrival, up to the length allowed in the settings; undefined if there
 * are none. Omits webhooks that are too long on their own; returns at least one of the others.
 */
export async function latestUnread(store: Store): Promise<Webhook[] | undefined> {
  const latest: Webhook[] = [];
  let length = 0;
  let isAny = false;
  for await (const stored of store.records(webhooks).newest(unreadOnly)) {
    const webhook = shown(stored);
    isAny = true;
    const own = lengthOf(webhook);
    if (own > maximumInSettings) continue;
    length += own;
    if (length > settingsLength && latest.length > 0) break;
    latest.push(webhook);
  }
  return isAny ? latest.reverse() : undefined;
}

const prunesUnderWay = (deps: Pick<CompanyContext, 'store' | 'clock' | 'log'>): Promise<void> =>
  pruneWebhooks(deps).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'webhooks that were read are still kept'),
  );

/** Returns the unread webhooks with these ids; reads the others only if more ids are given than are unread. */
async function unreadAmong(store: Store, ids: ReadonlySet<string>): Promise<StoredWebhook[]> {
  const stored = store.records(webhooks);
  if (ids.size > (await stored.count(unreadOnly, ids.size)))
    return (await stored.list(unreadOnly)).filter(({ id }) => ids.has(id));
  const named = await Promise.all([...ids].map((id) => stored.get(id)));
  return named.flatMap((webhook) => (webhook?.unread ? [webhook] : []));
}

/**
 * Marks webhooks as read: those with these ids, or all of them. Answers to queries stay for a while, the others are
 * removed.
 */
export const markRead = (
  deps: Pick<CompanyContext, 'store' | 'clock' | 'log'>,
  ids?: readonly string[],
): Promise<void> =>
  deps.store.transaction(async () => {
    const { store, clock } = deps;
    const stored = store.records(webhooks);
    const unread = ids ? await unreadAmong(store, new Set(ids)) : await stored.list(unreadOnly);
    let isAnyKept = false;
    for (const webhook of unread) {
      if (webhook.isAnswer) await stored.put(webhook.id, { ...webhook, unread: false, readAt: clock.now() });
      else await stored.remove(webhook.id);
      isAnyKept ||= webhook.isAnswer === true;
    }
    if (isAnyKept) clock.setTimeout(() => void prunesUnderWay(deps), lifetimes.read);
    if ((await stored.count(unreadOnly, 1)) === 0) await store.records(counts).remove(removedUnreadKey);
  });
