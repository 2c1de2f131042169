import { isDeepStrictEqual } from 'node:util';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { afterStatus, withStatus } from '#contract/status.ts';
import type { CompanyContext } from './companyContext.ts';
import { subscriptionAnswers, subscriptions, type SubscriptionAnswer } from './records.ts';
import { companyIn } from './settings.ts';

const withAnswer = (record: SubscriptionRecord, answer: SubscriptionAnswer): SubscriptionRecord => ({
  ...withStatus(record, answer),
  suspended: answer.suspended ?? record.suspended,
});

/** Reads a subscription from the service and updates its record, if there is one (see `AskInOrder`). */
export async function refreshSubscription(
  { settings, store, upstream, askInOrder }: CompanyContext,
  subscriptionId: string,
) {
  const { answer, stored } = await askInOrder(
    store,
    { kind: subscriptionAnswers, id: subscriptionId },
    async () => upstream.subscription(companyIn(settings), subscriptionId),
    async ({ data }, before, asked) => {
      const suspended = data.suspendedByConsumer ?? before?.suspended;
      const after = { asked, ...afterStatus(before, data.status), ...(suspended !== undefined && { suspended }) };
      await store.records(subscriptions).change(subscriptionId, (record) => {
        const changed = withAnswer(record, after);
        return isDeepStrictEqual(changed, record) ? undefined : changed;
      });
      return after;
    },
  );
  const { data, links, skipped } = answer;
  const { status, suspended, ended } = stored;
  return {
    data: { ...data, status, ...(suspended !== undefined && { suspendedByConsumer: suspended }) },
    skipped,
    ...(links && { links }),
    ...(ended !== undefined && { ended }),
  };
}

/** Stores the record of a subscription unless there is one, as the service last answered if it was read before. */
export const insertSubscription = (
  { store }: Pick<CompanyContext, 'store'>,
  record: SubscriptionRecord,
): Promise<void> =>
  store.transaction(async () => {
    const { subscriptionId } = record;
    const known = await store.records(subscriptionAnswers).get(subscriptionId);
    await store.records(subscriptions).insert(subscriptionId, known ? withAnswer(record, known) : record);
  });
