import type { Keyv } from 'keyv';
import type { Storage } from '#server/storage/open.ts';
import type { Location } from '#server/storage/schema.ts';

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
const scopedSettings = [
  'subscriptionId',
  'providerId',
  'organisationId',
  'companyId',
  'companySigningKey',
  'accountId',
  'dataSetId',
  'batchId',
  /**
   * Not in the contract: the company for which the access token was obtained, the company's name, the signing key that
   * was replaced, and what a program has written (writtenSettings.ts).
   */
  'accessTokenOf',
  'companyName',
  'previousSigningKey',
  'written',
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
  /** Writes settings of the workspace and of the scope: all or, if the database fails meanwhile, none. */
  writeAll(values: Partial<Record<StoredSetting, string>>): Promise<void>;
}

/** Returns all entries. Keyv's getMany is not used, because it hides the errors of single keys. */
export async function settingsEntries(keyv: Keyv<string>): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for await (const entry of keyv.iterator?.(undefined) ?? []) entries.push(entry as [string, string]); // Keyv leaves it untyped
  return Object.fromEntries(entries);
}

const sharedAmong = (names: readonly string[], values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([key, value]) => (names.includes(key) ? [{ key, value }] : []));

export function storedSettingsIn(storage: Storage, at: Location): StoredSettings {
  const { workspace } = at;
  const shared = () => storage.settings.of<string>({ workspace, company: '' });
  const own = () => storage.settings.of<string>(at);

  const settings: StoredSettings = {
    async read() {
      const values = { ...(await settingsEntries(shared())), ...(await settingsEntries(own())) };
      return Object.fromEntries(sharedAmong(storedSettings, values).map(({ key, value }) => [key, value]));
    },
    write: (key, value) => settings.writeAll({ [key]: value }),
    async writeAll(values) {
      const [ofWorkspace, ofScope] = [sharedAmong(sharedSettings, values), sharedAmong(scopedSettings, values)];
      const write = async () => {
        if (ofWorkspace.length > 0) await shared().setMany(ofWorkspace);
        if (ofScope.length > 0) await own().setMany(ofScope);
      };
      // One statement writes all entries of one place or none.
      await (ofWorkspace.length > 0 && ofScope.length > 0 ? storage.transaction(workspace, write) : write());
    },
  };
  return settings;
}
