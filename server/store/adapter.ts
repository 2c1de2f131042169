/* eslint-disable @typescript-eslint/require-await -- Keyv's stores are asynchronous; async makes what the driver throws a rejection */
import { EventEmitter } from 'node:events';
import { Keyv } from 'keyv';
import type { KeyvStoreAdapter } from 'keyv';
import type { Db } from '#server/sqlite.ts';

/** Keyv's store over one namespace of the `entries` table. An adapter serves one Keyv only: Keyv keeps state in it. */
class LibsqlAdapter extends EventEmitter implements KeyvStoreAdapter {
  /** Keyv binds the iterator only of dialects that it knows. */
  readonly opts = { dialect: 'sqlite' };
  readonly #db: Db;
  readonly #name: string;

  constructor(db: Db, name: string) {
    super();
    this.#db = db;
    this.#name = name;
  }

  async get<Value>(key: string): Promise<Value | undefined> {
    const row = this.#db.prepare('select value from entries where namespace = ? and key = ?').get(this.#name, key);
    return (row as { value: Value } | undefined)?.value; // the statement selects this one column
  }

  /** Keeps the place of a key that is there already, so that lists stay in order of arrival. */
  async set(key: string, value: string): Promise<void> {
    await this.setMany([{ key, value }]);
  }

  /** All of them or, if the store fails or the process ends, none. */
  async setMany(entries: { key: string; value: string }[]): Promise<void> {
    const statement = this.#db.prepare(
      `insert into entries (namespace, key, value) values (?, ?, ?)
       on conflict (namespace, key) do update set value = excluded.value`,
    );
    this.#db.transaction(() => {
      for (const { key, value } of entries) statement.run(this.#name, key, value);
    })();
  }

  async delete(key: string): Promise<boolean> {
    return this.#db.prepare('delete from entries where namespace = ? and key = ?').run(this.#name, key).changes > 0;
  }

  async clear(): Promise<void> {
    this.#db.prepare('delete from entries where namespace = ?').run(this.#name);
  }

  /** One query, so what is added or removed meanwhile cannot shift the pages of a walk. */
  async *iterator<Value>(): AsyncGenerator<[string, Value], void> {
    const rows = this.#db
      .prepare('select key, value from entries where namespace = ? order by position')
      .all(this.#name) as { key: string; value: Value }[]; // the statement selects these two columns
    for (const { key, value } of rows) yield [key, value];
  }
}

/** A Keyv that throws when the store fails: a store that answers "nothing" would make the settings look empty. */
export function openKeyv<Value>(db: Db, name: string, onError: (error: unknown) => void): Keyv<Value> {
  const keyv = new Keyv<Value>({ store: new LibsqlAdapter(db, name), useKeyPrefix: false, throwOnErrors: true });
  keyv.on('error', onError);
  return keyv;
}
