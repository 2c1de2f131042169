import { amountText, creditorCount, totalsByCurrency } from '#rules/batch.ts';
import { iso } from '#server/clock.ts';
import type { Batch } from '#server/writes/invoices.ts';
import type { BatchRecord } from '#contract/batch.ts';
import { withStatus } from '#contract/status.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { batchAnswers, batches, type BatchAnswer } from '#server/companies/records.ts';

/** Returns the record of a batch with the status that the service last answered. */
export const withAnswer = (record: BatchRecord, answer: BatchAnswer): BatchRecord => ({
  ...withStatus(record, answer),
  readAt: answer.readAt,
  ...(answer.totals && { totals: answer.totals }),
});

/** Returns the status that the service last answered about a batch; that of its record if it was never read. */
export async function lastStatusOf(store: Store, batchId: string): Promise<string> {
  const answer = await store.records(batchAnswers).get(batchId);
  return (answer ?? (await store.records(batches).get(batchId)))?.status ?? '';
}

/** What the record of a batch holds of its request. */
const recordOf = ({ fileFormatId, payments }: Batch) => ({
  amount: amountText(totalsByCurrency(payments.map(({ instructedAmount }) => instructedAmount))),
  kind: fileFormatId === undefined ? ('electronic' as const) : ('file' as const),
  creditors: creditorCount(payments),
});

/**
 * Within the transaction that ends a payment, which was posted at a time (ms): makes its batch the current one, and stores its
 * record unless there is one, with the answer of a read that came before it.
 */
export async function keepBatch(
  store: Store,
  made: { batchId: string; status: string },
  batch: Batch,
  postedAt: number,
): Promise<void> {
  const { batchId, status } = made;
  const record = { batchId, status, ...recordOf(batch), postedAt: iso(postedAt) };
  const known = await store.records(batchAnswers).get(batchId);
  await store.records(batches).insert(batchId, known ? withAnswer(record, known) : record);
  await store.settings.write('batchId', batchId);
}
