/**
 * Fills a database with workspaces, each with a subscription, by which webhooks find it, and batches. A process of its own,
 * because it locks the file until it ends. `argv`: the database's URL and key, the numbers of workspaces and of batches.
 */
import { argv } from 'node:process';
import { here, opened, recordsOf } from './storage.ts';

const [url = '', key = '', workspaces, records] = argv.slice(2);
const storage = await opened(url, key);
const [batches, subscriptions] = [recordsOf(storage, 'batches'), recordsOf(storage, 'subscriptions')];
const [status, kind, postedAt] = ['Completed', 'file', '2026-01-01T00:00:00.000Z'] as const;
for (let index = 0; index < Number(workspaces); index += 1) {
  const at = { ...here, workspace: `workspace-${index}` };
  await batches.putAll(
    at,
    Array.from({ length: Number(records) }, (_, record) => {
      const batchId = `batch-${index}-${record}`;
      return [batchId, { batchId, status, amount: '1.00 GBP', kind, postedAt }];
    }),
  );
  const subscriptionId = `subscription-${index}`;
  await subscriptions.put(at, subscriptionId, {
    ...{ subscriptionId, providerId: '', status: 'Authorised', suspended: false, useMock: 'true' },
  });
}
await storage.close();
