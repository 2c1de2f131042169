import { z } from 'zod';
import { listedInSettings } from '#contract/constants.ts';
import type { BatchRecord } from '#contract/batch.ts';
import { jsonIn } from '#contract/json.ts';
import { afterStatus, isFailure, statusOf } from '#contract/status.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { filled, text } from '#contract/shape.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from './companyContext.ts';
import { isAllowedLink } from '#server/upstream/config.ts';
import { batchAnswers, batches, subscriptionAnswers, subscriptions } from './records.ts';
import type { Records } from '#server/storage/records.ts';
import { forbiddenSetting, invalidSetting } from './settings.ts';
import { requireOwnCompany } from './settingWrites.ts';

/** The settings that are lists of records. */
type ListSetting = 'subscriptions' | 'postedBatches';

const subscription = z.object({
  subscriptionId: filled,
  providerId: text.optional(),
  status: text.optional(),
  suspended: z.boolean().optional(),
  useMock: text.optional(),
  authLink: text.optional(),
});
const batch = z.object({
  batchId: filled,
  status: text.optional(),
  amount: text.optional(),
  kind: z.enum(['electronic', 'file']).optional(),
  creditors: z.int().min(1).optional(),
  postedAt: text.optional(),
  readAt: text.optional(),
});

/** Reads a list. Throws `invalid-request` unless it is a JSON list of such records with different ids. */
function recordsIn<Schema extends z.ZodType>(key: ListSetting, schema: Schema, id: string, value: string) {
  const { data } = z.array(schema).safeParse(jsonIn(value));
  const ids = data?.map((record) => (record as Record<string, unknown>)[id]);
  if (!data || new Set(ids).size < data.length)
    throw invalidSetting(key, `give a JSON list of records, each with another ${id}`);
  return data;
}

/** Writes the list that a setting shows: stores its records, then removes those that it showed and no longer names. */
async function replaceShown<Value>(
  records: Records<Value>,
  idOf: (record: Value) => string,
  written: readonly Value[],
): Promise<void> {
  const shown = await records.latest(listedInSettings);
  const ids = written.map(idOf);
  await records.putAll(written.map((record) => [idOf(record), record] as const));
  await records.removeAll(shown.map(idOf).filter((id) => !ids.includes(id)));
}

/**
 * Makes the list of subscriptions or batches what was written: adds, changes and removes records. Records beyond those
 * that the setting shows stay. A member that is missing keeps its value. Throws `invalid-request` for anything but a
 * list of records, and `forbidden` for another company's record, a link that does not lead to a provider, and a status
 * by which a batch would look as if nothing had been paid.
 */
export const writeList = (here: CompanyContext, key: ListSetting, value: string): Promise<void> =>
  key === 'subscriptions'
    ? writeSubscriptions(here, recordsIn(key, subscription, 'subscriptionId', value))
    : writeBatches(here, recordsIn(key, batch, 'batchId', value));

async function writeSubscriptions(here: CompanyContext, received: z.output<typeof subscription>[]): Promise<void> {
  const { store, config } = here;
  const written: SubscriptionRecord[] = [];
  for (const record of received) {
    const stored = await store.records(subscriptions).get(record.subscriptionId);
    if (!stored) await requireOwnCompany(here.store, 'subscriptions', subscriptions, record.subscriptionId);
    const { authLink = stored?.authLink } = record;
    if (
      authLink !== undefined &&
      authLink !== stored?.authLink &&
      !isAllowedLink(config.upstream.providerOrigins, authLink)
    )
      throw forbiddenSetting('subscriptions', `its authLink ${authLink} does not lead to a configured provider`);
    const status = record.status ?? stored?.status ?? '';
    const answer = await store.records(subscriptionAnswers).get(record.subscriptionId);
    written.push({
      subscriptionId: record.subscriptionId,
      providerId: record.providerId ?? stored?.providerId ?? '',
      ...afterStatus(answer, status),
      suspended: record.suspended ?? stored?.suspended ?? false,
      useMock: record.useMock ?? stored?.useMock ?? '',
      ...(authLink !== undefined && { authLink }),
    });
  }
  return replaceShown(store.records(subscriptions), ({ subscriptionId }) => subscriptionId, written);
}

async function writeBatches(here: CompanyContext, received: z.output<typeof batch>[]): Promise<void> {
  const { store, clock } = here;
  // Not while a payment is decided on, whose rules depend on the statuses.
  return store.transaction(async () => {
    const written: BatchRecord[] = [];
    for (const record of received) {
      const stored = await store.records(batches).get(record.batchId);
      if (!stored) await requireOwnCompany(here.store, 'postedBatches', batches, record.batchId);
      const { status = stored?.status ?? '' } = record;
      // It would decide nothing (see BatchAnswer), but tell the user that nothing was paid.
      if (isFailure(status) && statusOf(status) !== statusOf(stored?.status ?? ''))
        throw forbiddenSetting('postedBatches', `only the service says that batch ${record.batchId} is ${status}`);
      const readAt = record.readAt ?? stored?.readAt;
      const creditors = record.creditors ?? stored?.creditors;
      written.push({
        batchId: record.batchId,
        // The end that the service has said: none that was written before.
        ...afterStatus(await store.records(batchAnswers).get(record.batchId), status),
        amount: record.amount ?? stored?.amount ?? '',
        kind: record.kind ?? stored?.kind ?? 'electronic',
        ...(creditors !== undefined && { creditors }),
        postedAt: record.postedAt ?? stored?.postedAt ?? iso(clock.now()),
        ...(readAt !== undefined && { readAt }),
      });
    }
    return replaceShown(store.records(batches), ({ batchId }) => batchId, written);
  });
}
