import { randomUUID } from 'node:crypto';
import type { Storage } from '#server/storage/open.ts';
import { isSameId } from './comparableText.ts';
import { settingsOf } from './storedSettings.ts';
import type { StoredValues } from './storedSettings.ts';
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
   * Returns the scope that a call names, or the current one if it names none, with its settings. Throws
   * `company-unknown` if there is none.
   */
  called(named: string | undefined): Promise<{ scope: string; settings: StoredValues }>;
  /** Whether a scope holds an organisation. */
  has(scope: string): Promise<boolean>;
  current(): Promise<string>;
  select(scope: string): Promise<void>;
  /** Returns the name of a new, empty scope; nothing is stored yet. */
  make(): string;
  /** The settings of a scope, as StoredSettings reads and writes them. */
  read(scope: string): Promise<StoredValues>;
  write(scope: string, values: StoredValues): Promise<void>;
  /**
   * Deletes all records and settings of a scope, and with the last one of an organisation its signing keys. If the scope
   * was current, another one becomes current.
   */
  remove(scope: string): Promise<void>;
  /** Runs a function that reads and then writes scopes, in one transaction. */
  transaction<T>(run: () => Promise<T>): Promise<T>;
}

/** The setting of the workspace that names the current scope. */
const currentKey = 'currentScope';

export function scopesIn(storage: Storage, workspace: string): Scopes {
  const settings = settingsOf(storage, workspace);

  const describe = (scope: string, values: StoredValues): Scope => {
    const { organisationId = '', companyId = '', companyName = '', companyNameOf, previousSigningKey = '' } = values;
    const name = companyNameOf === companyId ? companyName : '';
    return { scope, organisationId, companyId, companyName: name, hasPreviousKey: previousSigningKey !== '' };
  };

  const scopes: Scopes = {
    async list() {
      const all = (await settings.all()).map(([scope, values]) => describe(scope, values));
      return all.filter(({ organisationId }) => organisationId !== '');
    },
    async called(named) {
      // Most workspaces have one company, which is found by one read.
      const asked = named ?? firstScope;
      const { values, shared } = await settings.read(asked);
      const current = shared[currentKey] ?? firstScope;
      if (asked === current || (named !== undefined && (values.organisationId ?? '') !== ''))
        return { scope: asked, settings: values };
      if (named !== undefined)
        throw new Failure('company-unknown', 'The request names a company that this console does not keep.');
      return { scope: current, settings: await scopes.read(current) };
    },
    has: async (scope) => ((await scopes.read(scope)).organisationId ?? '') !== '',
    current: async () => (await settings.readShared())[currentKey] ?? firstScope,
    select: (scope) => settings.changeShared({ [currentKey]: scope }),
    make: () => randomUUID(),
    read: async (scope) => (await settings.read(scope)).values,
    write: (scope, values) => settings.write(scope, values),
    remove: (scope) =>
      scopes.transaction(async () => {
        const { organisationId = '' } = await scopes.read(scope);
        await storage.removeCompany({ workspace, companyKey: scope });
        const others = await scopes.list();
        if (!others.some((each) => isSameId(each.organisationId, organisationId)))
          await settings.forgetKeys(organisationId);
        if ((await scopes.current()) === scope) await scopes.select(others.at(-1)?.scope ?? scopes.make());
      }),
    transaction: (run) => storage.transaction(workspace, run),
  };
  return scopes;
}
