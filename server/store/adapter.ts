/* eslint-disable @typescript-eslint/require-await -- Keyv's stores are asynchronous; async makes what the driver throws a rejection */
import { EventEmitter } from 'node:events';
import { parse, stringify } from '#contract/json.ts';
import { Keyv } from 'keyv';
import type { KeyvStoreAdapter } from 'keyv';
import type { Db } from '#server/sqlite.ts';
import { visibleId } from '#server/visible.ts';
import type { Seal } from './seal.ts';
import { UnreadableError } from './setAside.ts';
import type { Aside } from './setAside.ts';

interface Row {
  position: number;
  key: string;
  value: string;
}

/**
 * Prefix of values serialised as JSON that preserves the digits of numbers; values without it were written by Keyv's
 * own serialiser.
 */
const current = 'json:';
const withoutColon = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(':') ? value.slice(1) : value;

/**
 * A Keyv store for one namespace of the `entries` table; values are encrypted. Each Keyv needs its own adapter, because
 * Keyv keeps state in it.
 */
class LibsqlAdapter extends EventEmitter implements KeyvStoreAdapter {
  /** Keyv offers an iterator only for the dialects in its list. */
  readonly opts = { dialect: 'sqlite' };
  readonly #db: Db;
  readonly #name: string;
  readonly #seal: Seal;
  readonly #aside: Aside | undefined;

  constructor(db: Db, name: string, seal: Seal, aside: Aside | undefined) {
    super();
    this.#db = db;
    this.#name = name;
    this.#seal = seal;
    this.#aside = aside;
  }

  /**
   * Decrypts a row's value. Returns undefined if the value is unreadable and was set aside; throws UnreadableError if
   * there is no `aside`.
   */
  #open({ position, key, value }: Row): string | undefined {
    try {
      return this.#seal.open(value, `${this.#name}/${key}`);
    } catch (cause) {
      const error = new UnreadableError(`${this.#name}/${key}`, cause);
      if (!this.#aside) throw error;
      this.#aside.take(position, error);
      return undefined;
    }
  }

  async get<Value>(id: string): Promise<Value | undefined> {
    const row = this.#db
      .prepare('select position, key, value from entries where namespace = ? and key = ?')
      .get(this.#name, visibleId(id)) as Row | undefined; // the statement's columns
    return row && (this.#open(row) as Value | undefined); // Keyv's own serialised text
  }

  /** Keeps the position of an existing key, so that lists stay in order of insertion. */
  async set(key: string, value: string): Promise<void> {
    await this.setMany([{ key, value }]);
  }

  /** Writes all entries or, if the store fails or the process ends, none. */
  async setMany(entries: { key: string; value: string }[]): Promise<void> {
    const statement = this.#db.prepare(
      `insert into entries (namespace, key, value) values (?, ?, ?)
       on conflict (namespace, key) do update set value = excluded.value`,
    );
    this.#db.transaction(() => {
      for (const { key: id, value } of entries) {
        // The driver truncates texts at a NUL when it reads them.
        const key = visibleId(id);
        statement.run(this.#name, key, this.#seal.seal(value, `${this.#name}/${key}`));
      }
    })();
  }

  async delete(key: string): Promise<boolean> {
    return (
      this.#db.prepare('delete from entries where namespace = ? and key = ?').run(this.#name, visibleId(key)).changes >
      0
    );
  }

  async clear(): Promise<void> {
    this.#db.prepare('delete from entries where namespace = ?').run(this.#name);
  }

  /** Reads all rows in one query, so that rows added or removed during the iteration do not shift it. */
  async *iterator<Value>(): AsyncGenerator<[string, Value], void> {
    const rows = this.#db
      .prepare('select position, key, value from entries where namespace = ? order by position')
      .all(this.#name) as Row[]; // the statement's columns
    for (const row of rows) {
      const value = this.#open(row);
      if (value !== undefined) yield [row.key, value as Value]; // as in get
    }
  }
}

/**
 * Opens a Keyv that throws when the store fails, because returning undefined would make the settings look empty.
 * Unreadable records are set aside; without `aside`, reading one throws UnreadableError.
 */
export function openKeyv<Value>(
  db: Db,
  name: string,
  seal: Seal,
  onError: (error: unknown) => void,
  aside?: Aside,
): Keyv<Value> {
  const keyv = new Keyv<Value>({
    store: new LibsqlAdapter(db, name, seal, aside),
    useKeyPrefix: false,
    throwOnErrors: true,
    serialize: (data) => current + stringify(data),
    deserialize: <Kept>(text: string) =>
      // Keyv's own serialiser puts a colon before texts that begin with one.
      (text.startsWith(current) ? parse(text.slice(current.length)) : JSON.parse(text, withoutColon)) as {
        value: Kept;
      }, // the shape passed to serialize
  });
  keyv.on('error', onError);
  return keyv;
}
