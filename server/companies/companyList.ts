import { randomUUID } from 'node:crypto';
import type { Storage } from '#server/storage/open.ts';
import type { SettingValues } from '#server/storage/settings.ts';
import { settingsOf } from './storedSettings.ts';
import type { ScopedSetting } from './storedSettings.ts';
import { Failure } from '#server/failure.ts';

/** The name of every workspace's first scope. */
export const firstScope = 'first';

/** One company with all its records, or an organisation without a company. */
export interface Scope {
  scope: string;
  organisationId: string;
  /** '' until the organisation's company is created. */
  companyId: string;
  /** '' if unknown. */
  companyName: string;
  /** Whether the organisation's signing key has replaced another one, which can be put back. */
  hasPreviousKey: boolean;
}

/** The scopes of one workspace. */
export interface Scopes {
  /** Returns all scopes that hold an organisation, in order of creation. */
  list(): Promise<readonly Scope[]>;
  /**
   * Returns the scope with this name, or the current one for '', with the settings of it and of the workspace. Throws
   * `company-unknown` if there is none.
   */
  known(named: string): Promise<{ scope: string; settings: SettingValues }>;
  /** Whether a scope holds an organisation. */
  has(scope: string): Promise<boolean>;
  current(): Promise<string>;
  select(scope: string): Promise<void>;
  /** Returns the name of a new, empty scope; nothing is stored yet. */
  make(): string;
  /** The settings of a scope; secrets are in clear text. */
  read(scope: string): Promise<Partial<Record<ScopedSetting, string>>>;
  /** Writes all these settings of a scope or, if the process ends meanwhile, none. */
  write(scope: string, values: Readonly<Record<string, string>>): Promise<void>;
  /** Deletes all records and settings of a scope. If the scope was current, another one becomes current. */
  remove(scope: string): Promise<void>;
  /** Runs a function that reads and then writes scopes, in one transaction. */
  transaction<T>(run: () => Promise<T>): Promise<T>;
}

/** The setting of the workspace that names the current scope. */
const currentKey = 'currentScope';

export function scopesIn(storage: Storage, workspace: string): Scopes {
  const settings = settingsOf(storage, workspace);

  const describe = (scope: string, values: Partial<Record<string, string>>): Scope => {
    const { organisationId = '', companyId = '', companyName = '', previousSigningKey = '' } = values;
    return { scope, organisationId, companyId, companyName, hasPreviousKey: previousSigningKey !== '' };
  };

  const scopes: Scopes = {
    async list() {
      const all = (await settings.all()).map(([scope, values]) => describe(scope, values));
      return all.filter(({ organisationId }) => organisationId !== '');
    },
    async known(named) {
      const asked = named === '' ? firstScope : named;
      const { shared, own } = await settings.readBoth(asked);
      const current = shared[currentKey] ?? firstScope;
      if (asked === current || (named !== '' && (own['organisationId'] ?? '') !== ''))
        return { scope: asked, settings: { ...shared, ...own } };
      if (named !== '')
        throw new Failure('company-unknown', 'The request names a company that this console does not keep.');
      return { scope: current, settings: { ...shared, ...(await settings.read(current)) } };
    },
    has: async (scope) => ((await settings.read(scope))['organisationId'] ?? '') !== '',
    current: async () => (await settings.read(''))[currentKey] ?? firstScope,
    select: (scope) => settings.change({ '': { [currentKey]: scope } }),
    make: () => randomUUID(),
    read: (scope) => settings.read(scope),
    write: (scope, values) => settings.change({ [scope]: values }),
    remove: (scope) =>
      scopes.transaction(async () => {
        await storage.removeCompany({ workspace, companyKey: scope });
        if ((await scopes.current()) === scope)
          await scopes.select((await scopes.list()).at(-1)?.scope ?? scopes.make());
      }),
    transaction: (run) => storage.transaction(workspace, run),
  };
  return scopes;
}

/**
 * Returns an id of an application, organisation or company in the form in which it is compared (wire, section 2.2):
 * blanks around it do not reach the service, and letters count alike in capitals and small.
 */
export const comparableId = (id: string): string => id.trim().toLowerCase();

/** Whether two ids stand for the same application, organisation or company. */
export const isSameId = (one: string, other: string): boolean => comparableId(one) === comparableId(other);
