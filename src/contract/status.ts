import { batchEndStatuses } from './constants.ts';

/** Statuses of subscriptions and batches on which decisions depend (wire, sections 10 and 12). */
const known = [
  'Received',
  'Pending',
  'AwaitingAuthorisation',
  'Authorised',
  'Suspended',
  'Cancelled',
  'Rejected',
  'Expired',
  'Processing',
  'PaymentFileAvailable',
  'Completed',
  'PartiallyCompleted',
  'Failed',
];

/** Normalises a status for comparison: 'AWAITING_AUTHORISATION' and 'awaitingAuthorisation' become equal. */
const lettersOf = (status: string): string => status.toLowerCase().replace(/[\s_-]/g, '');
const byLetters = new Map(known.map((status) => [lettersOf(status), status]));

/** Returns a known status in its documented spelling, ignoring case and separators; any other status unchanged. */
export const statusOf = (said: string): string => byLetters.get(lettersOf(said)) ?? said;

const subscriptionEndStatuses = ['Rejected', 'Cancelled', 'Expired'];

/** Whether a subscription with this status has ended for good, so that only another one can pay (wire, section 10). */
export const isSubscriptionEnd = (said: string): boolean => subscriptionEndStatuses.includes(statusOf(said));

/** Whether a batch with this status, as returned by the service, has ended (wire, section 12). */
export const isBatchEnd = (said: string): boolean => batchEndStatuses.includes(statusOf(said));
