import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { batchEndStatuses } from '#contract/constants.ts';

export const isEnd = (status: string): boolean => batchEndStatuses.includes(status);

/**
 * Whether the status of a batch just read differs from the one in the facts, which contain only the current batch's.
 */
export const isNews = (
  { settings, batchStatus }: Facts,
  { batchId, status }: Pick<BatchRecord, 'batchId' | 'status'>,
): boolean => batchId === settings.batchId && status !== batchStatus;
