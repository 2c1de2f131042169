import type { Storage } from '#server/storage/open.ts';
import type { Location } from '#server/storage/schema.ts';
import type { SettingValues } from '#server/storage/settings.ts';

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
   * Not in the contract: the company for which the access token was obtained, and by which exchange; the company's name, the signing key that
   * was replaced, and what a program has written (writtenSettings.ts).
   */
  'accessTokenOf',
  'accessTokenBy',
  'companyName',
  'previousSigningKey',
  'written',
] as const;

/** All settings that are stored; those that are lists of records are assembled on reading. */
export const storedSettings = [...sharedSettings, ...scopedSettings] as const;
export type StoredSetting = (typeof storedSettings)[number];
export type ScopedSetting = (typeof scopedSettings)[number];

type Values<Key extends string> = Readonly<Partial<Record<Key, string>>>;

/** The settings of a scope and of its workspace together. */
export interface StoredSettings {
  /** Returns the settings that have a value; omits the others. */
  read(): Promise<Values<StoredSetting>>;
  write(key: StoredSetting, value: string): Promise<void>;
  /** Writes settings of the workspace and of the scope: all or, if the database fails meanwhile, none. */
  writeAll(values: Values<StoredSetting>): Promise<void>;
}

/** The settings of a workspace's scopes, by scope; those of the workspace itself under ''. */
export function settingsOf({ settings, transaction }: Pick<Storage, 'settings' | 'transaction'>, workspace: string) {
  const keyv = settings.of(workspace);
  return {
    read: async (scope: string): Promise<SettingValues> => (await keyv.get(scope)) ?? {},
    /** Reads those of the workspace and of a scope at once. */
    async readBoth(scope: string): Promise<{ shared: SettingValues; own: SettingValues }> {
      const [shared = {}, own = {}] = await keyv.getMany(['', scope]);
      return { shared, own };
    },
    all: () => settings.companies(workspace),
    /** Writes settings of several scopes, all or none; those that are not named stay as they are. */
    change: (byScope: Readonly<Record<string, SettingValues>>): Promise<void> =>
      transaction(workspace, async () => {
        for (const [scope, values] of Object.entries(byScope))
          if (Object.keys(values).length > 0) await keyv.set(scope, { ...(await keyv.get(scope)), ...values });
      }),
  };
}

const among = (names: readonly string[], values: Values<string>): SettingValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => names.includes(entry[0]) && entry[1] !== undefined,
    ),
  );

/** `justRead` are those that were read to find the company; the first reading returns them, unless something was written. */
export function storedSettingsIn(
  storage: Pick<Storage, 'settings' | 'transaction'>,
  at: Location,
  justRead?: SettingValues,
): StoredSettings {
  const all = settingsOf(storage, at.workspace);
  let first = justRead;
  const settings: StoredSettings = {
    async read() {
      const known = first;
      first = undefined;
      if (known) return among(storedSettings, known);
      const { shared, own } = await all.readBoth(at.companyKey);
      return among(storedSettings, { ...shared, ...own });
    },
    write: (key, value) => settings.writeAll({ [key]: value }),
    writeAll(values) {
      first = undefined;
      return all.change({ '': among(sharedSettings, values), [at.companyKey]: among(scopedSettings, values) });
    },
  };
  return settings;
}
