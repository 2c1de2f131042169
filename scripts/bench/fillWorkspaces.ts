/**
 * Fills a store with workspaces, each with a subscription, by which webhooks find it, and batches. A process of its own,
 * because it locks the file until it ends. `argv`: the store's URL and key, the numbers of workspaces and of batches.
 */
import { argv } from 'node:process';
import { systemClock } from '#server/clock.ts';
import { keyFrom } from '#server/store/keys.ts';
import { openStores } from '#server/store/store.ts';

const [url = '', key = '', workspaces, records] = argv.slice(2);
const stores = await openStores({ url, keys: [keyFrom(key)], clock: systemClock, onError: console.error });
const [status, kind, postedAt] = ['Completed', 'file', '2026-01-01T00:00:00.000Z'] as const;
for (let index = 0; index < Number(workspaces); index += 1) {
  const { batches, subscriptions } = stores.of(`workspace-${index}`);
  await batches.putAll(
    Array.from({ length: Number(records) }, (_, record) => {
      const batchId = `batch-${index}-${record}`;
      return [batchId, { batchId, status, amount: '1.00 GBP', kind, postedAt }];
    }),
  );
  const subscriptionId = `subscription-${index}`;
  await subscriptions.put(subscriptionId, {
    ...{ subscriptionId, providerId: '', status: 'Authorised', suspended: false, useMock: 'true' },
  });
}
await stores.close();
