import { expect, it } from 'vitest';
import { keep } from '#server/webhooks/inbox.ts';
import { testStore } from '#tests/support/store.ts';

it('the inbox keeps the newest 500 webhooks', async () => {
  const store = testStore();
  for (let index = 0; index < 501; index += 1)
    await keep(store, { id: `${index}`, receivedAt: '2026-01-01T00:00:00.000Z', type: 'updates' }, true);
  const ids = (await store.webhooks.list()).map(({ id }) => id);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([500, '1', '500']);
});
