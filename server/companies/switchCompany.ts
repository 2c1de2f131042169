import { isSameId } from './comparableId.ts';
import { isAllowedLink } from '#server/http/links.ts';
import type { SettingKey } from '#contract/settings.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { accounts, batches, datasets, subscriptions } from './records.ts';
import type { CompanyContext } from './companyContext.ts';
import { insertSubscription, refreshSubscription } from './refresh.ts';
import { Failure, isRefusal } from '#server/failure.ts';
import { storedSettingsOf, type Stored } from './settings.ts';
import type { Scope } from './companyList.ts';

/** The failure for a refused value; `message` says which values are allowed. */
export const invalidSetting = (key: SettingKey, message: string) =>
  new Failure('invalid-request', `The setting ${key} cannot have this value: ${message}.`, {
    errors: [{ path: 'value', message }],
  });

/** The failure for a value that would weaken a promise; `why` says which. */
export const forbidden = (key: SettingKey, why: string) =>
  new Failure('forbidden', `The setting ${key} cannot have this value: ${why}.`);

export type CompanyAccess = Pick<CompanyContext, 'scope' | 'store' | 'upstream' | 'config' | 'clock'>;

/** Throws `forbidden` if another company, which may be another user's, has stored a record under the id. */
export async function requireOwnCompany(
  { store }: Pick<CompanyAccess, 'store'>,
  key: SettingKey,
  kind: RecordKind<never>,
  id: string,
): Promise<void> {
  if (await store.isElsewhere(kind, id)) throw forbidden(key, `${id} belongs to another company`);
}

/**
 * Makes the company or organisation with this id current and returns its scope; '' stands for none. For an
 * organisation, keeps the current company if it belongs to the organisation, otherwise selects the latest one. An id
 * that is not stored here is stored without checking that the service knows it: in the current scope if that has none,
 * otherwise in a new one, so that the records of one company never become those of another.
 */
export function selectOwner(
  { scope, store: { scopes } }: CompanyAccess,
  key: 'organisationId' | 'companyId',
  id: string,
) {
  return scopes.transaction(async () => {
    const own = await scopes.read(scope);
    const { organisationId = '', companySigningKey = '' } = own;
    const organisation = key === 'companyId' ? { organisationId, companySigningKey } : {};
    const isWanted = (each: Scope) =>
      isSameId(each[key], id) && (id !== '' || (key === 'companyId' && each.organisationId === organisationId));
    const found = (await scopes.list()).filter(isWanted);
    const known = found.find((each) => each.scope === scope) ?? found.at(-1);
    const to = known?.scope ?? ((own[key] ?? '') === '' ? scope : scopes.make());
    if (!known) await scopes.write(to, { ...(to !== scope && organisation), [key]: id });
    await scopes.select(to);
    return to;
  });
}

/**
 * Stores the signing key of the current organisation, for all its companies; '' forgets it. The service is not asked
 * whether it accepts the key, and refuses the first token if it does not.
 */
export function writeSigningKey({ scope, store: { scopes } }: CompanyAccess, companySigningKey: string): Promise<void> {
  requireSecret('companySigningKey', companySigningKey);
  return scopes.transaction(async () => {
    const { organisationId = '' } = await scopes.read(scope);
    const its = (await scopes.list()).filter((each) => each.organisationId === organisationId);
    for (const at of new Set([scope, ...its.map((each) => each.scope)])) await scopes.write(at, { companySigningKey });
  });
}

/** Throws `invalid-request` for the text that stands for a secret, and for one that cannot be sent in a header. */
export function requireSecret(key: SettingKey, value: string): void {
  if (value === secretIsSet) throw invalidSetting(key, `give the secret itself: ${secretIsSet} only stands for it`);
  if (!/^[!-~]*$/.test(value)) throw invalidSetting(key, 'give ASCII characters without spaces');
}

/** Stores the id of an account or data set; the previous one, if it was created here, can be selected again. */
export async function selectCreated(
  { store }: CompanyAccess,
  key: 'accountId' | 'dataSetId',
  id: string,
): Promise<void> {
  const kind = key === 'accountId' ? accounts : datasets;
  const records = store.records(kind);
  if (!(await records.get(id))) await requireOwnCompany({ store }, key, kind, id);
  const { [key]: current } = await storedSettingsOf(store);
  if (current !== '') await records.insert(current, { id: current });
  await store.settings.write(key, id);
}

/**
 * Returns the record of a subscription. One that is not stored here is read from the service, and stored if it belongs
 * to the company; otherwise returns undefined. Rejects if the service does not answer.
 */
async function subscriptionWith(here: CompanyAccess, id: string): Promise<SubscriptionRecord | undefined> {
  const { store } = here;
  const stored = await store.records(subscriptions).get(id);
  if (stored) return stored;
  await requireOwnCompany(here, 'subscriptionId', subscriptions, id);
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

/**
 * Returns the settings that select a subscription: its id and its provider's, which are never written apart. '' selects
 * none. An id that the service does not know is stored with no provider, and shown as unknown. Throws `invalid-request`
 * if `providerId` is given and is another provider's.
 */
export async function selectionOf(here: CompanyAccess, id: string, providerId?: string): Promise<Partial<Stored>> {
  if (id === '') return { subscriptionId: '', ...(providerId !== undefined && { providerId }) };
  const current = await storedSettingsOf(here.store);
  const record = await subscriptionWith(here, id);
  // The service may leave out the provider of the current subscription.
  const its = record?.providerId || (id === current.subscriptionId ? current.providerId : '');
  if (providerId && its && providerId !== its)
    throw invalidSetting('providerId', `the subscription ${id} is with the provider ${its}`);
  return { subscriptionId: id, providerId: providerId || its };
}

/** Stores the id of a batch as the current one. */
export async function selectBatch({ store }: CompanyAccess, id: string): Promise<void> {
  if (!(await store.records(batches).get(id))) await requireOwnCompany({ store }, 'batchId', batches, id);
  await store.settings.write('batchId', id);
}

/** Stores the providers' URL; '' restores the configured one. Throws `forbidden` for another origin. */
export async function writeProviderUrl({ store, config: { upstream } }: CompanyAccess, url: string): Promise<void> {
  if (url !== '' && !(isAllowedLink(upstream.providerOrigins, url) && isPlain(new URL(url))))
    throw forbidden(
      'providerUrl',
      `users authorise payments there, so it is a URL at one of the configured origins (${upstream.providerOrigins.join(', ')})`,
    );
  await store.settings.write('providerUrl', url);
}

/** Whether a URL has neither a user nor a query or fragment. */
const isPlain = ({ href, origin, pathname }: URL): boolean => href === origin + pathname;
