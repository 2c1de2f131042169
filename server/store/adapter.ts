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

/** Prefix of values written as JSON that keeps the digits of numbers. */
const current = 'json:';
const withoutColon = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(':') ? value.slice(1) : value;

/**
 * A Keyv store over one namespace of the `entries` table, with encrypted values. An adapter serves one Keyv only, which
 * keeps state in it.
 */
class LibsqlAdapter extends EventEmitter implements KeyvStoreAdapter {
  /** Keyv offers an iterator only for dialects that it knows. */
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
   * The value as Keyv wrote it; undefined if it was unreadable and set aside. Throws UnreadableError if it cannot be
   * set aside.
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
    return row && (this.#open(row) as Value | undefined); // Keyv's own text: it reads what it wrote
  }

  /** Keeps the position of an existing key, so that lists stay in order of arrival. */
  async set(key: string, value: string): Promise<void> {
    await this.setMany([{ key, value }]);
  }

  /** Writes all of them, or none if the store fails or the process ends. */
  async setMany(entries: { key: string; value: string }[]): Promise<void> {
    const statement = this.#db.prepare(
      `insert into entries (namespace, key, value) values (?, ?, ?)
       on conflict (namespace, key) do update set value = excluded.value`,
    );
    this.#db.transaction(() => {
      for (const { key: id, value } of entries) {
        // The driver cuts texts off at a NUL when it reads them.
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

  /** One query: rows added or removed meanwhile cannot shift it. */
  async *iterator<Value>(): AsyncGenerator<[string, Value], void> {
    const rows = this.#db
      .prepare('select position, key, value from entries where namespace = ? order by position')
      .all(this.#name) as Row[]; // the statement's columns
    for (const row of rows) {
      const value = this.#open(row);
      if (value !== undefined) yield [row.key, value as Value]; // as above
    }
  }
}

/**
 * Opens a Keyv that throws when the store fails: answering "nothing" would make the settings look empty. Unreadable
 * records are set aside; without `aside` they throw UnreadableError.
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
      // Values written by Keyv's own serializer have a colon before texts that begin with one.
      (text.startsWith(current) ? parse(text.slice(current.length)) : JSON.parse(text, withoutColon)) as {
        value: Kept;
      }, // as serialize was given it
  });
  keyv.on('error', onError);
  return keyv;
}
