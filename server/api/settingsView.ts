import { stringify } from '#contract/json.ts';
import { listedInSettings } from '#contract/constants.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { Settings } from '#contract/settings.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { batches, subscriptions } from '#server/companies/records.ts';
import { providerUrlOf, storedSettingsOf } from '#server/companies/settings.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { latestUnread } from '#server/webhooks/inbox.ts';

const masked = (secret: string): string => (secret === '' ? '' : secretIsSet);
const list = (records: readonly unknown[]): string => stringify(records);

/**
 * Returns all settings as sent to the browser: lists are assembled from records, secrets are masked (behaviour, section
 * 3). Includes only the latest subscriptions and batches unless `whole`.
 */
export async function settingsView(
  { store, config }: Pick<CompanyContext, 'store' | 'config'>,
  { whole = false } = {},
): Promise<Readonly<Settings>> {
  const listed = <Value>(kind: RecordKind<Value>) =>
    whole ? store.records(kind).list() : store.records(kind).latest(listedInSettings);
  const [stored, subscriptionRecords, batchRecords, unread] = await Promise.all([
    storedSettingsOf(store),
    listed(subscriptions),
    listed(batches),
    latestUnread(store),
  ]);
  const {
    accessTokenOf: _token,
    companyName: _name,
    previousSigningKey: _key,
    written: _written,
    ...settings
  } = stored;
  return {
    ...settings,
    companySigningKey: masked(stored.companySigningKey),
    userJwt: masked(stored.userJwt),
    subscriptions: list(subscriptionRecords),
    postedBatches: list(batchRecords),
    webhookData: unread === undefined ? '' : list(unread),
    providerUrl: providerUrlOf(stored, config),
  };
}
