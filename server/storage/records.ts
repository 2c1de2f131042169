import { createCollection } from './collection.ts';
import type { Collection } from './collection.ts';
import type { CollectionOptions, Where } from './recordRows.ts';
import type { Location } from './schema.ts';

/** The declaration of the records of one kind, by the area that they belong to. */
export interface RecordKind<Value> extends CollectionOptions<Value> {
  /** The name under which they are stored; no other declaration may have it. */
  kind: string;
  /** Whether they belong to the whole workspace; otherwise each belongs to a company. */
  isOfWorkspace?: boolean;
  /** Whether each change is published under `recordEventsTopic`, with the id of the record. */
  isAnnounced?: boolean;
}

/** The topic of changes in a workspace that pages wait for; messages are the ids of what has changed. */
export const recordEventsTopic = (workspace: string): string => `record events ${workspace}`;

/** The records of one kind and one company or workspace. See Collection. */
export interface Records<Value> {
  get(id: string): Promise<Value | undefined>;
  put(id: string, value: Value): Promise<void>;
  putAll(entries: readonly (readonly [id: string, value: Value])[]): Promise<void>;
  insert(id: string, value: Value): Promise<boolean>;
  change(id: string, change: (before: Value) => Value | undefined): Promise<Value | undefined>;
  remove(id: string): Promise<boolean>;
  removeAll(ids: readonly string[]): Promise<void>;
  /** Returns all records, in order of insertion. */
  list(where?: Where): Promise<Value[]>;
  /** Returns up to `limit` of the latest records before the one with the id `before`, if given, in order of insertion. */
  latest(limit: number, where?: Where, before?: string): Promise<Value[]>;
  /** Yields the records, the latest first. */
  newest(where?: Where): AsyncGenerator<Value, void>;
  /** Yields the records in order of insertion. */
  earliest(where?: Where): AsyncGenerator<Value, void>;
  /** Returns the earliest records beyond the `number` latest ones, up to 500, without reading the others. */
  beyond(number: number, where?: Where): Promise<Value[]>;
  count(where?: Where): Promise<number>;
  countBySubject(subjects: readonly string[]): Promise<Map<string, number>>;
}

export type OpenCollection = <Value>(kind: RecordKind<Value>) => Collection<Value>;

/** Returns a function that opens the collection of a declaration. Throws if two declarations have the same name. */
export function collections(needs: Parameters<typeof createCollection>[2]): OpenCollection {
  const opened = new Map<string, { declaration: unknown; collection: unknown }>();
  return <Value>(declaration: RecordKind<Value>) => {
    const { kind } = declaration;
    const known = opened.get(kind);
    if (known && known.declaration !== declaration) throw new Error(`the records of kind "${kind}" are declared twice`);
    const collection =
      (known?.collection as Collection<Value> | undefined) ?? // of the same declaration
      createCollection(kind, declaration, needs);
    opened.set(kind, { declaration, collection });
    return collection;
  };
}

/** Returns the records of a collection that are at a location. Calls `changed` with the id of each record that it changes. */
export function recordsAt<Value>(
  collection: Collection<Value>,
  at: Location,
  changed: (id: string) => Promise<void> = () => Promise.resolve(),
): Records<Value> {
  async function* values(order: 'asc' | 'desc', where: Where = {}): AsyncGenerator<Value, void> {
    for await (const { value } of collection.iterate(at, { order, where })) yield value;
  }
  return {
    get: (id) => collection.get(at, id),
    async put(id, value) {
      await collection.put(at, id, value);
      await changed(id);
    },
    async putAll(entries) {
      await collection.putAll(at, entries);
      for (const [id] of entries) await changed(id);
    },
    async insert(id, value) {
      const isNew = await collection.insert(at, id, value);
      if (isNew) await changed(id);
      return isNew;
    },
    async change(id, change) {
      const after = await collection.change(at, id, change);
      if (after !== undefined) await changed(id);
      return after;
    },
    async remove(id) {
      const isRemoved = await collection.remove(at, id);
      if (isRemoved) await changed(id);
      return isRemoved;
    },
    async removeAll(ids) {
      await collection.removeAll(at, ids);
      for (const id of ids) await changed(id);
    },
    list: (where) => allOf(values('asc', where)),
    async latest(limit, where = {}, before) {
      const after = before === undefined ? undefined : await collection.positionOf(at, before);
      const { entries } = await collection.page(at, {
        ...{ order: 'desc', where, limit },
        ...(after !== undefined && { after }),
      });
      return entries.map(({ value }) => value).reverse();
    },
    newest: (where) => values('desc', where),
    earliest: (where) => values('asc', where),
    beyond: (number, where) => collection.beyond(at, number, where),
    count: (where) => collection.count(at, where),
    countBySubject: (subjects) => collection.countBySubject(at, subjects),
  };
}

async function allOf<Value>(values: AsyncGenerator<Value, void>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const each of values) all.push(each);
  return all;
}
