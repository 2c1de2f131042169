/* eslint-disable @typescript-eslint/require-await -- Keyv's stores are asynchronous; async makes what the driver throws a rejection */
import { EventEmitter } from 'node:events';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { parse, stringify } from '#contract/json.ts';
import { Keyv } from 'keyv';
import type { KeyvStoreAdapter } from 'keyv';
import type { Db } from '#server/sqlite.ts';
import { visibleId } from '#server/visible.ts';
import type { Seal } from './seal.ts';
import { UnreadableError } from './setAside.ts';
import type { Aside } from './setAside.ts';
import { ownedKinds, ownerTag } from './owners.ts';

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
/** Value of a serialised record, whichever version wrote it. */
export const valueIn = (text: string): unknown => (deserialized(text) as { value?: unknown }).value; // as serialised
const withoutColon = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(':') ? value.slice(1) : value;

const deserialized = (text: string): unknown =>
  // Keyv's own serialiser puts a colon before texts that begin with one.
  text.startsWith(current) ? parse(text.slice(current.length)) : JSON.parse(text, withoutColon);

/** By namespace, the version of the file (SQLite, data_version) at which all its records were opened. */
export type Verified = Map<string, number>;

/** Numbers of rows read at a time: few at first, because few may be wanted, then twice as many each time. */
const [fewRows, manyRows] = [10, 500];
/** Number of records opened without yielding when many are opened in the background. */
const turn = 50;

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
  /** Whether the records belong to subscriptions, by which they are counted. */
  readonly #isOwned: boolean;
  readonly #verified: Verified;
  readonly #isDurable: boolean;

  constructor(db: Db, name: string, seal: Seal, aside: Aside | undefined, verified: Verified) {
    super();
    this.#isDurable = !name.endsWith('/timeline');
    this.#isOwned = ownedKinds.includes(name.slice(name.lastIndexOf('/') + 1));
    this.#db = db;
    this.#name = name;
    this.#seal = seal;
    this.#aside = aside;
    this.#verified = verified;
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
      this.#aside.take({ position, value }, error);
      return undefined;
    }
  }

  /** Runs a write; the timeline's do not wait for the disk. */
  #write<T>(write: () => T): T {
    return this.#isDurable ? write() : this.#db.relaxed(write);
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
      `insert into entries (namespace, key, value, owner) values (?, ?, ?, ?)
       on conflict (namespace, key) do update set value = excluded.value, owner = excluded.owner`,
    );
    const rows = entries.map(({ key: id, value }) => {
      // The driver truncates texts at a NUL when it reads them.
      const key = visibleId(id);
      const owner = this.#isOwned ? ownerTag(valueIn(value), this.#seal) : null;
      return [this.#name, key, this.#seal.seal(value, `${this.#name}/${key}`), owner];
    });
    const writeAll = () => {
      for (const row of rows) statement.run(...row);
    };
    if (this.#isDurable) await this.#db.together(writeAll);
    else this.#db.relaxed(() => this.#db.transaction(writeAll)());
  }

  async delete(key: string): Promise<boolean> {
    const statement = this.#db.prepare('delete from entries where namespace = ? and key = ?');
    return this.#write(() => statement.run(this.#name, visibleId(key)).changes > 0);
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

  #ownerOf(subscriptionId: string): string | null {
    return this.#isOwned ? this.#seal.tag(subscriptionId) : null;
  }

  /** The rows of one owner, the latest or the earliest first, read a few at a time. */
  *#rowsOf(owner: string | null, isLatestFirst = true): Generator<Row, void> {
    const [follows, order] = isLatestFirst ? ['<', 'desc'] : ['>', 'asc'];
    const rows = this.#db.prepare(
      `select position, key, value from entries where namespace = ? and owner is ? and position ${follows} ?
       order by position ${order} limit ?`,
    );
    let last = isLatestFirst ? Number.MAX_SAFE_INTEGER : 0;
    for (let most = fewRows; ; most = Math.min(2 * most, manyRows)) {
      const found = rows.all(this.#name, owner, last, most) as Row[]; // the statement's columns
      yield* found;
      if (found.length < most) return;
      last = found.at(-1)!.position; // it is as long as `most`
    }
  }

  /** The number of records; of those of one subscription if the records belong to subscriptions. Opens none. */
  count(subscriptionId = ''): number {
    const row = this.#db
      .prepare('select count from tallies where namespace = ? and owner = ?')
      .get(this.#name, this.#ownerOf(subscriptionId) ?? '') as { count: number } | undefined; // the statement's column
    return row?.count ?? 0;
  }

  /** The serialised values of the records that `count` counts, in this order; only those taken are opened. */
  *inOrder(isLatestFirst: boolean, subscriptionId = ''): Generator<string, void> {
    for (const row of this.#rowsOf(this.#ownerOf(subscriptionId), isLatestFirst)) {
      const value = this.#open(row);
      if (value !== undefined) yield value;
    }
  }

  /**
   * Opens all records once after the start, and again if anybody else has written to the file, so that damaged records
   * are set aside and no longer count. Resolves at once if there are many; they are opened meanwhile. Rejects only if
   * there are few.
   */
  async verify(): Promise<void> {
    const { data_version: version } = this.#db.prepare('pragma data_version').get() as { data_version: number }; // its column
    if (this.#verified.get(this.#name) === version) return;
    this.#verified.set(this.#name, version);
    const owners = this.#db.prepare('select owner, count from tallies where namespace = ?').all(this.#name) as {
      owner: string;
      count: number;
    }[]; // the statement's columns
    const isMuch = owners.reduce((sum, { count }) => sum + count, 0) > manyRows;
    const opening = this.#openAll(owners.map(({ owner }) => owner));
    if (!isMuch) return opening;
    opening.catch(() => this.#verified.delete(this.#name));
  }

  async #openAll(owners: readonly string[]): Promise<void> {
    let opened = 0;
    for (const owner of owners)
      for (const row of this.#rowsOf(owner === '' ? null : owner)) {
        this.#open(row);
        opened += 1;
        if (opened % turn === 0) await othersTurn();
      }
  }
}

/** What a Keyv of `openKeyv` can do beyond Keyv; see LibsqlAdapter. */
export const rowsOf = (keyv: Keyv<unknown>): Pick<LibsqlAdapter, 'count' | 'inOrder' | 'verify'> =>
  keyv.store as LibsqlAdapter; // openKeyv opens all

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
  verified: Verified = new Map(),
): Keyv<Value> {
  const keyv = new Keyv<Value>({
    store: new LibsqlAdapter(db, name, seal, aside, verified),
    useKeyPrefix: false,
    throwOnErrors: true,
    serialize: (data) => current + stringify(data),
    deserialize: <Kept>(text: string) => deserialized(text) as { value: Kept }, // the shape passed to serialize
  });
  keyv.on('error', onError);
  return keyv;
}
