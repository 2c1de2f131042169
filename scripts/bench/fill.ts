/**
 * Fills the console's storage in a data folder, and prints what a write and a page of each kind cost there, in ms of CPU,
 * as JSON. A process of its own, because it locks the file until it ends. `argv`: the folder, the number of records.
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import { storeKeysOf } from '#server/storage/keys.ts';
import { creditor, debtor } from '#tests/support/fixtures.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';
import { spentOn, type Filled } from './row.ts';
import { here, opened, recordsOf } from './storage.ts';

const [dataDir = '', size = ''] = argv.slice(2);
const at = '2026-01-01T00:00:00.000Z';
/** What the server keeps at most of these; see keep.ts, inbox.ts and timeline.ts. */
const most = { messages: 1000, webhooks: 200, timeline: 1000 };
const [pages, perPage] = [20, 20];
const perTransaction = 1000;

const url = `file:${join(dataDir, 'console.sqlite')}`;
const storage = await opened(url, storeKeysOf({ storeUrl: url, storeKeys: [], dataDir }));
const filled: Filled = {};

/** Fills one kind with `make`, then writes more and lists the latest ones. Returns its records. */
async function fill(name: string, kind: string, make: (id: string) => object, bound = Infinity) {
  const records = recordsOf(storage, kind);
  const record = (id: string) => ({ ...make(id) });
  const count = Math.min(Number(size), bound);
  await records.putAll(
    here,
    Array.from({ length: count }, (_, index) => [`id-${index}`, record(`id-${index}`)]),
  );
  const where = kind.endsWith('tors') ? { where: { subject: '' } } : {};
  filled[name] = {
    count,
    write: await spentOn(pages, (turn) => records.put(here, `more-${turn}`, record(`more-${turn}`))),
    page: await spentOn(pages, () => records.page(here, { order: 'desc', limit: perPage, ...where })),
  };
  for (let turn = 0; turn < pages; turn += 1) await records.remove(here, `more-${turn}`);
  return records;
}

const batches = await fill('batches', 'batches', (batchId) => ({
  ...{ batchId, status: 'Completed', amount: '1.00 GBP', kind: 'file', postedAt: at },
}));
await fill('payment attempts', 'paymentAttempts', (key) => ({
  ...{ key, intention: key, state: 'done', madeAt: 1, sentAt: 1, request: '', despite: [] },
}));
await fill('subscriptions', 'subscriptions', (subscriptionId) => ({
  ...{ subscriptionId, providerId: '', status: 'Authorised', suspended: false, useMock: 'true' },
}));
await fill('debtors', 'debtors', (debtorId) => ({ ...debtor, debtorId, subscriptionId: '' }));
await fill('creditors', 'creditors', (creditorId) => ({ ...creditor, creditorId, subscriptionId: '' }));
await fill(
  'messages',
  'messages',
  (messageId) => keptMessage({ messageId, resourceId: messageId, kind: 'creditorputs' }),
  most.messages,
);
await fill(
  'webhooks waiting',
  'webhooks',
  (id) => ({ id, receivedAt: new Date().toISOString(), type: 'batchUpdated', unread: true }),
  most.webhooks,
);

/** Runs this for each of the records to fill, many in one transaction. */
async function many(run: (index: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < Number(size); from += perTransaction)
    await storage.transaction(here.workspace, async () => {
      for (let index = from; index < Math.min(from + perTransaction, Number(size)); index += 1) await run(index);
    });
}

const { paidInvoices } = storage;
/** Pays two invoices. */
async function pay(key: string): Promise<void> {
  await paidInvoices.reserve(here, { key, identities: [`${key}-1`, `${key}-2`] });
  await paidInvoices.confirm(here, key, key);
}
await many((index) => pay(`id-${index}`));
filled['paid invoices'] = {
  count: Number(size),
  write: await spentOn(pages, (turn) => pay(`more-${turn}`)),
  page: await spentOn(pages, (turn) => paidInvoices.covering(here, [`id-${turn}-1`, `none-${turn}`])),
};

const timeline = storage.timeline<object>();
const entry = (id: number) => ({ id: String(id), at: Date.now(), length: 1, value: timelineEntry({ id: String(id) }) });
const entries = Math.min(Number(size), most.timeline);
await timeline.append(
  here.workspace,
  Array.from({ length: entries }, (_, index) => entry(index + 1)),
);
let written = entries;
filled['timeline'] = {
  count: entries,
  write: await spentOn(pages, () => timeline.append(here.workspace, [entry((written += 1))])),
  page: await spentOn(pages, () => timeline.latest(here.workspace, perPage)),
};

/** Workspaces with a setting and a batch each; the cost is that of one of them. */
const placeOf = (index: number) => ({ workspace: `workspace-${index}`, company: here.company });
await many((index) =>
  batches.put(placeOf(index), `batch-${index}`, { batchId: '', status: '', amount: '', postedAt: at }),
);
filled['workspaces'] = {
  count: Number(size),
  write: await spentOn(pages, (turn) =>
    storage.settings.of<string>({ ...placeOf(turn % 10), company: '' }).set('useMock', String(turn)),
  ),
  page: await spentOn(pages, async (turn) => {
    await batches.locationsOf(`batch-${turn % 10}`);
    await storage.settings.companies(placeOf(turn % 10).workspace);
  }),
};
await storage.close();
console.log(JSON.stringify(filled));
