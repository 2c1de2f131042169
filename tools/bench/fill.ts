/**
 * Fills the console's storage in a data folder. A process of its own, because it locks the file until it ends. `argv`:
 * the folder, and the number of records of each kind.
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import { systemClock as clock } from '../../server/clock.ts';
import { firstCompany } from '../../server/companies/companyList.ts';
import { defaultWorkspace } from '../../server/http/user.ts';
import { storeKeysOf } from '../../server/storage/keys.ts';
import { openStorage } from '../../server/storage/open.ts';
import { creditor, debtor } from '../../tests/support/fixtures.ts';

const [dataDir = '', size = ''] = argv.slice(2);
const at = { workspace: defaultWorkspace, companyKey: firstCompany };
const url = `file:${join(dataDir, 'console.sqlite')}`;

const { keys, keep } = storeKeysOf({ storeUrl: url, storeKeys: [], dataDir });
const storage = await openStorage({
  url,
  keys,
  clock,
  onError(error) {
    throw error;
  },
});
keep();

/** Fills one kind with what `make` makes of an id. */
async function fill<Item extends object>(
  kind: string,
  make: (id: string) => Item,
  columns: { subject?: (item: Item) => string } = {},
): Promise<void> {
  const items = Array.from({ length: Number(size) }, (_, index) => [`id-${index}`, make(`id-${index}`)] as const);
  await storage.records<Item>({ kind, columns }, at).putAll(items);
}

/** Before one is chosen, the facts count what belongs to none. */
const subscriptionId = '';
const subject = (record: { subscriptionId: string }) => record.subscriptionId;
const postedAt = '2026-01-01T00:00:00.000Z';

await fill('batches', (batchId) => ({ batchId, status: 'Completed', amount: '1.00 GBP', kind: 'file', postedAt }));
// Each batch was paid by a write, with one invoice.
await storage.transaction(at.workspace, async () => {
  for (let index = 0; index < Number(size); index += 1) {
    const [key, batchId] = [`key-${index}`, `id-${index}`];
    const claim = { ...at, key, call: 'createBatch', fingerprint: key, serviceKey: key, serviceTime: undefined };
    const write = await storage.writes.claim({ ...claim, body: { payments: [] } });
    const { tag } = storage;
    const facts = { reference: tag(key), note: '', sum: tag('sum', String(index % 1000)), payee_ids: tag('payee') };
    await storage.invoiceLines.add(write!.position, [{ ...facts, ibans: '', numbers: '', name: tag('name') }]); // the key is new
    const answer = { data: { batchId, status: 'Completed' } };
    await storage.writes.end(write!, { answer, created: { kind: 'batch', id: batchId } });
  }
});
await fill('subscriptions', (id) => ({
  subscriptionId: id,
  providerId: '',
  status: 'Authorised',
  suspended: false,
  useMock: 'true',
}));
await fill('debtors', (debtorId) => ({ ...debtor, debtorId, subscriptionId }), { subject });
await fill('creditors', (creditorId) => ({ ...creditor, creditorId, subscriptionId }), { subject });
await storage.close();
