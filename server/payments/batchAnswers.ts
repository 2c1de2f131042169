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

/** Within a transaction: stores the record of a batch unless there is one, with the answer of a read that came before it. */
export async function insertBatch(store: Store, record: BatchRecord): Promise<void> {
  const known = await store.records(batchAnswers).get(record.batchId);
  await store.records(batches).insert(record.batchId, known ? withAnswer(record, known) : record);
}
