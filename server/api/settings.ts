import { z } from 'zod';
import { fileFormatCountries, languageOfCountry, languages, providerCountries } from '#contract/constants.ts';
import { own } from '#contract/member.ts';
import { isBlank } from '#contract/text.ts';
import type { SettingKey } from '#contract/settings.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { writeList } from '#server/companies/settingLists.ts';
import { invalidSetting } from '#server/companies/settingFailures.ts';
import { requireSecret, writeSigningKey } from '#server/companies/signingKey.ts';
import {
  selectBatch,
  selectCreated,
  selectionOf,
  selectOwner,
  writeProviderUrl,
  type Save,
  type WriteResult,
} from '#server/companies/switchCompany.ts';
import { isWritten, writeForProgram } from '#server/companies/writtenSettings.ts';
import { settingsView } from './settingsView.ts';
import { markRead } from '#server/webhooks/inbox.ts';
import { quarantinedIn } from './facts.ts';
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

export function settingsRoutes(deps: CompanyContext) {
  const { config, store } = deps;

  /** Throws `invalid-request` for a choice that cannot be made. */
  function requireChoice(key: keyof typeof choices, value: string): void {
    const { error } = choices[key].safeParse(value);
    if (error) throw invalidSetting(key, error.issues.map(({ message }) => message).join('; '));
  }

  /** How a caller's settings of the company are written. */
  const saveFor =
    (ofPage: boolean): Save =>
    (values, implied = {}) =>
      ofPage ? store.settings.writeAll({ ...implied, ...values }) : writeForProgram(store, values, implied);

  /** Selects a subscription with its provider; a provider that a program has written itself stays. */
  async function selectSubscription(id: string, ofPage: boolean): Promise<string> {
    const { providerId, ...selection } = await selectionOf(deps, id);
    const isProviderWritten = !ofPage && isWritten(await store.scopes.read(deps.scope), 'providerId');
    const implied = providerId === undefined || isProviderWritten ? {} : { providerId };
    await saveFor(ofPage)({ subscriptionId: selection.subscriptionId }, implied);
    return selection.note;
  }

  /** Writes one setting; `ofPage`: for a page, which names its company. */
  async function write(key: SettingKey, value: string, ofPage: boolean): Promise<WriteResult> {
    const save = saveFor(ofPage);
    let note = '';
    if (value !== '' && isBlank(value)) throw invalidSetting(key, 'the value is blank: give an empty text for none');
    if (isChoice(key)) {
      requireChoice(key, value);
      await (key === 'providerId' ? save({ providerId: value }) : store.settings.write(key, value));
    } else
      switch (key) {
        case 'organisationId':
        case 'companyId':
          return selectOwner({ ...deps, ofPage }, key, value);
        case 'accountId':
        case 'dataSetId':
          await selectCreated(deps, key, value, save);
          break;
        case 'subscriptionId':
          note = await selectSubscription(value, ofPage);
          break;
        case 'batchId':
          await selectBatch(deps, value, save);
          break;
        case 'subscriptions':
        case 'postedBatches':
          await writeList(deps, key, value, ofPage);
          break;
        case 'companySigningKey':
          note = await writeSigningKey(deps, value);
          break;
        case 'userJwt':
          requireSecret(key, value);
          await store.settings.write(key, value);
          break;
        case 'providerUrl':
          await writeProviderUrl(deps, value);
          break;
        case 'webhookData':
          await markRead(deps, value === '' ? undefined : idsIn(value));
          break;
      }
    return { scope: deps.scope, note };
  }

  return {
    getSettings: ({ query }) => settingsView(deps, { whole: query.lists === 'whole' }),
    getSetAside: async () => ({ data: await quarantinedIn(store) }),
    async setSetting({ body: { key, value }, ofPage, switchCompany }) {
      const { scope, note } = await write(key, value, ofPage);
      if (scope !== deps.scope) switchCompany(scope);
      return { ...(await settingsView({ config, store: store.at(scope) })), ...(note !== '' && { note }) };
    },
    async changeSettings({ body: { subscriptionId, ...rest }, ofPage }) {
      const chosen = Object.entries(rest).filter(
        (entry): entry is [keyof typeof rest, string] => entry[1] !== undefined,
      );
      for (const [key, value] of chosen) requireChoice(key, value);
      const { note: _, ...selection } =
        subscriptionId === undefined ? { note: '' } : await selectionOf(deps, subscriptionId, rest.providerId);
      const selected = Object.entries(selection).filter(([, value]) => value !== undefined);
      await saveFor(ofPage)({ ...Object.fromEntries(chosen), ...Object.fromEntries(selected) });
      return settingsView(deps);
    },
  } satisfies Partial<Handlers>;
}

function idsIn(value: string): string[] {
  try {
    return webhookIds.parse(JSON.parse(value));
  } catch {
    throw invalidSetting('webhookData', "give '' to clear all, or a JSON list of webhook ids to clear those");
  }
}
