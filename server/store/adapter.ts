import { EventEmitter } from 'node:events';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { parse, stringify } from '#contract/json.ts';
import { Keyv } from 'keyv';
import type { KeyvStoreAdapter } from 'keyv';
import { visibleId } from '#server/http/visible.ts';
import type { Engine, NewRow, Row, Whose } from './engine.ts';
import { UnknownKeyError } from './seal.ts';
import type { Seal } from './seal.ts';
import { UnreadableError } from './setAside.ts';
import type { Aside } from './setAside.ts';
import { ownedKinds, ownerTag } from './owners.ts';

/**
 * Prefix of values serialised as JSON that preserves the digits of numbers. Keyv's own serialiser wrote values without
 * it.
 */
const current = 'json:';
/** Value of a serialised record, whichever version of the console wrote it. */
export const valueIn = (text: string): unknown => (deserialized(text) as { value?: unknown }).value; // as serialised
const withoutColon = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(':') ? value.slice(1) : value;

const deserialized = (text: string): unknown =>
  // Keyv's own serialiser prefixes texts that begin with a colon with another one.
  text.startsWith(current) ? parse(text.slice(current.length)) : JSON.parse(text, withoutColon);

/**
 * For each namespace, the version of the store (Engine, foreign) at which all its records are decrypted. `ready`
 * resolves when a small namespace is.
 */
type Verified = Map<string, { version: string; ready: Promise<void> }>;

/** Rows per read: the first read is small, because the caller may stop early; each further read is twice as long. */
const [fewRows, manyRows] = [10, 500];
/** Number of records decrypted in the background before yielding to the event loop. */
const turn = 50;

/** What all adapters of one store share. */
export interface Shared {
  engine: Engine;
  seal: Seal;
  verified: Verified;
  /** Decrypted values by row. A shared engine returns the same row object until the row changes. */
  opened: WeakMap<Row, string>;
}

/**
 * A Keyv store for one namespace of the engine's records; values are encrypted. Each Keyv needs its own adapter, because
 * Keyv keeps state in it.
 */
class SealedAdapter extends EventEmitter implements KeyvStoreAdapter {
  /** Keyv offers an iterator only for the dialects in its list. */
  readonly opts = { dialect: 'sqlite' };
  readonly #shared: Shared;
  readonly #name: string;
  readonly #aside: Aside | undefined;
  /** Whether each record belongs to a subscription; records are then counted per subscription. */
  readonly #isOwned: boolean;
  readonly #isDurable: boolean;

  constructor(shared: Shared, name: string, aside: Aside | undefined) {
    super();
    this.#shared = shared;
    this.#name = name;
    this.#aside = aside;
    this.#isDurable = !name.endsWith('/timeline');
    this.#isOwned = ownedKinds.includes(name.slice(name.lastIndexOf('/') + 1));
  }

  get #entries(): Engine['entries'] {
    return this.#shared.engine.entries;
  }

  /**
   * Decrypts a row's value. Returns undefined if the value is unreadable and was set aside. Throws UnreadableError if
   * there is no `aside`, or if another server encrypted the value under a key that this server lacks.
   */
  async #open(row: Row): Promise<string | undefined> {
    const { engine, seal, opened } = this.#shared;
    const known = opened.get(row);
    if (known !== undefined) return known;
    const place = `${this.#name}/${row.key}`;
    try {
      const text = seal.open(row.value, place);
      if (engine.isShared) opened.set(row, text);
      return text;
    } catch (cause) {
      const error = new UnreadableError(place, cause);
      if (!this.#aside || (engine.isShared && cause instanceof UnknownKeyError)) throw error;
      await this.#aside.take(this.#name, row, error);
      return undefined;
    }
  }

  #rowOf(id: string, value: string): NewRow {
    const { seal } = this.#shared;
    // Databases reject some characters; SQLite's driver truncates texts at a NUL when it reads them.
    const key = visibleId(id);
    const owner = this.#isOwned ? ownerTag(valueIn(value), seal) : null;
    return { key, value: seal.seal(value, `${this.#name}/${key}`), owner };
  }

  async get<Value>(id: string): Promise<Value | undefined> {
    const row = await this.#entries.find(this.#name, visibleId(id));
    return row && ((await this.#open(row)) as Value | undefined); // Keyv's own serialised text
  }

  /** Keeps the position of an existing key, so that lists stay in order of insertion. */
  async set(key: string, value: string): Promise<void> {
    await this.setMany([{ key, value }]);
  }

  /** Returns serialised values as this namespace's part of a write. */
  partOf(entries: readonly { key: string; value: string }[]): { namespace: string; rows: NewRow[] } {
    return { namespace: this.#name, rows: entries.map(({ key, value }) => this.#rowOf(key, value)) };
  }

  /** Writes parts of several namespaces of one store: all or, if the store fails or the process ends, none. */
  writeParts(parts: readonly { namespace: string; rows: NewRow[] }[]): Promise<void> {
    return this.#entries.writeParts(parts);
  }

  /** Writes all entries or, if the store fails or the process ends, none. */
  async setMany(entries: { key: string; value: string }[]): Promise<void> {
    const rows = entries.map(({ key, value }) => this.#rowOf(key, value));
    await this.#entries.write(this.#name, rows, this.#isDurable);
  }

  /**
   * Writes a serialised value unless there is one under this id, in one step across all servers. A value that cannot be
   * read is set aside and replaced.
   */
  async add(id: string, value: string): Promise<void> {
    const isAdded = await this.#entries.insert(this.#name, this.#rowOf(id, value));
    if (!isAdded && (await this.get(id)) === undefined) await this.#entries.insert(this.#name, this.#rowOf(id, value));
  }

  /**
   * Replaces a serialised value by the result of `change`; does nothing if the record does not exist or `change`
   * returns undefined. Optimistic: if another writer changes the record meanwhile, reads it again and calls `change`
   * again.
   */
  async change(id: string, change: (before: string) => string | undefined): Promise<void> {
    for (;;) {
      const row = await this.#entries.find(this.#name, visibleId(id));
      const before = row && (await this.#open(row));
      const after = before === undefined ? undefined : change(before);
      if (!row || after === undefined) return;
      if (await this.#entries.replace(this.#name, row, this.#rowOf(id, after))) return;
    }
  }

  async delete(key: string): Promise<boolean> {
    return this.#entries.remove(this.#name, visibleId(key), this.#isDurable);
  }

  async clear(): Promise<void> {
    await this.#entries.clear([{ namespace: this.#name }]);
  }

  /** Yields the rows of one consistent read, so that rows added or removed during the iteration do not shift it. */
  async *iterator<Value>(): AsyncGenerator<[string, Value], void> {
    for (const row of await this.#entries.all(this.#name)) {
      const value = await this.#open(row);
      if (value !== undefined) yield [row.key, value as Value]; // as in get
    }
  }

  #whose(subscriptionId: string): Whose {
    return { namespace: this.#name, owners: this.#isOwned ? this.#shared.seal.tags(subscriptionId) : null };
  }

  /** Yields the rows of one owner in pages, latest or earliest first. */
  async *#rowsOf(whose: Whose, isLatestFirst = true): AsyncGenerator<readonly Row[], void> {
    let after: number | undefined;
    for (let most = fewRows; ; most = Math.min(2 * most, manyRows)) {
      const found = await this.#entries.page(whose, { isLatestFirst, most, ...(after !== undefined && { after }) });
      yield found;
      if (found.length < most) return;
      after = found.at(-1)!.position; // a full page is not empty
    }
  }

  /**
   * Returns the number of records; for kinds that belong to a subscription, that of the given subscription. Decrypts
   * none.
   */
  count(subscriptionId = ''): Promise<number> {
    return this.#entries.count(this.#whose(subscriptionId));
  }

  /** Yields the serialised values of the records that `count` counts. Decrypts each record only when it is consumed. */
  async *inOrder(isLatestFirst: boolean, subscriptionId = ''): AsyncGenerator<string, void> {
    for await (const rows of this.#rowsOf(this.#whose(subscriptionId), isLatestFirst))
      for (const row of rows) {
        const value = await this.#open(row);
        if (value !== undefined) yield value;
      }
  }

  /** See Engine, versionOf. */
  version(): Promise<string> {
    return this.#shared.engine.versionOf(this.#name);
  }

  /**
   * Decrypts all records once after the start, and again after a foreign program has written to the store, so that
   * damaged records are set aside and no longer counted. Up to 500 records: resolves when done, rejects on failure.
   * More: resolves at once and continues in the background.
   */
  async verify(): Promise<void> {
    const { engine, verified } = this.#shared;
    const version = await engine.foreign();
    const known = verified.get(this.#name);
    if (known?.version === version) return known.ready;
    const forget = () => {
      if (verified.get(this.#name)?.ready === ready) verified.delete(this.#name);
    };
    const ready = this.#begin(forget);
    verified.set(this.#name, { version, ready });
    ready.catch(forget);
    return ready;
  }

  /** Decrypts all records; beyond 500, continues in the background and calls `onError` if that fails. */
  async #begin(onError: () => void): Promise<void> {
    const owners = await this.#entries.tallies(this.#name);
    const isMuch = owners.reduce((sum, { count }) => sum + count, 0) > manyRows;
    const opening = this.#openAll(owners.map(({ owner }) => owner));
    if (!isMuch) return opening;
    opening.catch(onError);
  }

  async #openAll(owners: readonly string[]): Promise<void> {
    let opened = 0;
    for (const owner of owners)
      for await (const rows of this.#rowsOf({ namespace: this.#name, owners: owner === '' ? null : [owner] }))
        for (const row of rows) {
          await this.#open(row);
          opened += 1;
          if (opened % turn === 0) await othersTurn();
        }
  }
}

/** The adapter of a Keyv that `openKeyv` opened. */
const adapterOf = (keyv: Keyv<never>): SealedAdapter => keyv.store as SealedAdapter; // openKeyv opens all

/** Stores a record unless there is one under this id, in one step across all servers. */
export const addIn = <Value>(keyv: Keyv<Value>, id: string, value: Value): Promise<void> =>
  adapterOf(keyv).add(id, serialized({ value }));

export const rowsOf = (keyv: Keyv<unknown>): Pick<SealedAdapter, 'count' | 'inOrder' | 'verify' | 'version'> =>
  adapterOf(keyv); // as a Keyv of anything

/**
 * Replaces a record by the result of `change`; does nothing if the record does not exist or `change` returns undefined.
 * Calls `change` again if another writer changes the record meanwhile.
 */
export const changeIn = <Value>(
  keyv: Keyv<Value>,
  id: string,
  change: (before: Value) => Value | undefined,
): Promise<void> =>
  adapterOf(keyv).change(id, (text) => {
    const { value, ...rest } = deserialized(text) as { value: Value }; // as it was serialised
    const after = change(value);
    return after === undefined ? undefined : serialized({ ...rest, value: after });
  });

/** Writes values of several Keyvs of one store: all or, if the store fails or the process ends, none. */
export async function setTogether<Value>(parts: readonly { keyv: Keyv<Value>; values: [string, Value][] }[]) {
  const rows = parts.map(({ keyv, values }) =>
    adapterOf(keyv).partOf(values.map(([key, value]) => ({ key, value: serialized({ value }) }))),
  );
  if (parts[0]) await adapterOf(parts[0].keyv).writeParts(rows);
}

const serialized = (data: unknown): string => current + stringify(data);

/**
 * Opens a Keyv that throws when the store fails; if it returned undefined, the settings would look empty. Sets
 * unreadable records aside; without `aside`, reading one throws UnreadableError.
 */
export function openKeyv<Value>(
  shared: Shared,
  name: string,
  onError: (error: unknown) => void,
  aside?: Aside,
): Keyv<Value> {
  const keyv = new Keyv<Value>({
    store: new SealedAdapter(shared, name, aside),
    useKeyPrefix: false,
    throwOnErrors: true,
    serialize: serialized,
    deserialize: <Kept>(text: string) => deserialized(text) as { value: Kept }, // the shape passed to serialize
  });
  keyv.on('error', onError);
  return keyv;
}
