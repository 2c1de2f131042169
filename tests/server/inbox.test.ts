import { expect, it } from 'vitest';
import { keep } from '#server/webhooks/inbox.ts';
import { testStore } from '#tests/support/store.ts';

it('the inbox keeps all that nobody has read, and about 500 of those that were', async () => {
  const store = testStore();
  for (let index = 0; index < 640; index += 1)
    await keep(store, { id: `${index}`, receivedAt: '2026-01-01T00:00:00.000Z', type: 'updates' }, index % 32 === 0);
  const kept = await store.webhooks.list();
  expect(kept.filter(({ unread }) => unread)).toHaveLength(20);
  const read = kept.flatMap(({ id, unread }) => (unread ? [] : id));
  expect(read.length).toBeGreaterThanOrEqual(500);
  expect(read.length).toBeLessThan(600);
  expect(read.at(-1)).toBe('639');
});
