import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Webhook } from '#contract/message.ts';
import { systemClock } from '#server/clock.ts';
import {
  saveWebhook,
  latestUnread,
  pruneWebhooks,
  lifetimes,
  removedUnread,
  markRead,
  webhookQuota,
} from '#server/webhooks/inbox.ts';
import { eventually } from '#tests/support/eventually.ts';
import { currentStore, storageIn, testStore } from '#tests/support/store.ts';

const webhook = (id: number | string, data = ''): Webhook => ({
  id: `${id}`,
  receivedAt: new Date().toISOString(),
  type: 'updates',
  data,
});

/** Stores a webhook and prunes the inbox, as a delivery of one event does. */
async function keep(deps: Parameters<typeof pruneWebhooks>[0], one: Webhook): Promise<void> {
  await saveWebhook(deps.store, one);
  await pruneWebhooks(deps);
}

async function inbox() {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const store = await testStore();
  const deps = { store, clock: systemClock, log };
  const ids = async () => (await store.webhooks.list()).flatMap(({ id, unread }) => (unread ? [id] : []));
  return { store, deps, lines, ids };
}

describe('The inbox of webhooks', () => {
  it('keeps the latest unread up to its quota, and counts the removed ones (threat 5.10)', async () => {
    const { store, deps, lines, ids } = await inbox();
    for (let index = 0; index < webhookQuota.webhooks; index += 1) await saveWebhook(deps.store, webhook(index));
    for (const index of [0, 1, 2]) await keep(deps, webhook(webhookQuota.webhooks + index));
    expect(await ids()).toEqual(Array.from({ length: webhookQuota.webhooks }, (_, index) => `${index + 3}`));
    expect(await removedUnread(store)).toBe(3);
    expect(lines.map((line) => (JSON.parse(line) as { lost: number }).lost)).toEqual([1, 2, 3]);
  });

  it('limits the total length of its webhooks', async () => {
    const { store, deps, ids } = await inbox();
    for (const id of ['a', 'b', 'c']) await keep(deps, webhook(id, 'x'.repeat(webhookQuota.length / 2 - 500)));
    expect(await ids()).toEqual(['b', 'c']);
    await keep(deps, webhook('huge', 'x'.repeat(webhookQuota.length)));
    expect((await store.webhooks.list()).length).toBe(0);
    expect(await removedUnread(store)).toBe(4);
  });

  it('removes webhooks that were read, and resets the count once all are read', async () => {
    const { store, deps, ids } = await inbox();
    for (let index = 0; index < webhookQuota.webhooks; index += 1) await saveWebhook(deps.store, webhook(index));
    await keep(deps, webhook(webhookQuota.webhooks));
    await markRead(deps, ['5']);
    expect(await ids()).not.toContain('5');
    expect(await store.webhooks.get('5')).toBeUndefined();
    expect(await removedUnread(store)).toBe(1);
    await markRead(deps);
    expect(await store.webhooks.list()).toEqual([]);
    expect(await removedUnread(store)).toBe(0);
  });

  it('leaves webhooks alone that are unknown or read already, also if they are named several times', async () => {
    const { store, deps, ids } = await inbox();
    for (const id of ['a', 'b', 'answer']) await saveWebhook(deps.store, webhook(id));
    await store.webhooks.change('answer', (kept) => ({ ...kept, unread: false, isAnswer: true, readAt: 1 }));
    await markRead(deps, ['a', 'a', 'answer', 'unknown', '']);
    expect(await ids()).toEqual(['b']);
    expect(await store.webhooks.get('answer')).toMatchObject({ readAt: 1 });
    await markRead(deps, []);
    expect(await ids()).toEqual(['b']);
  });

  it('takes no more statements for 3,000 names than for as many as it has', async () => {
    let statements = 0;
    const storage = await storageIn(undefined, undefined, undefined, undefined, () => (statements += 1));
    const deps = { store: currentStore(storage), clock: systemClock, log: pino({ level: 'silent' }) };
    for (const id of ['a', 'b', 'c']) await saveWebhook(deps.store, webhook(id));
    statements = 0;
    await markRead(deps, ['b', ...Array.from({ length: 3000 }, (_, index) => `unknown-${index}`)]);
    expect(statements).toBeLessThan(20);
    expect((await deps.store.webhooks.list()).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('removes webhooks unread for a month, unless they answer a query (behaviour 4.12)', async () => {
    const { store, deps, lines, ids } = await inbox();
    let now = Date.now();
    const later = { ...deps, clock: { ...systemClock, now: () => now } };
    for (const id of ['old', 'awaited']) await keep(later, webhook(id));
    await store.webhooks.change('awaited', (kept) => ({ ...kept, isAnswer: true }));
    now += lifetimes.unread;
    await keep(later, { ...webhook('new'), receivedAt: new Date(now).toISOString() });
    expect(await ids()).toEqual(['old', 'awaited', 'new']);
    now += 1000;
    await pruneWebhooks(later);
    expect(await ids()).toEqual(['awaited', 'new']);
    expect(await removedUnread(store)).toBe(1);
    expect(lines).toHaveLength(1);
  });

  it('removes the answer to a query a minute after it was read, by a timer (behaviour 4.11)', async () => {
    const { store, deps } = await inbox();
    let now = Date.now();
    const timers: { run: () => void; ms: number }[] = [];
    const clock = {
      ...systemClock,
      now: () => now,
      setTimeout: (run: () => void, ms: number) => timers.push({ run, ms }),
    };
    await keep(deps, webhook('answer'));
    await store.webhooks.change('answer', (kept) => ({ ...kept, isAnswer: true }));
    await markRead({ ...deps, clock });
    expect(await store.webhooks.get('answer')).toMatchObject({ unread: false });
    expect(timers.map(({ ms }) => ms)).toEqual([lifetimes.read]);
    now += lifetimes.read;
    timers[0]!.run(); // the only one
    await eventually(async () => expect(await store.webhooks.list()).toEqual([]));
    expect(await removedUnread(store)).toBe(0);
  });

  it('lists only the latest unread webhooks in the settings, up to a total length (threat 5.10)', async () => {
    const latestOf = async (webhooks: readonly Webhook[]) => {
      const { store, deps } = await inbox();
      for (const each of webhooks) await saveWebhook(deps.store, each);
      return (await latestUnread(store))?.map(({ id }) => id);
    };
    const many = Array.from({ length: 30 }, (_, index) => webhook(index, 'x'.repeat(20_000)));
    expect(await latestOf(many)).toEqual(['27', '28', '29']);
    expect(await latestOf([webhook('a'), webhook('b', 'x'.repeat(100_000))])).toEqual(['b']);
    expect(await latestOf([webhook('a'), webhook('b', 'x'.repeat(600_000)), webhook('c')])).toEqual(['a', 'c']);
    expect(await latestOf([webhook('a', 'x'.repeat(600_000))])).toEqual([]);
    expect(await latestOf([])).toBeUndefined();
  });
});
