import { othersTurn } from '#server/concurrency.ts';
import { EventEmitter } from 'node:events';
import { parse, stringify } from '#contract/json.ts';
import { Keyv } from 'keyv';
import type { KeyvStoreAdapter, StoredData } from 'keyv';
import type { Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import { UnreadableError } from './errors.ts';
import { columnValues, type List } from './queries.ts';
import { locations, ofWorkspace } from './schema.ts';
import type { Tables } from './schema.ts';
import { selecting } from './statements.ts';

/** The settings of a company, or of a workspace, by their names: one value, written as a whole. */
export type SettingValues = Readonly<Record<string, string>>;

/**
 * Settings, behind Keyv. They are never quarantined, because nothing must look unset: reading one that is unreadable
 * throws UnreadableError.
 */
export interface Settings {
  /**
   * The settings of a workspace's companies, by their keys; those of the workspace itself under `ofWorkspace`. Whoever changes some
   * of them reads and writes them in one transaction. Throws if the database fails.
   */
  of<Value = SettingValues>(workspace: string): Keyv<Value>;
  /** All companies of a workspace that have settings, with these, in the order in which they had their first one. */
  companies(workspace: string): Promise<[companyKey: string, values: SettingValues][]>;
  /** The places of the settings that were found to be unreadable and still are. */
  unreadable(): Promise<string[]>;
  /** Finds all settings that are unreadable now, which takes as long as decrypting all of them. */
  sweep(): Promise<void>;
}

type SettingRow = Pick<Selectable<Tables['settings']>, 'workspace' | 'company_key' | 'value'>;

/** Maximum number of workspaces whose stores stay in memory. */
const mostWorkspaces = 1000;

/** Number of values decrypted before other work gets its turn. */
const batchSize = 200;

const nameOf = ({ workspace, company_key: companyKey }: SettingRow): string =>
  ['settings', workspace, companyKey].join('/');

/** Reads a value as Keyv has serialised it. */
const deserialize = <Kept>(text: string) => parse(text) as { value: Kept };

export function createSettings(
  { read, select, write, isPostgres }: Database<Tables>,
  encryption: Encryption,
  onError: (error: unknown) => void,
): Settings {
  /** The unreadable settings found so far, by their names. */
  const found = new Map<string, SettingRow>();

  /** Decrypts settings. Throws UnreadableError. */
  function decrypted(row: SettingRow): string {
    try {
      return encryption.decrypt(row.value, locations.setting(row));
    } catch (cause) {
      found.set(nameOf(row), row);
      throw new UnreadableError(nameOf(row), cause);
    }
  }

  const { listOf, isIn } = columnValues(isPostgres);
  const rowsIn = selecting<Tables, { workspace: string; companyKeys: List }, SettingRow>((db, given) =>
    db
      .selectFrom('settings')
      .select(['workspace', 'company_key', 'value'])
      .where('workspace', '=', given('workspace'))
      .where(isIn('company_key', given('companyKeys'))),
  );
  const rowsOf = (workspace: string, companyKeys: readonly string[]): Promise<SettingRow[]> =>
    select(rowsIn, { workspace, companyKeys: listOf(companyKeys.map(escapeId)) });

  /** A Keyv store for one workspace. Each Keyv needs its own, because Keyv keeps state in it. */
  class SettingsStore extends EventEmitter implements KeyvStoreAdapter {
    readonly opts = {};
    readonly #workspace: string;

    constructor(workspace: string) {
      super();
      this.#workspace = workspace;
    }

    async get<Value>(companyKey: string): Promise<Value | undefined> {
      return (await this.getMany<Value>([companyKey]))[0] as Value | undefined; // Keyv's own serialised text
    }

    async getMany<Value>(companyKeys: string[]): Promise<StoredData<Value>[]> {
      const rows = new Map(
        (await rowsOf(this.#workspace, companyKeys)).map((row) => [row.company_key, decrypted(row)]),
      );
      return companyKeys.map((companyKey) => rows.get(escapeId(companyKey)) as StoredData<Value>); // as in get
    }

    /** Keeps the position of existing ones, so that companies stay in the order of their first settings. */
    async set(companyKey: string, value: string): Promise<void> {
      const at = { workspace: this.#workspace, company_key: escapeId(companyKey) };
      const row = { ...at, value: encryption.encrypt(value, locations.setting(at)) };
      await write((db) =>
        db
          .insertInto('settings')
          .values(row)
          .onConflict((on) => on.columns(['workspace', 'company_key']).doUpdateSet({ value: row.value }))
          .execute(),
      );
    }

    async delete(companyKey: string): Promise<boolean> {
      const { numDeletedRows } = await write((db) =>
        db
          .deleteFrom('settings')
          .where((on) => on.and({ workspace: this.#workspace, company_key: escapeId(companyKey) }))
          .executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    }

    async clear(): Promise<void> {
      await write((db) => db.deleteFrom('settings').where('workspace', '=', this.#workspace).execute());
    }
  }

  /** Made once for each workspace, because every call reads settings; they hold no values. */
  const stores = new LRUCache<string, Keyv<unknown>>({
    max: mostWorkspaces,
    memoMethod(workspace) {
      const keyv = new Keyv<unknown>({
        store: new SettingsStore(workspace),
        useKeyPrefix: false,
        // Otherwise settings would look empty while the database fails.
        throwOnErrors: true,
        serialize: stringify,
        deserialize,
      });
      return keyv.on('error', onError);
    },
  });

  return {
    of: (workspace) => stores.memo(workspace), // what is read is what was written
    async companies(workspace) {
      const rows = await read((db) =>
        db
          .selectFrom('settings')
          .selectAll()
          .where('workspace', '=', workspace)
          .where('company_key', '<>', ofWorkspace)
          .orderBy('position')
          .execute(),
      );
      return rows.map((row) => [row.company_key, deserialize<SettingValues>(decrypted(row)).value]);
    },
    async unreadable() {
      const before = [...found];
      found.clear();
      for (const [, { workspace, company_key: companyKey }] of before) {
        const rows = await rowsOf(workspace, [companyKey]).catch((error: unknown) => {
          for (const [name, each] of before) found.set(name, each);
          throw error;
        });
        try {
          rows.forEach(decrypted);
        } catch {
          // noted by decrypted
        }
      }
      return [...found.keys()];
    },
    async sweep() {
      const rows = await read((db) => db.selectFrom('settings').selectAll().execute());
      for (const [index, row] of rows.entries()) {
        if (index % batchSize === 0) await othersTurn();
        try {
          decrypted(row);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
