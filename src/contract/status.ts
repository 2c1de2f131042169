import { batchEndStatuses } from './constants.ts';
import { heldStatus, partlyReturnedStatus, returnedStatus } from './returns.ts';

/** Statuses of a subscription, batch or payment in progress, on which decisions depend (wire, sections 10 and 12). */
const inProgress = [
  'Received',
  'Pending',
  'AwaitingAuthorisation',
  'Authorised',
  'Suspended',
  'Processing',
  heldStatus,
];

const subscriptionEndStatuses = ['Rejected', 'Cancelled', 'Expired'];

/** Statuses of a batch or payment by which nothing was paid. */
const failedStatuses = ['Failed', 'Rejected', 'Cancelled'];

/** Blanks, dashes, underscores, points, slashes, and characters that are not seen. */
const separators = /[\s\p{Z}\p{Pd}\p{Pc}\p{C}\p{Default_Ignorable_Code_Point}\u2212./:+]/gu;

/**
 * Normalises a status for comparison: ignores case, separators, and how its characters are encoded.
 * 'AWAITING_AUTHORISATION' and 'awaitingAuthorisation' become equal.
 */
export const plainStatus = (said: string): string => said.normalize('NFKC').replace(separators, '').toLowerCase();

const byPlain = new Map(
  [...inProgress, ...subscriptionEndStatuses, ...failedStatuses, ...batchEndStatuses].map((status) => [
    plainStatus(status),
    status,
  ]),
);

/** Returns a known status in its documented spelling; any other status unchanged. Every decision reads a status by it. */
export const statusOf = (said: string): string => byPlain.get(plainStatus(said)) ?? said;

/** Whether the protocol has this status, of a subscription, batch or payment. */
export const isKnownStatus = (said: string): boolean => byPlain.has(plainStatus(said));

/** Whether a subscription with this status, as returned by the service, is Authorised (wire, section 10). */
export const isAuthorised = (said: string): boolean => statusOf(said) === 'Authorised';

/** Whether a subscription with this status has ended for good, so that only another one can pay (wire, section 10). */
export const isSubscriptionEnd = (said: string): boolean => subscriptionEndStatuses.includes(statusOf(said));

/** Whether a batch with this status, as returned by the service, has ended (wire, section 12). */
export const isBatchEnd = (said: string): boolean => batchEndStatuses.includes(statusOf(said));

/** Whether a batch or payment with this status, as returned by the service, has failed: nothing was paid. */
export const isFailure = (said: string): boolean => failedStatuses.includes(statusOf(said));

/** Whether a batch with this status has left some or all of its payments unpaid. */
export const leavesUnpaid = (said: string): boolean => isFailure(said) || statusOf(said) === 'PartiallyCompleted';

/** How far something with a status has come: 0 in progress, 1 at its end, 2 back after its end; undefined if the status is unknown. */
export function stageOf(said: string): number | undefined {
  const status = statusOf(said);
  if ([returnedStatus, partlyReturnedStatus].includes(status)) return 2;
  if (isBatchEnd(status) || isSubscriptionEnd(status)) return 1;
  return inProgress.includes(status) ? 0 : undefined;
}

/** What the service says of a batch or subscription. */
export interface SaidStatus {
  status: string;
  /** The end that it had said before, if it now says what came earlier. Nothing is freed by the end of a batch then. */
  ended?: string;
}

/** Returns what holds after the service has said a status. An unknown status, and another end as late, replace an end. */
export function afterStatus(before: SaidStatus | undefined, status: string): SaidStatus {
  const end = before && (before.ended ?? before.status);
  const stage = plainStatus(status) === '' ? 0 : stageOf(status);
  return end !== undefined && stage !== undefined && stage < (stageOf(end) ?? 0) ? { status, ended: end } : { status };
}

/** Returns a record with what the service says of it. */
export const withStatus = <Shown extends SaidStatus>(
  { ended: _, ...record }: Shown,
  { status, ended }: Pick<SaidStatus, 'status'> & { ended?: string | undefined },
): Omit<Shown, 'ended'> & SaidStatus => ({ ...record, status, ...(ended !== undefined && { ended }) });
