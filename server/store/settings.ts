import type { Keyv } from 'keyv';
import type { Memo } from './memo.ts';
import { firstScope } from './namespaces.ts';
import { setTogether } from './adapter.ts';
import { entriesOf } from './records.ts';

/** Settings of the workspace, shared by all its scopes. */
const sharedSettings = [
  'providerCountry',
  'fileFormatCountry',
  'acceptLanguage',
  'useMock',
  'useNetwork',
  'userJwt',
  /** '' for the configured one. */
  'providerUrl',
] as const;

/** Settings of one scope. */
export const scopedSettings = [
  'subscriptionId',
  'providerId',
  'organisationId',
  'companyId',
  'companySigningKey',
  'accountId',
  'dataSetId',
  'batchId',
  /** Not in the contract: the company for which the access token was obtained, and the company's name. */
  'accessTokenOf',
  'companyName',
  /** Not in the contract: 'true' from the time the scope is stored until it becomes current. */
  'entering',
] as const;

/** All settings, each stored under its own key; the settings that are lists of records are assembled on reading. */
export const storedSettings = [...sharedSettings, ...scopedSettings] as const;
export type StoredSetting = (typeof storedSettings)[number];
export type ScopedSetting = (typeof scopedSettings)[number];

/** The settings of a scope and of its workspace together. */
export interface StoredSettings {
  /** Returns the settings that have a value; omits the others. */
  read(): Promise<Readonly<Partial<Record<StoredSetting, string>>>>;
  write(key: StoredSetting, value: string): Promise<void>;
  /**
   * Writes settings of the workspace and of the scope: all or, if the store fails or the process ends meanwhile, none.
   */
  writeAll(values: Partial<Record<StoredSetting, string>>): Promise<void>;
}

const among = (names: readonly string[], entries: [string, string][]): [string, string][] =>
  entries.filter(([key]) => names.includes(key));

/**
 * Settings of the current scope (`here`) and of its workspace. `settingsOf` opens the settings of a scope; the
 * workspace's settings are stored with those of the first scope.
 */
export function settingsIn(
  settingsOf: (scope: string) => Keyv<string>,
  here: () => Promise<string>,
  memo: Memo,
): StoredSettings {
  const settings: StoredSettings = {
    read: () =>
      memo('settings', async () => {
        const [shared, own] = [await entriesOf(settingsOf(firstScope)), await entriesOf(settingsOf(await here()))];
        return Object.fromEntries([...among(sharedSettings, shared), ...among(scopedSettings, own)]);
      }),
    write: (key, value) => settings.writeAll({ [key]: value }),
    async writeAll(values) {
      const entries = Object.entries(values);
      const parts = [
        { keyv: settingsOf(firstScope), values: among(sharedSettings, entries) },
        { keyv: settingsOf(await here()), values: among(scopedSettings, entries) },
      ];
      await setTogether(parts.filter((part) => part.values.length > 0));
    },
  };
  return settings;
}
