import { isDeepStrictEqual } from 'node:util';
import type { Storage } from '#server/storage/open.ts';
import { ofWorkspace, type Location } from '#server/storage/schema.ts';
import type { SettingValues } from '#server/storage/settings.ts';
import { comparableId } from './comparableText.ts';

/** Settings of the workspace, shared by all its companies. */
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

/** Settings of one company. */
const companySettings = [
  'subscriptionId',
  'providerId',
  'organisationId',
  'companyId',
  'accountId',
  'dataSetId',
  'batchId',
  /**
   * Not in the contract: the company for which the access token was obtained, and by which exchange; the company's name, and
   * the id that it belongs to; a signing key that was written without proof, which the next organisation gets that has none.
   */
  'accessTokenOf',
  'accessTokenBy',
  'companyName',
  'companyNameOf',
  'unprovedKey',
] as const;

/** Settings that belong to the organisation of a company: its signing key, and the one that this has replaced. */
const organisationSettings = ['companySigningKey', 'previousSigningKey'] as const;

/** All settings that are stored; those that are lists of records are assembled on reading. */
export const storedSettings = [...sharedSettings, ...companySettings, ...organisationSettings] as const;
export type StoredSetting = (typeof storedSettings)[number];

export type StoredValues = Readonly<Partial<Record<StoredSetting, string>>>;

/** The settings of a company and of its workspace together; secrets are in clear text. */
export interface StoredSettings {
  /** Returns the settings that have a value; omits the others. */
  read(): Promise<StoredValues>;
  write(key: StoredSetting, value: string): Promise<void>;
  /** Writes settings of the workspace and of the company: all or, if the database fails meanwhile, none. */
  writeAll(values: StoredValues): Promise<void>;
}

/** The names of an organisation's keys among the settings of the workspace, in which they stay whatever a company is called. */
export const keyNames = (organisationId: string) => {
  const id = comparableId(organisationId);
  return { current: `signing key of ${id}`, previous: `previous signing key of ${id}` };
};

/** Whether a stored setting is a secret, by its name. */
export const isSecretSetting = (name: string): boolean =>
  ['userJwt', 'unprovedKey'].includes(name) || /^(previous )?signing key of /.test(name);

const among = (
  names: readonly string[],
  values: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => names.includes(entry[0]) && entry[1] !== undefined,
    ),
  );

/** The settings of a company with those of its workspace and its organisation. */
function together(shared: SettingValues, own: SettingValues): StoredValues {
  const { organisationId = '', unprovedKey } = own;
  const { current, previous } = keyNames(organisationId);
  const keys = { companySigningKey: shared[current], previousSigningKey: shared[previous] };
  return among(storedSettings, {
    ...shared,
    ...own,
    ...(organisationId === '' ? { companySigningKey: unprovedKey } : keys),
  });
}

/** The settings of a workspace's companies, by their keys. */
export function settingsOf({ settings, transaction }: Pick<Storage, 'settings' | 'transaction'>, workspace: string) {
  const keyv = settings.of(workspace);
  const readShared = async (): Promise<SettingValues> => (await keyv.get(ofWorkspace)) ?? {};
  const all = {
    readShared,
    /** Reads those of a company, and those of the workspace itself, at once. */
    async read(companyKey: string): Promise<{ values: StoredValues; shared: SettingValues }> {
      const [shared = {}, own = {}] = await keyv.getMany([ofWorkspace, companyKey]);
      return { values: together(shared, own), shared };
    },
    /** All companies that have settings, in the order in which they had their first one. */
    async all(): Promise<(readonly [companyKey: string, values: StoredValues])[]> {
      const [shared, companies] = [await readShared(), await settings.companies(workspace)];
      return companies.map(([companyKey, own]) => [companyKey, together(shared, own)] as const);
    },
    /** Forgets the signing keys of an organisation. */
    forgetKeys: (organisationId: string): Promise<void> => {
      const { current, previous } = keyNames(organisationId);
      return all.changeShared({ [current]: undefined, [previous]: undefined });
    },
    /** Changes settings of the workspace itself; undefined removes one. */
    changeShared: (values: Readonly<Record<string, string | undefined>>): Promise<void> =>
      transaction(workspace, async () => {
        const changed = { ...(await readShared()), ...values };
        await keyv.set(ofWorkspace, among(Object.keys(changed), changed));
      }),
    /**
     * Writes settings of a company, with those of its workspace and its organisation; those that are not named stay. A
     * signing key becomes that of the organisation, of which it replaces another one; a name that of the company.
     */
    write: (companyKey: string, values: StoredValues): Promise<void> =>
      transaction(workspace, async () => {
        const [before = {}, ownBefore = {}] = await keyv.getMany([ofWorkspace, companyKey]);
        const shared = { ...before, ...among(sharedSettings, values) };
        const own = { ...ownBefore, ...among(companySettings, values) };
        const { organisationId = '', companyId = '' } = own;
        if (values.companyName !== undefined) own['companyNameOf'] = companyId;
        const { current, previous } = keyNames(organisationId);
        const key = values.companySigningKey ?? (shared[current] === undefined ? own['unprovedKey'] : undefined);
        if (organisationId === '') {
          if (values.companySigningKey !== undefined) own['unprovedKey'] = values.companySigningKey;
        } else if (key !== undefined && key !== shared[current]) {
          if (shared[current]) shared[previous] = shared[current];
          shared[current] = key;
        }
        for (const [at, from, to] of [
          [ofWorkspace, before, shared],
          [companyKey, ownBefore, own],
        ] as const)
          if (!isDeepStrictEqual(from, to)) await keyv.set(at, to);
      }),
  };
  return all;
}

export function storedSettingsIn(
  storage: Pick<Storage, 'settings' | 'transaction'>,
  { workspace, companyKey }: Location,
): StoredSettings {
  const all = settingsOf(storage, workspace);
  return {
    read: async () => (await all.read(companyKey)).values,
    write: (key, value) => all.write(companyKey, { [key]: value }),
    writeAll: (values) => all.write(companyKey, values),
  };
}
