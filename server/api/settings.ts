import { z } from 'zod';
import { shapeError } from '#contract/shapeError.ts';
import { stringify } from '#contract/json.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { batches, subscriptions } from '#server/companies/records.ts';
import { invalidSetting, providerUrlOf, storedSettingsOf, type Stored } from '#server/companies/settings.ts';
import type { RecordKind } from '#server/storage/records.ts';
import {
  fileFormatCountries,
  languageOfCountry,
  languages,
  listedInSettings,
  providerCountries,
} from '#contract/constants.ts';
import { own } from '#contract/member.ts';
import { isBlank } from '#contract/text.ts';
import type { BatchRecord } from '#contract/batch.ts';
import type { SettingKey, Settings } from '#contract/settings.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { iso } from '#server/clock.ts';
import { enteredIds } from '#server/upstream/wire.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { writeList } from '#server/companies/listWrites.ts';
import { requireSecret, writeSigningKey } from '#server/companies/signingKey.ts';
import {
  selectBatch,
  selectCreated,
  selectionOf,
  rename,
  selectOwner,
  writeProviderUrl,
} from '#server/companies/settingWrites.ts';
import { latestUnread, markRead } from '#server/webhooks/inbox.ts';
import type { Handlers } from './handlers.ts';

const oneOf = (values: readonly string[]) =>
  z.enum(values, { error: `give one of ${values.map((value) => value || "'' (none)").join(', ')}` });
const onOrOff = oneOf(['true', 'false']);

/** The settings that are chosen freely among these values. */
const choices = {
  // The country of a selected subscription may be one that the settings page does not offer (behaviour, section 4: ZA).
  providerCountry: oneOf(['', ...new Set([...providerCountries, ...Object.keys(languageOfCountry)])]),
  fileFormatCountry: oneOf(['', ...fileFormatCountries]),
  acceptLanguage: oneOf(languages),
  useMock: onOrOff,
  useNetwork: onOrOff,
  providerId: z.string(),
} satisfies Partial<Record<SettingKey, z.ZodType<string>>>;

const isChoice = (key: SettingKey): key is keyof typeof choices => own(choices, key);

const webhookIds = z.array(z.string());

/** Throws `invalid-request` for a choice that cannot be made. */
function requireChoice(key: keyof typeof choices, value: string): void {
  const { error } = choices[key].safeParse(value, { error: shapeError });
  if (error) throw invalidSetting(key, error.issues.map(({ message }) => message).join('; '));
}

const isId = (key: SettingKey): key is keyof typeof enteredIds => own(enteredIds, key);

/** Throws `invalid-request` for an id that the service could not have given, or that its header could not hold. */
function requireId(key: keyof typeof enteredIds, value: string): void {
  const { error } = enteredIds[key].safeParse(value, { error: shapeError });
  if (value !== '' && error) throw invalidSetting(key, `give ${error.issues.map(({ message }) => message).join('; ')}`);
}

/**
 * Writes one setting. Returns a note for the caller, '' for none, and the company that is current afterwards. A page selects
 * what it names, with all that goes with it; a program writes the setting alone.
 */
async function write(context: CompanyContext, key: SettingKey, value: string, ofPage: boolean) {
  const { store } = context;
  const here = (note = '') => ({ companyKey: context.companyKey, note });
  if (value !== '' && isBlank(value)) throw invalidSetting(key, 'the value is blank: give an empty text for none');
  if (isId(key)) requireId(key, value);
  if (isChoice(key)) {
    requireChoice(key, value);
    await store.settings.write(key, value);
    return here();
  }
  switch (key) {
    case 'organisationId':
    case 'companyId':
      if (!ofPage) return here(await rename(context, key, value));
      return { companyKey: await selectOwner(context, key, value), note: '' };
    case 'accountId':
    case 'dataSetId':
      await selectCreated(context, key, value);
      return here();
    case 'subscriptionId': {
      const { note, providerId, subscriptionId } = await selectionOf(context, value);
      await store.settings.writeAll({ subscriptionId, ...(ofPage && providerId !== undefined && { providerId }) });
      return here(note);
    }
    case 'batchId':
      await selectBatch(context, value);
      return here();
    case 'subscriptions':
    case 'postedBatches':
      await writeList(context, key, value);
      return here();
    case 'companySigningKey':
      return here(await writeSigningKey(context, value));
    case 'userJwt':
      requireSecret(key, value);
      await store.settings.write(key, value);
      return here();
    case 'providerUrl':
      await writeProviderUrl(context, value);
      return here();
    case 'webhookData':
      await markRead(context, value === '' ? undefined : idsIn(value));
      return here();
  }
}

const masked = (secret: string): string => (secret === '' ? '' : secretIsSet);
const list = (records: readonly unknown[]): string => stringify(records);

/**
 * Returns all settings as sent to the browser: lists are assembled from records, secrets are masked (behaviour, section
 * 3). Includes only the latest subscriptions and batches unless `whole`.
 */
async function settingsView(context: CompanyContext, { whole = false } = {}): Promise<Readonly<Settings>> {
  const { store } = context;
  const listed = <Value>(kind: RecordKind<Value>) =>
    whole ? store.records(kind).list() : store.records(kind).latest(listedInSettings);
  return settingsShown(context, {
    stored: await storedSettingsOf(store),
    subscriptions: await listed(subscriptions),
    batches: await listed(batches),
  });
}

/** What settings are shown by. */
interface SettingsRead {
  stored: Stored;
  subscriptions: readonly SubscriptionRecord[];
  batches: readonly BatchRecord[];
}

/** The same, by what was read already. */
export async function settingsShown(
  { store, config }: CompanyContext,
  { stored, subscriptions: subscriptionRecords, batches: batchRecords }: SettingsRead,
): Promise<Readonly<Settings>> {
  const unread = await latestUnread(store);
  const {
    accessTokenOf: _token,
    accessTokenBy: _exchange,
    companyName: _name,
    companyNameOf: _named,
    previousSigningKey: _key,
    unprovedKey: _unproved,
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

/** Returns the quarantined records of the workspace as the page sees them, oldest first. */
export const quarantinedIn = async (store: Store) =>
  (await store.quarantined()).map(({ kind, id, at }) => ({ kind, id, at: iso(at) }));

/** Handlers for the settings (behaviour, section 3). */
export const settingsHandlers = {
  getSettings: (context, { query }) => settingsView(context, { whole: query.lists === 'whole' }),
  getSetAside: async ({ store }) => ({ data: await quarantinedIn(store) }),
  async setSetting(context, { body: { key, value }, ofPage, switchCompany }) {
    const { companyKey, note } = await write(context, key, value, ofPage);
    if (companyKey !== context.companyKey) switchCompany(companyKey);
    const shown = await settingsView({ ...context, store: context.store.at(companyKey) });
    return { ...shown, ...(note !== '' && { note }) };
  },
  async changeSettings(context, { body: { subscriptionId, ...rest } }) {
    const chosen = Object.entries(rest).filter((entry): entry is [keyof typeof rest, string] => entry[1] !== undefined);
    for (const [key, value] of chosen) requireChoice(key, value);
    requireId('subscriptionId', subscriptionId ?? '');
    const { note: _, ...selection } =
      subscriptionId === undefined ? { note: '' } : await selectionOf(context, subscriptionId, rest.providerId);
    const selected = Object.entries(selection).filter(([, value]) => value !== undefined);
    await context.store.settings.writeAll({ ...Object.fromEntries(chosen), ...Object.fromEntries(selected) });
    return settingsView(context);
  },
} satisfies Partial<Handlers>;

function idsIn(value: string): string[] {
  try {
    return webhookIds.parse(JSON.parse(value));
  } catch {
    throw invalidSetting('webhookData', "give '' to clear all, or a JSON list of webhook ids to clear those");
  }
}
