import { calls } from '#contract/calls.ts';
import { isBatchEnd, isKnownStatus, statusOf, type SaidStatus } from '#contract/status.ts';
import type { Exchange } from './line.ts';
import { areBatchesWritten } from './stored.ts';

interface Shown extends SaidStatus {
  batchId: string;
}

const isOk = ({ status }: Exchange): boolean => status >= 200 && status < 300;
const batch = new RegExp(`^${calls.getBatch.path.replace(/\{\w+\}/, '[^/]+')}$`);

/** The batches that an answer shows, each with its status. */
function shownIn({ method, path, text }: Exchange): Shown[] {
  if (method !== 'GET') return [];
  if (path === calls.getPostedBatches.path) return JSON.parse((JSON.parse(text) as { data: string }).data) as Shown[]; // of the contract
  if (!batch.test(path)) return [];
  const { data, ended } = JSON.parse(text) as { data: Shown; ended?: string }; // likewise
  return [{ ...data, ...(ended !== undefined && { ended }) }];
}

/** What a batch becomes one after the other at the service; undefined for what is no status of one. */
function stageOf(status: string): number | undefined {
  if (/^(Partially)?Returned$/.test(statusOf(status))) return 3;
  if (isBatchEnd(status)) return 2;
  const stage = ['Received', 'Processing'].indexOf(statusOf(status));
  return stage < 0 ? undefined : stage;
}

/**
 * Returns the batches of which an older state was shown in an answer that was asked for after a newer one had been read,
 * a sentence each. Holds where the service itself never answers what it answered before.
 */
export function shownOutOfOrder(exchanges: readonly Exchange[]): string[] {
  const newest = new Map<string, { at: number; stage: number; status: string }[]>();
  const wrong: string[] = [];
  // What a program has written into the list is no state of the service.
  const isWritten = areBatchesWritten(exchanges);
  const reads = exchanges.filter((each) => isOk(each) && (batch.test(each.path) || !isWritten));
  for (const each of reads.toSorted((one, other) => one.at - other.at))
    for (const { batchId, status } of shownIn(each)) {
      const stage = stageOf(status);
      if (stage === undefined) continue;
      const before = newest.get(batchId) ?? [];
      const later = before.find(({ at, stage: shown }) => at < each.sentAt && shown > stage);
      if (later)
        wrong.push(`The batch ${batchId} was shown as ${later.status}, and later as ${status} to ${each.who}.`);
      newest.set(batchId, [...before, { at: each.at, stage, status }]);
    }
  return wrong;
}

/**
 * Returns the batches that were shown to have ended, and to be in progress in an answer that was asked for after that one
 * had been read and does not say that they had ended: a sentence each.
 */
export function wentBack(exchanges: readonly Exchange[]): string[] {
  const ended = new Map<string, { at: number; status: string }>();
  const wrong: string[] = [];
  for (const each of exchanges.filter(isOk).toSorted((one, other) => one.at - other.at))
    for (const { batchId, status, ended: end } of shownIn(each)) {
      const before = ended.get(batchId);
      if (before && before.at < each.sentAt && isKnownStatus(status) && !isBatchEnd(status) && end === undefined)
        wrong.push(
          `The batch ${batchId} was shown as ${before.status} to somebody, and later as ${status} to ${each.who}.`,
        );
      if (!before && isBatchEnd(status)) ended.set(batchId, { at: each.at, status });
    }
  return wrong;
}
