import { z } from 'zod';
import { fileFormatCountries, languageOfCountry, languages, providerCountries } from '#contract/constants.ts';
import { own } from '#contract/member.ts';
import type { SettingKey } from '#contract/settings.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { writeList } from '#server/companies/settingLists.ts';
import {
  requireSecret,
  selectBatch,
  selectCreated,
  selectionOf,
  selectOwner,
  writeProviderUrl,
  writeSigningKey,
  invalidSetting,
} from '#server/companies/switchCompany.ts';
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

  /** Writes one setting. Returns the scope for the caller's next calls. */
  async function write(key: SettingKey, value: string): Promise<string> {
    if (isChoice(key)) {
      requireChoice(key, value);
      await store.settings.write(key, value);
    } else
      switch (key) {
        case 'organisationId':
        case 'companyId':
          return selectOwner(deps, key, value);
        case 'accountId':
        case 'dataSetId':
          await selectCreated(deps, key, value);
          break;
        case 'subscriptionId':
          await store.settings.writeAll(await selectionOf(deps, value));
          break;
        case 'batchId':
          await selectBatch(deps, value);
          break;
        case 'subscriptions':
        case 'postedBatches':
          await writeList(deps, key, value);
          break;
        case 'companySigningKey':
          await writeSigningKey(deps, value);
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
    return deps.scope;
  }

  return {
    getSettings: ({ query }) => settingsView(deps, { whole: query.lists === 'whole' }),
    getSetAside: async () => ({ data: await quarantinedIn(store) }),
    async setSetting({ body: { key, value }, switchCompany }) {
      const scope = await write(key, value);
      if (scope === deps.scope) return settingsView(deps);
      switchCompany(scope);
      return settingsView({ config, store: store.at(scope) });
    },
    async changeSettings({ body: { subscriptionId, ...rest } }) {
      const chosen = Object.entries(rest).filter(
        (entry): entry is [keyof typeof rest, string] => entry[1] !== undefined,
      );
      for (const [key, value] of chosen) requireChoice(key, value);
      const selected = subscriptionId === undefined ? {} : await selectionOf(deps, subscriptionId, rest.providerId);
      await store.settings.writeAll({ ...Object.fromEntries(chosen), ...selected });
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
