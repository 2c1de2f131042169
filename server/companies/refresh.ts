import { iso } from '#server/clock.ts';
import type { CompanyContext } from './companyContext.ts';
import { batches, subscriptions } from './records.ts';
import { companyOf } from './settings.ts';

type Needs = Pick<CompanyContext, 'store' | 'upstream'>;
type TimedNeeds = Needs & Pick<CompanyContext, 'clock'>;

/** Reads a subscription from the service and updates its record, if there is one. */
export async function refreshSubscription({ store, upstream }: Needs, subscriptionId: string) {
  const { data, links, skipped } = await upstream.subscription(await companyOf(store), subscriptionId);
  await store.records(subscriptions).change(subscriptionId, (record) => {
    const suspended = data.suspendedByConsumer ?? record.suspended;
    // Most reads change nothing, and the facts read the subscription each time.
    const isNew = record.status !== data.status || record.suspended !== suspended;
    return isNew ? { ...record, status: data.status, suspended } : undefined;
  });
  return { data, skipped, ...(links && { links }) };
}

/**
 * Reads a batch from the service and updates its record, if there is one, with the time of the read. `text` is the
 * answer as sent.
 */
export async function refreshBatch({ store, upstream, clock }: TimedNeeds, batchId: string) {
  const { data, links, error, skipped, text } = await upstream.batch(await companyOf(store), batchId);
  const readAt = iso(clock.now());
  await store.records(batches).change(batchId, (record) => ({ ...record, status: data.status, readAt }));
  return { data, skipped, ...(links && { links }), ...(error && { error }), text };
}
