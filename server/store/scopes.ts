import { randomUUID } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Engine } from './engine.ts';
import type { Memo } from './memo.ts';
import { firstScope, namespaceOf, placeOf } from './namespaces.ts';
import { entriesOf } from './records.ts';
import { scopedSettings } from './settings.ts';
import type { ScopedSetting } from './settings.ts';

/** One company with all its records, or an organisation without a company. */
export interface Scope {
  scope: string;
  organisationId: string;
  /** '' until the organisation's company is created. */
  companyId: string;
  /** '' if unknown. */
  companyName: string;
}

/** The scopes of one workspace. Calls without a scope use the current one. */
export interface Scopes {
  /** Returns all scopes that hold an organisation, in order of creation. */
  list(): Promise<readonly Scope[]>;
  current(): Promise<string>;
  select(scope: string): Promise<void>;
  /** Returns the name of a new, empty scope; nothing is stored yet. */
  make(): string;
  /** The settings of a scope; secrets are in clear text. */
  read(scope: string): Promise<Partial<Record<ScopedSetting, string>>>;
  /** Writes all these settings of a scope or, if the process ends meanwhile, none. */
  write(scope: string, values: Partial<Record<ScopedSetting, string>>): Promise<void>;
  /** Deletes all records and settings of a scope. If the scope was current, another one becomes current. */
  remove(scope: string): Promise<void>;
  /** Caches a result that is read from this store until something is written; see Memo. */
  memo: Memo;
  /** Runs a function that reads and then writes scopes, after all functions passed earlier have ended. */
  inTurn<T>(run: () => Promise<T>): Promise<T>;
}

interface Parts {
  engine: Engine;
  workspace: string;
  /** The settings of a scope; those of the first scope include the workspace's settings. */
  settingsOf: (scope: string) => Keyv<string>;
  /** Kinds of records that belong to a scope. */
  scopedKinds: readonly string[];
  /** Called after a scope was removed. */
  gone: () => void;
  memo: Memo;
}

const currentKey = 'currentScope';

export function scopesIn({ engine, workspace, settingsOf, scopedKinds, gone, memo }: Parts): Scopes {
  const shared = settingsOf(firstScope);

  async function names(): Promise<string[]> {
    const namespaces = await engine.entries.settingsOf(workspace);
    return [firstScope, ...namespaces.map((namespace) => placeOf(namespace).scope)];
  }

  async function describe(scope: string): Promise<Scope> {
    const { organisationId = '', companyId = '', companyName = '' } = await scopes.read(scope);
    return { scope, organisationId, companyId, companyName };
  }

  const scopes: Scopes = {
    list: () =>
      memo('scopes', async () => {
        const all = await Promise.all((await names()).map(describe));
        return all.filter(({ organisationId }) => organisationId !== '');
      }),
    current: () => memo('current', async () => (await shared.get(currentKey)) ?? firstScope),
    async select(scope) {
      await shared.set(currentKey, scope);
    },
    make: () => randomUUID(),
    read: async (scope) => Object.fromEntries(await entriesOf(settingsOf(scope))),
    async write(scope, values) {
      await settingsOf(scope).setMany(Object.entries(values).map(([key, value]) => ({ key, value })));
    },
    async remove(scope) {
      await engine.entries.clear([
        ...scopedKinds.map((kind) => ({ namespace: namespaceOf(workspace, scope, kind) })),
        { namespace: namespaceOf(workspace, scope, 'settings'), keys: scopedSettings },
      ]);
      gone();
      if ((await scopes.current()) === scope) await scopes.select((await scopes.list()).at(-1)?.scope ?? scopes.make());
    },
    memo,
    inTurn: (run) => engine.inTurn(`${workspace} scopes`, run),
  };
  return scopes;
}
