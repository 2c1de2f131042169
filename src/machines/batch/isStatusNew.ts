import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';

/** Whether a batch is the current one and its status differs from that in the facts. */
export const isStatusNew = (
  { settings, batchStatus }: Facts,
  { batchId, status }: Pick<BatchRecord, 'batchId' | 'status'>,
): boolean => batchId === settings.batchId && status !== batchStatus;
