/**
 * Fills the console's store in a data folder, and prints what a write and a page of each kind cost there, in ms of CPU,
 * as JSON. A process of its own, because it locks the file until it ends. `argv`: the folder, the number of records.
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import { systemClock as clock } from '#server/clock.ts';
import { storeKeysOf } from '#server/store/keys.ts';
import { latest } from '#server/store/records.ts';
import type { Records } from '#server/store/records.ts';
import { openStores } from '#server/store/store.ts';
import { defaultWorkspace } from '#server/workspace/workspaces.ts';
import { creditor, debtor } from '#tests/support/material.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';
import { spentOn, type Filled } from './row.ts';

const [dataDir = '', size = ''] = argv.slice(2);
const at = '2026-01-01T00:00:00.000Z';
/** What the server keeps at most of these; see keep.ts, inbox.ts and timeline.ts. */
const most = { messages: 1000, webhooks: 200, timeline: 1000 };
const [pages, perPage] = [20, 20];

const url = `file:${join(dataDir, 'console.sqlite')}`;
const stores = await openStores({
  url,
  keys: storeKeysOf({ storeUrl: url, storeKeys: [], dataDir }),
  clock,
  onError(error) {
    throw error;
  },
});
const store = stores.of(defaultWorkspace);
const filled: Filled = {};

/** Fills one kind with `make`, then writes more and lists the latest ones. */
async function fill<Value>(kind: string, records: Records<Value>, make: (id: string) => Value, bound = Infinity) {
  const count = Math.min(Number(size), bound);
  await records.putAll(Array.from({ length: count }, (_, index) => [`id-${index}`, make(`id-${index}`)]));
  filled[kind] = {
    count,
    write: await spentOn(pages, (turn) => records.put(`more-${turn}`, make(`more-${turn}`))),
    page: await spentOn(pages, () => latest(records.newest(kind.endsWith('tors') ? '' : undefined), perPage)),
  };
  for (let turn = 0; turn < pages; turn += 1) await records.remove(`more-${turn}`);
}

await fill('batches', store.batches, (batchId) => ({
  ...{ batchId, status: 'Completed', amount: '1.00 GBP', kind: 'file' as const, postedAt: at },
}));
await fill('payment attempts', store.attempts, (key) => ({
  ...{ key, intention: key, invoices: [`${key}-1`, `${key}-2`], state: 'done' as const, madeAt: 1, sentAt: 1 },
  ...{ batchId: key, request: '', despite: [] },
}));
await fill('subscriptions', store.subscriptions, (subscriptionId) => ({
  ...{ subscriptionId, providerId: '', status: 'Authorised', suspended: false, useMock: 'true' },
}));
await fill('debtors', store.debtors, (debtorId) => ({ ...debtor, debtorId, subscriptionId: '' }));
await fill('creditors', store.creditors, (creditorId) => ({ ...creditor, creditorId, subscriptionId: '' }));
await fill(
  'messages',
  store.messages,
  (messageId) => keptMessage({ messageId, resourceId: messageId, kind: 'creditorputs' }),
  most.messages,
);
await fill(
  'webhooks waiting',
  store.webhooks,
  (id) => ({ id, receivedAt: new Date().toISOString(), type: 'batchUpdated', unread: true }),
  most.webhooks,
);
await fill(
  'timeline',
  store.timeline,
  (id) => [timelineEntry({ id: String(Number(id.slice(id.indexOf('-') + 1)) + 1), at: new Date().toISOString() })],
  most.timeline,
);

/** Workspaces with a setting and a batch each; the cost is that of one of them. */
for (let index = 0; index < Number(size); index += 1) {
  const other = stores.of(`workspace-${index}`);
  await other.batches.put(`batch-${index}`, { batchId: '', status: '', amount: '', kind: 'file', postedAt: at });
}
filled['workspaces'] = {
  count: Number(size),
  write: await spentOn(pages, (turn) => stores.of(`workspace-${turn % 10}`).settings.write('useMock', String(turn))),
  page: await spentOn(pages, async (turn) => {
    await stores.ownersOf('batches', `batch-${turn % 10}`);
    await stores.of(`workspace-${turn % 10}`).scopes.list();
  }),
};
await stores.close();
console.log(JSON.stringify(filled));
