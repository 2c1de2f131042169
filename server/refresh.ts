import { iso } from './clock.ts';
import type { Deps } from './deps.ts';
import { companyOf } from './settings.ts';

type Needs = Pick<Deps, 'store' | 'upstream'>;
type TimedNeeds = Needs & Pick<Deps, 'clock'>;

/** Reads a subscription from the service and updates its record, if there is one. */
export async function refreshSubscription({ store, upstream }: Needs, subscriptionId: string) {
  const { data, links, skipped } = await upstream.subscription(await companyOf(store), subscriptionId);
  const record = await store.subscriptions.get(subscriptionId);
  if (record) {
    const suspended = data.suspendedByConsumer ?? record.suspended;
    // Most readings change nothing, and facts read it each time.
    if (record.status !== data.status || record.suspended !== suspended)
      await store.subscriptions.put(subscriptionId, { ...record, status: data.status, suspended });
  }
  return { data, skipped, ...(links && { links }) };
}

/** Reads a batch from the service and updates its record, if there is one, with the time of the reading. */
export async function refreshBatch({ store, upstream, clock }: TimedNeeds, batchId: string) {
  const { data, links, error, skipped } = await upstream.batch(await companyOf(store), batchId);
  const record = await store.batches.get(batchId);
  if (record) await store.batches.put(batchId, { ...record, status: data.status, readAt: iso(clock.now()) });
  return { data, skipped, ...(links && { links }), ...(error && { error }) };
}
