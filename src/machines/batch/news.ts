import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { batchEndStatuses } from '#contract/constants.ts';

export const isEnd = (status: string): boolean => batchEndStatuses.includes(status);

/** Whether the facts say another status of a batch that was just read; they tell that of the current batch only. */
export const isNews = (
  { settings, batchStatus }: Facts,
  { batchId, status }: Pick<BatchRecord, 'batchId' | 'status'>,
): boolean => batchId === settings.batchId && status !== batchStatus;
