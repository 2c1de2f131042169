import { EventEmitter } from 'node:events';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { parse, stringify } from '#contract/json.ts';
import { Keyv } from 'keyv';
import type { KeyvStoreAdapter } from 'keyv';
import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import { UnreadableError } from './errors.ts';
import { locations } from './schema.ts';
import type { Location, Tables } from './schema.ts';

/**
 * Settings, behind Keyv. They are never quarantined, because nothing must look unset: reading one that is unreadable
 * throws UnreadableError.
 */
export interface Settings {
  /** The settings of a company, or of a workspace if `company` is ''. Throws if the database fails. */
  of<Value>(at: Location): Keyv<Value>;
  /** The companies of a workspace that have settings, in the order of their first one. */
  companies(workspace: string): Promise<string[]>;
  /** The places of the settings that were found to be unreadable and still are. */
  unreadable(): Promise<string[]>;
  /** Finds all settings that are unreadable now, which takes as long as decrypting all of them. */
  sweep(): Promise<void>;
}

interface SettingRow extends Location {
  key: string;
  value: string;
}

/** Number of settings decrypted before other work gets its turn. */
const batchSize = 200;

const nameOf = ({ workspace, company, key }: Omit<SettingRow, 'value'>): string =>
  ['settings', workspace, company, key].join('/');

export function createSettings(
  { read, write }: Pick<Database<Tables>, 'read' | 'write'>,
  encryption: Encryption,
  onError: (error: unknown) => void,
): Settings {
  /** The unreadable settings found so far, by their names. */
  const found = new Map<string, Omit<SettingRow, 'value'>>();

  /** Decrypts a setting. Throws UnreadableError. */
  function decrypted(row: SettingRow): string {
    try {
      return encryption.decrypt(row.value, locations.setting(row));
    } catch (cause) {
      found.set(nameOf(row), row);
      throw new UnreadableError(nameOf(row), cause);
    }
  }

  /** A Keyv store for one location. Each Keyv needs its own, because Keyv keeps state in it. */
  class SettingsStore extends EventEmitter implements KeyvStoreAdapter {
    /** Keyv offers an iterator only for the dialects in its list. */
    readonly opts = { dialect: 'sqlite' };
    readonly #at: Location;

    constructor({ workspace, company }: Location) {
      super();
      this.#at = { workspace, company };
    }

    async get<Value>(setting: string): Promise<Value | undefined> {
      const row = await read((db) =>
        db
          .selectFrom('settings')
          .selectAll()
          .where((on) => on.and({ ...this.#at, key: escapeId(setting) }))
          .executeTakeFirst(),
      );
      return row && (decrypted(row) as Value); // Keyv's own serialised text
    }

    /** Keeps the position of an existing key, so that settings stay in order of insertion. */
    async set(key: string, value: string): Promise<void> {
      await this.setMany([{ key, value }]);
    }

    /** Writes all entries or, if the database fails, none. */
    async setMany(entries: { key: string; value: string }[]): Promise<void> {
      if (entries.length === 0) return;
      const last = new Map(entries.map(({ key, value }) => [escapeId(key), value]));
      const rows = [...last].map(([key, value]) => ({
        ...{ ...this.#at, key },
        value: encryption.encrypt(value, locations.setting({ ...this.#at, key })),
      }));
      await write((db) =>
        db
          .insertInto('settings')
          .values(rows)
          .onConflict((on) =>
            on
              .columns(['workspace', 'company', 'key'])
              .doUpdateSet((given) => ({ value: given.ref('excluded.value') })),
          )
          .execute(),
      );
    }

    async delete(given: string): Promise<boolean> {
      const { numDeletedRows } = await write((db) =>
        db
          .deleteFrom('settings')
          .where((on) => on.and({ ...this.#at, key: escapeId(given) }))
          .executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    }

    async clear(): Promise<void> {
      await write((db) =>
        db
          .deleteFrom('settings')
          .where((on) => on.and(this.#at))
          .execute(),
      );
    }

    /** Yields the rows of one read, so that rows added or removed during the iteration do not shift it. */
    async *iterator<Value>(): AsyncGenerator<[string, Value], void> {
      const rows = await read((db) =>
        db
          .selectFrom('settings')
          .selectAll()
          .where((on) => on.and(this.#at))
          .orderBy('position')
          .execute(),
      );
      for (const row of rows) yield [row.key, decrypted(row) as Value]; // as in get
    }
  }

  return {
    of<Value>(at: Location) {
      const keyv = new Keyv<Value>({
        store: new SettingsStore(at),
        useKeyPrefix: false,
        // Otherwise settings would look empty while the database fails.
        throwOnErrors: true,
        serialize: stringify,
        deserialize: <Kept>(text: string) => parse(text) as { value: Kept }, // as it was serialised
      });
      keyv.on('error', onError);
      return keyv;
    },
    async companies(workspace) {
      const rows = await read((db) =>
        db
          .selectFrom('settings')
          .select('company')
          .where('workspace', '=', workspace)
          .where('company', '<>', '')
          .groupBy('company')
          .orderBy((on) => on.fn.min('position'))
          .execute(),
      );
      return rows.map(({ company }) => company);
    },
    async unreadable() {
      const before = [...found];
      found.clear();
      for (const [, { workspace, company, key }] of before) {
        const row = await read((db) =>
          db
            .selectFrom('settings')
            .selectAll()
            .where((on) => on.and({ workspace, company, key }))
            .executeTakeFirst(),
        ).catch((error: unknown) => {
          for (const [name, each] of before) found.set(name, each);
          throw error;
        });
        try {
          if (row) decrypted(row);
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
