import { isSameId } from './comparableText.ts';
import { isAllowedLink } from '#server/upstream/config.ts';
import type { SettingKey } from '#contract/settings.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { accounts, batches, datasets, subscriptions } from './records.ts';
import type { CompanyContext } from './companyContext.ts';
import type { Store } from './companyStore.ts';
import { isRefusal } from '#server/failure.ts';
import { insertSubscription, refreshSubscription } from './refresh.ts';
import { forbiddenSetting, invalidSetting, storedSettingsOf, type Stored } from './settings.ts';

/** Throws `forbidden` if another company, which may be another user's, has stored a record under the id. */
export async function requireOwnCompany(
  store: Store,
  key: SettingKey,
  kind: RecordKind<never>,
  id: string,
): Promise<void> {
  if ((await store.holderOf(kind, id)) !== 'none') throw forbiddenSetting(key, `${id} belongs to another company`);
}

/**
 * Throws `forbidden` if another user has stored a record under the id. Returns whether another company of this user has,
 * by whose ids this one may be called next.
 */
async function isOfOtherCompany(store: Store, key: SettingKey, kind: RecordKind<never>, id: string): Promise<boolean> {
  const holder = await store.holderOf(kind, id);
  if (holder === 'user') throw forbiddenSetting(key, `${id} belongs to another company`);
  return holder === 'company';
}

/** The setting that names an organisation or a company. */
type OwnerKey = 'organisationId' | 'companyId';

/**
 * Makes the company or organisation with this id current, as a page does; '' stands for none. The company in which the call
 * is made stays if it has the id. For an organisation, its latest company. An id that is not stored here is stored without
 * checking that the service knows it: in the current company if that has none, otherwise in a new one. Returns its key.
 */
export function selectOwner(
  { companyKey, store: { companies } }: CompanyContext,
  key: OwnerKey,
  id: string,
): Promise<string> {
  return companies.transaction(async () => {
    const own = await companies.read(companyKey);
    const { organisationId = '' } = own;
    const wanted: Partial<Record<OwnerKey, string>> =
      key === 'companyId' && id === '' ? { organisationId, companyId: '' } : { [key]: id };
    const found = (await companies.list()).filter(
      (each) =>
        isSameId(each.organisationId, wanted.organisationId ?? each.organisationId) &&
        isSameId(each.companyId, wanted.companyId ?? each.companyId),
    );
    const known = found.find((each) => each.companyKey === companyKey) ?? found.at(-1);
    const to = known?.companyKey ?? ((own[key] ?? '') === '' ? companyKey : companies.make());
    if (!known) await companies.write(to, { ...(key === 'companyId' && { organisationId }), ...wanted });
    await companies.select(to);
    return to;
  });
}

/**
 * Gives the company another id, as a program does, which writes settings one by one: nothing else changes, and nothing
 * moves. Returns a note, '' for none: one where the company is stored here as that of another organisation, which the service
 * would not find.
 */
export async function rename({ companyKey, store }: CompanyContext, key: OwnerKey, id: string): Promise<string> {
  await store.settings.write(key, id);
  const { organisationId: own } = await storedSettingsOf(store);
  const twins = (await store.companies.list()).filter(
    (each) => key === 'companyId' && id !== '' && each.companyKey !== companyKey && isSameId(each.companyId, id),
  );
  const [{ organisationId = '' } = {}] = twins;
  if (twins.length > 0 && !twins.some((each) => isSameId(each.organisationId, own)))
    return `The company ${id} is stored here for the organisation ${organisationId}. Write organisationId as well, or the service does not find it.`;
  const { companySigningKey, unprovedKey } = await storedSettingsOf(store);
  return key === 'organisationId' && unprovedKey !== '' && unprovedKey !== companySigningKey ? keyStays : '';
}

const keyStays =
  'The organisation keeps its stored signing key. Write companySigningKey again to replace it by the one written before.';

/** Stores the id of an account or data set; the previous one, if it was created here, can be selected again. */
export async function selectCreated(
  { store }: CompanyContext,
  key: 'accountId' | 'dataSetId',
  id: string,
): Promise<void> {
  const kind = key === 'accountId' ? accounts : datasets;
  const records = store.records(kind);
  if (!(await records.get(id))) await isOfOtherCompany(store, key, kind, id);
  const { [key]: current } = await storedSettingsOf(store);
  if (current !== '') await records.insert(current, { id: current });
  await store.settings.write(key, id);
}

/**
 * Returns the record of a subscription. One that is not stored here is read from the service, and stored if it belongs
 * to the company; otherwise returns undefined. Rejects if the service does not say whether it has it.
 */
async function subscriptionWith(here: CompanyContext, id: string): Promise<SubscriptionRecord | undefined> {
  const { store } = here;
  const stored = await store.records(subscriptions).get(id);
  if (stored) return stored;
  if (await isOfOtherCompany(store, 'subscriptionId', subscriptions, id)) return undefined;
  const { organisationId, companyId, useMock } = await storedSettingsOf(store);
  if (organisationId === '' || companyId === '') return undefined;
  const answer = await refreshSubscription(here, id).catch((error: unknown) => {
    if (isRefusal(error)) return undefined;
    throw error;
  });
  if (answer?.data.subscriptionId !== id) return undefined;
  const { providerId, status, suspendedByConsumer: suspended = false } = answer.data;
  await insertSubscription(here, { subscriptionId: id, providerId, status, suspended, useMock });
  return store.records(subscriptions).get(id);
}

/** The settings that select a subscription. */
interface Selection {
  subscriptionId: string;
  /** The provider that goes with it; undefined to leave the current one. */
  providerId: string | undefined;
  note: string;
}

/**
 * Returns the settings that select a subscription: its id and its provider's. '' selects none. An id that the service
 * does not know is stored with no provider, and shown as unknown. Throws `invalid-request` if `providerId` is given and
 * is another provider's.
 */
export async function selectionOf(here: CompanyContext, id: string, providerId?: string): Promise<Selection> {
  if (id === '') return { subscriptionId: '', providerId, note: '' };
  const current = await storedSettingsOf(here.store);
  const record = await subscriptionWith(here, id);
  // The service may leave out the provider of the current subscription.
  const its = record?.providerId || (id === current.subscriptionId ? current.providerId : '');
  if (providerId && its && providerId !== its)
    throw invalidSetting('providerId', `the subscription ${id} is with the provider ${its}`);
  return { subscriptionId: id, providerId: providerId || its, note: record ? '' : unknownSubscription(current) };
}

const unknownSubscription = ({ companyId }: Stored): string =>
  companyId === ''
    ? 'The subscription is stored, but not checked: no company is set whose subscription it could be.'
    : `The subscription is stored, but the payments service does not know it for the company ${companyId}.`;

/** Stores the id of a batch as the current one. */
export async function selectBatch({ store }: CompanyContext, id: string): Promise<void> {
  if (!(await store.records(batches).get(id))) await isOfOtherCompany(store, 'batchId', batches, id);
  await store.settings.write('batchId', id);
}

/** Stores the providers' URL; '' restores the configured one. Throws `forbidden` for another origin. */
export async function writeProviderUrl({ store, config: { upstream } }: CompanyContext, url: string): Promise<void> {
  if (url !== '' && !(isAllowedLink(upstream.providerOrigins, url) && isPlain(new URL(url))))
    throw forbiddenSetting(
      'providerUrl',
      `users authorise payments there, so it is a URL at one of the configured origins (${upstream.providerOrigins.join(', ')})`,
    );
  await store.settings.write('providerUrl', url);
}

/** Whether a URL has neither a user nor a query or fragment. */
const isPlain = ({ href, origin, pathname }: URL): boolean => href === origin + pathname;
