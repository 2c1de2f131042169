import type { BatchRecord } from '#contract/batch.ts';
import type { BatchStatus } from '#contract/status.ts';
import type { ServiceAnswer } from '#server/companies/answers.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { batches } from '#server/companies/records.ts';
import type { RecordKind } from '#server/storage/records.ts';
import type { Failures } from './failures.ts';

/**
 * What the service last answered about a batch. Only this decides whether its invoices can be paid again: the record of
 * the batch may have a status that a user has written.
 */
export interface BatchAnswer extends ServiceAnswer, Failures, BatchStatus {
  batchId: string;
  /** When it was read (ISO time). */
  readAt: string;
  /** When it was read for the first time; absent in records of earlier versions. */
  firstReadAt?: string;
}

export const batchAnswers: RecordKind<BatchAnswer> = { kind: 'batchAnswers' };

/** Returns the record of a batch with the status that the service last answered. */
export const withAnswer = (
  { ended: _, ...record }: BatchRecord,
  { status, ended, readAt }: BatchAnswer,
): BatchRecord => ({
  ...record,
  status,
  ...(ended !== undefined && { ended }),
  readAt,
});

/** Returns the status that the service last answered about a batch; that of its record if it was never read. */
export async function lastStatusOf(store: Store, batchId: string): Promise<string> {
  const answer = await store.records(batchAnswers).get(batchId);
  return (answer ?? (await store.records(batches).get(batchId)))?.status ?? '';
}

/** Stores the record of a batch unless there is one; with the answer of a read that came before it. */
export const insertBatch = (store: Store, record: BatchRecord): Promise<void> =>
  store.transaction(async () => {
    const known = await store.records(batchAnswers).get(record.batchId);
    await store.records(batches).insert(record.batchId, known ? withAnswer(record, known) : record);
  });
