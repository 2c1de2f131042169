import { describe, expect, it } from 'vitest';
import { batchEndStatuses } from '#contract/constants.ts';
import type { BatchRecord } from '#contract/batch.ts';
import type { MadeKind } from '#contract/facts.ts';
import { resultTitle, statusIn } from '#app/journey/resultSummary.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { batchRecord } from '#tests/support/fixtures.ts';

const made = (id: string) => ({ ...everything.made.batch!, id });

/** The title of the page of a batch or subscription whose status is this. */
function titleOf(kind: MadeKind, status: string): string {
  const batches: BatchRecord[] = [{ ...batchRecord, batchId: 'batch-9', status }];
  const facts = withFacts(everything, {
    settings: { postedBatches: JSON.stringify(batches) },
    subscription: { ...everything.subscription!, subscriptionId: 'subscription-9', status },
  });
  return resultTitle(kind, 'accepted', statusIn(kind, made(`${kind}-9`), facts));
}

describe('the title of a result', () => {
  it.each(batchEndStatuses)('is no longer that a batch was submitted, once it is %s (behaviour 10.14.7)', (status) => {
    expect(titleOf('batch', status)).toBe(`Batch ${status}`);
    expect(titleOf('batch', status.toUpperCase())).toBe(`Batch ${status.toUpperCase()}`);
  });

  it.each(['Rejected', 'Cancelled', 'Expired', 'EXPIRED'])(
    'is no longer that a subscription was created, once it is %s (behaviour 10.14.7)',
    (status) => {
      expect(titleOf('subscription', status)).toBe(`Subscription ${status}`);
    },
  );

  it.each(['', 'Received', 'Pending', 'AwaitingAuthorisation', 'Authorised', 'Suspended', 'Processing', 'OnHold'])(
    'is what was done while its status is “%s” (behaviour 10.14.7)',
    (status) => {
      expect(titleOf('batch', status)).toBe('Batch submitted');
      expect(titleOf('subscription', status)).toBe('Subscription created');
    },
  );

  it.each(['organisation', 'company', 'account', 'dataset', 'accessToken'] as const)(
    'of %s does not take the status of another record (behaviour 10.14.7)',
    (kind) => {
      expect(titleOf(kind, 'Rejected')).toMatch(/ (created|obtained)$/);
    },
  );

  it('of another subscription does not take the status of the current one (behaviour 10.14.7)', () => {
    const facts = withFacts(everything, { subscription: { ...everything.subscription!, status: 'Rejected' } });
    expect(statusIn('subscription', made('another'), facts)).toBe('');
  });
});
