import type { Keyv } from 'keyv';
import { firstScope } from './namespaces.ts';
import { entriesOf } from './records.ts';

/** Settings of the workspace, whichever company is current. */
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
  /** Not in the contract: the company for which an access token was obtained, and the company's name. */
  'accessTokenOf',
  'companyName',
  /** Not in the contract: 'true' from when the scope is stored until it has become current. */
  'entering',
] as const;

/** Settings stored under their own key; lists of records are assembled on reading. */
export const storedSettings = [...sharedSettings, ...scopedSettings] as const;
export type StoredSetting = (typeof storedSettings)[number];
export type ScopedSetting = (typeof scopedSettings)[number];

/** The settings of a scope and of its workspace together. */
export interface StoredSettings {
  /** Settings never written are absent. */
  read(): Promise<Partial<Record<StoredSetting, string>>>;
  write(key: StoredSetting, value: string): Promise<void>;
  /**
   * Writes all of them, or none if the process ends meanwhile; the workspace's settings are written before the scope's.
   */
  writeAll(values: Partial<Record<StoredSetting, string>>): Promise<void>;
}

const among = (names: readonly string[], entries: [string, string][]): [string, string][] =>
  entries.filter(([key]) => names.includes(key));

/** `settingsOf` opens the settings of a scope; the workspace's own are stored with those of the first. */
export function settingsIn(settingsOf: (scope: string) => Keyv<string>, here: () => Promise<string>): StoredSettings {
  const settings: StoredSettings = {
    async read() {
      const [shared, own] = [await entriesOf(settingsOf(firstScope)), await entriesOf(settingsOf(await here()))];
      return Object.fromEntries([...among(sharedSettings, shared), ...among(scopedSettings, own)]);
    },
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
