import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Webhook } from '#contract/message.ts';
import { systemClock } from '#server/clock.ts';
import { keep as keepAll, latestUnread, letGo, lostIn, markRead, quota, unreadIn } from '#server/webhooks/inbox.ts';
import { testStore } from '#tests/support/store.ts';

const webhook = (id: number | string, data = ''): Webhook => ({
  id: `${id}`,
  receivedAt: '2026-01-01T00:00:00.000Z',
  type: 'updates',
  data,
});

/** As at the end of a delivery of one event. */
async function keep(deps: Parameters<typeof letGo>[0], one: Webhook): Promise<void> {
  await keepAll(deps, one);
  await letGo(deps);
}

function inbox() {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const store = testStore();
  const deps = { store, clock: systemClock, log };
  const ids = async () => (await unreadIn(store)).map(({ id }) => id);
  return { store, deps, lines, ids };
}

describe('the inbox of webhooks', () => {
  it('keeps the latest unread up to its quota, and counts those removed', async () => {
    const { store, deps, lines, ids } = inbox();
    for (let index = 0; index < quota.webhooks + 3; index += 1) await keep(deps, webhook(index));
    expect(await ids()).toEqual(Array.from({ length: quota.webhooks }, (_, index) => `${index + 3}`));
    expect(await lostIn(store)).toBe(3);
    expect(lines.map((line) => (JSON.parse(line) as { lost: number }).lost)).toEqual([1, 2, 3]);
  });

  it('also limits their total length', async () => {
    const { store, deps, ids } = inbox();
    for (const id of ['a', 'b', 'c']) await keep(deps, webhook(id, 'x'.repeat(quota.length / 2 - 500)));
    expect(await ids()).toEqual(['b', 'c']);
    await keep(deps, webhook('huge', 'x'.repeat(quota.length)));
    expect((await store.webhooks.list()).length).toBe(0);
    expect(await lostIn(store)).toBe(4);
  });

  it('removes those that were read, and resets the count once all are', async () => {
    const { store, deps, ids } = inbox();
    for (let index = 0; index <= quota.webhooks; index += 1) await keep(deps, webhook(index));
    await markRead(deps, ['5']);
    expect(await ids()).not.toContain('5');
    expect(await store.webhooks.get('5')).toBeUndefined();
    expect(await lostIn(store)).toBe(1);
    await markRead(deps);
    expect(await store.webhooks.list()).toEqual([]);
    expect(await lostIn(store)).toBe(0);
  });

  it('puts only the latest into the settings, at least one unless it is too long', async () => {
    const latestOf = async (webhooks: readonly Webhook[]) => {
      const { store, deps } = inbox();
      for (const each of webhooks) await keepAll(deps, each);
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
