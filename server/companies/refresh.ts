import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { RecordKind } from '#server/storage/records.ts';
import type { ServiceAnswer } from './answers.ts';
import type { CompanyContext } from './companyContext.ts';
import { subscriptions } from './records.ts';
import { companyIn } from './settings.ts';

type Needs = Pick<CompanyContext, 'settings' | 'store' | 'upstream' | 'askInOrder'>;

/** What the service last answered about a subscription; `suspended` is undefined if it did not say. */
interface SubscriptionAnswer extends ServiceAnswer {
  status: string;
  suspended?: boolean;
}

export const subscriptionAnswers: RecordKind<SubscriptionAnswer> = { kind: 'subscriptionAnswers' };

const withAnswer = (record: SubscriptionRecord, { status, suspended }: SubscriptionAnswer): SubscriptionRecord => ({
  ...record,
  status,
  suspended: suspended ?? record.suspended,
});

/** Reads a subscription from the service and updates its record, if there is one (see `AskInOrder`). */
export async function refreshSubscription({ settings, store, upstream, askInOrder }: Needs, subscriptionId: string) {
  const { answer, stored } = await askInOrder(
    store,
    { kind: subscriptionAnswers, id: subscriptionId },
    async () => upstream.subscription(companyIn(settings), subscriptionId),
    async ({ data }, before, asked) => {
      const { status } = data;
      const suspended = data.suspendedByConsumer ?? before?.suspended;
      const after = { asked, status, ...(suspended !== undefined && { suspended }) };
      await store.records(subscriptions).change(subscriptionId, (record) => {
        const changed = withAnswer(record, after);
        return changed.status === record.status && changed.suspended === record.suspended ? undefined : changed;
      });
      return after;
    },
  );
  const { data, links, skipped } = answer;
  const { status, suspended } = stored;
  return {
    data: { ...data, status, ...(suspended !== undefined && { suspendedByConsumer: suspended }) },
    skipped,
    ...(links && { links }),
  };
}

/** Stores the record of a subscription unless there is one, as the service last answered if it was read before. */
export const insertSubscription = ({ store }: Pick<Needs, 'store'>, record: SubscriptionRecord): Promise<void> =>
  store.transaction(async () => {
    const { subscriptionId } = record;
    const known = await store.records(subscriptionAnswers).get(subscriptionId);
    await store.records(subscriptions).insert(subscriptionId, known ? withAnswer(record, known) : record);
  });
