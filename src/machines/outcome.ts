import type { Facts } from '#contract/facts.ts';
import { isBatchEnd, isSubscriptionEnd, leavesUnpaid, statusOf } from '#contract/status.ts';
import { hasResult, journeyOf, nextJourney, type JourneyId } from './journeys.ts';

/** The outcome of what a journey has created, as last known: it may still fail, or have failed since. */
export type Outcome = 'done' | 'waiting' | 'failed';

const ofBatch = ({ batchStatus }: Facts): Outcome =>
  leavesUnpaid(batchStatus) ? 'failed' : isBatchEnd(batchStatus) ? 'done' : 'waiting';

function ofSubscription({ subscription }: Facts): Outcome {
  const status = subscription?.status ?? '';
  return isSubscriptionEnd(status) ? 'failed' : statusOf(status) === 'Authorised' ? 'done' : 'waiting';
}

/** The outcome of a journey; 'failed' also if its result no longer exists. */
export function outcomeNow(id: JourneyId, facts: Facts): Outcome {
  const { resource } = journeyOf(id);
  if (resource === 'batch') return ofBatch(facts);
  if (resource === 'subscription' || id === 'authorisation') return ofSubscription(facts);
  return journeyOf(id).provides.length === 0 || hasResult(id, facts) ? 'done' : 'failed';
}

/** Whether a journey is done, but the record that it is about has failed. */
export const hasRecordFailed = (id: JourneyId, facts: Facts): boolean =>
  journeyOf(id).status !== undefined && outcomeNow(id, facts) === 'failed';

/** Whether every row of the guided path is done, and its payments were made. */
export const isPathComplete = (facts: Facts): boolean =>
  nextJourney(facts) === undefined && ofBatch(facts) !== 'failed';

const ends: Readonly<Record<string, string>> = {
  Failed: 'The last payment failed',
  Rejected: 'The last payment was rejected',
  Cancelled: 'The last payment was cancelled',
  PartiallyCompleted: 'Some of the last payments failed',
};

/** How the last batch has left payments unpaid, as a title; '' if it has not. */
export const unpaidTitle = ({ batchStatus }: Facts): string =>
  leavesUnpaid(batchStatus) ? (ends[statusOf(batchStatus)] ?? '') : '';
