import { stringify } from '#contract/json.ts';
import { listedInSettings } from '#contract/constants.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { Settings } from '#contract/settings.ts';
import { alerts } from '#contract/alerts.ts';
import { leadsTo } from '../http/links.ts';
import { Failure } from '../failure.ts';
import type { Deps } from '../deps.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { batches, subscriptions } from './companyRecords.ts';
import { storedSettings } from './storedSettings.ts';
import type { StoredSetting } from './storedSettings.ts';
import type { Store } from './store.ts';
import { latestUnread } from '../webhooks/inbox.ts';
import type { Company, Organisation } from '../upstream/tokens.ts';

export type Stored = Record<StoredSetting, string>;

const defaults: Stored = {
  ...(Object.fromEntries(storedSettings.map((key) => [key, ''])) as Stored), // every key has a value
  acceptLanguage: 'en',
  useMock: 'true',
  useNetwork: 'true',
};

/** Returns the stored settings with secrets in clear text; never send them to the browser. */
export const storedSettingsOf = async (store: Store): Promise<Stored> => ({
  ...defaults,
  ...(await store.settings.read()),
});

/** Returns the secrets among the settings. */
export const secretsIn = ({ companySigningKey, userJwt }: Stored): string[] =>
  [companySigningKey, userJwt].filter((secret) => secret !== '');

const masked = (secret: string): string => (secret === '' ? '' : secretIsSet);
const list = (records: readonly unknown[]): string => stringify(records);

/**
 * Returns all settings as sent to the browser: lists are assembled from records, secrets are masked (behaviour, section
 * 3). Includes only the latest subscriptions and batches unless `whole`.
 */
export async function settingsFor(
  { store, config }: Pick<Deps, 'store' | 'config'>,
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
  const { accessTokenOf: _ownMark, companyName: _ownName, ...settings } = stored;
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

/** Returns the providers' URL: the stored one while its origin is configured, otherwise the configured one. */
export const providerUrlOf = ({ providerUrl }: Stored, { upstream }: Deps['config']): string =>
  leadsTo(upstream.providerOrigins, providerUrl) ? providerUrl : `${upstream.providerUrl}/`;

/** Returns the current organisation. Throws `prerequisite-missing` with the alert's text if there is none. */
export async function organisationOf(store: Store): Promise<Organisation> {
  const { organisationId, companySigningKey } = await storedSettingsOf(store);
  if (organisationId === '') throw new Failure('prerequisite-missing', alerts.noOrganisation);
  return { organisationId, signingKey: companySigningKey };
}

/**
 * Returns the current company with its organisation. Throws `prerequisite-missing` with the alert's text if there is
 * none.
 */
export async function companyOf(store: Store): Promise<Company> {
  const organisation = await organisationOf(store);
  const { companyId } = await storedSettingsOf(store);
  if (companyId === '') throw new Failure('prerequisite-missing', alerts.noCompany);
  return { ...organisation, companyId };
}
