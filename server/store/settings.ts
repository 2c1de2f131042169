import type { Keyv } from 'keyv';
import type { Memo } from './memo.ts';
import { firstScope } from './namespaces.ts';
import { entriesOf } from './records.ts';

/** Settings of the workspace, shared by all its scopes. */
const sharedSettings = [
  'providerCountry',
  'fileFormatCountry',
  'acceptLanguage',
  'useMock',
  'useNetwork',
  'userJwt',
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
   * Writes the workspace's settings, then the scope's. Each group is written completely or, if the process ends
   * meanwhile, not at all.
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
      for (const [names, scope] of [
        [sharedSettings, firstScope],
        [scopedSettings, await here()],
      ] as const) {
        const written = among(names, entries).map(([key, value]) => ({ key, value }));
        if (written.length > 0) await settingsOf(scope).setMany(written);
      }
    },
  };
  return settings;
}
