import { randomUUID } from 'node:crypto';
import type { Storage } from '#server/storage/open.ts';
import { isSameId } from './comparableText.ts';
import { settingsOf } from './storedSettings.ts';
import type { StoredValues } from './storedSettings.ts';
import { Failure } from '#server/failure.ts';

/** The key of every workspace's first company. */
export const firstCompany = 'first';

/** One company that is kept with all its records, or an organisation without a company. */
export interface ListedCompany {
  /** Names it in this console, whatever its ids are. */
  companyKey: string;
  organisationId: string;
  /** '' until the organisation's company is created. */
  companyId: string;
  /** '' if unknown. */
  companyName: string;
  /** Whether the organisation's signing key has replaced another one, which can be put back. */
  hasPreviousKey: boolean;
}

/** The companies of one workspace, by their keys. */
export interface Companies {
  /** Returns all companies that have an organisation, in order of creation. */
  list(): Promise<readonly ListedCompany[]>;
  /**
   * Returns the key that a call names, or that of the current company if it names none, with the settings. Throws
   * `company-unknown` if there is no such company.
   */
  called(named: string | undefined): Promise<{ companyKey: string; settings: StoredValues }>;
  /** Whether a company has an organisation. */
  has(companyKey: string): Promise<boolean>;
  current(): Promise<string>;
  select(companyKey: string): Promise<void>;
  /** Returns the key of a new, empty company; nothing is stored yet. */
  make(): string;
  /** The settings of a company, as StoredSettings reads and writes them. */
  read(companyKey: string): Promise<StoredValues>;
  write(companyKey: string, values: StoredValues): Promise<void>;
  /**
   * Deletes all records and settings of a company, and with the last one of an organisation its signing keys. If the company
   * was current, another one becomes current.
   */
  remove(companyKey: string): Promise<void>;
  /** Runs a function that reads and then writes companies, in one transaction. */
  transaction<T>(run: () => Promise<T>): Promise<T>;
}

/** The setting of the workspace that has the key of the current company. */
const currentKey = 'currentCompany';

export function companiesIn(storage: Storage, workspace: string): Companies {
  const settings = settingsOf(storage, workspace);

  const describe = (companyKey: string, values: StoredValues): ListedCompany => {
    const { organisationId = '', companyId = '', companyName = '', companyNameOf, previousSigningKey = '' } = values;
    const name = companyNameOf === companyId ? companyName : '';
    return { companyKey, organisationId, companyId, companyName: name, hasPreviousKey: previousSigningKey !== '' };
  };

  const companies: Companies = {
    async list() {
      const all = (await settings.all()).map(([companyKey, values]) => describe(companyKey, values));
      return all.filter(({ organisationId }) => organisationId !== '');
    },
    async called(named) {
      // Most workspaces have one company, which is found by one read.
      const asked = named ?? firstCompany;
      const { values, shared } = await settings.read(asked);
      const current = shared[currentKey] ?? firstCompany;
      if (asked === current || (named !== undefined && (values.organisationId ?? '') !== ''))
        return { companyKey: asked, settings: values };
      if (named !== undefined)
        throw new Failure('company-unknown', 'The request names a company that this console does not keep.');
      return { companyKey: current, settings: await companies.read(current) };
    },
    has: async (companyKey) => ((await companies.read(companyKey)).organisationId ?? '') !== '',
    current: async () => (await settings.readShared())[currentKey] ?? firstCompany,
    select: (companyKey) => settings.changeShared({ [currentKey]: companyKey }),
    make: () => randomUUID(),
    read: async (companyKey) => (await settings.read(companyKey)).values,
    write: (companyKey, values) => settings.write(companyKey, values),
    remove: (companyKey) =>
      companies.transaction(async () => {
        const { organisationId = '' } = await companies.read(companyKey);
        await storage.removeCompany({ workspace, companyKey });
        const others = await companies.list();
        if (!others.some((each) => isSameId(each.organisationId, organisationId)))
          await settings.forgetKeys(organisationId);
        if ((await companies.current()) === companyKey)
          await companies.select(others.at(-1)?.companyKey ?? companies.make());
      }),
    transaction: (run) => storage.transaction(workspace, run),
  };
  return companies;
}
