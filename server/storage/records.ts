import { othersTurn as nextTurn } from '#server/concurrency.ts';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { mostCounted } from '#contract/constants.ts';
import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import { columnValues } from './queries.ts';
import { recordRows } from './recordRows.ts';
import type { Entry, RecordColumns, Protection, StoredRow, Where } from './recordRows.ts';
import type { Location, RecordRow, Tables } from './schema.ts';
import { selecting } from './statements.ts';

/** The declaration of the records of one kind, by the area that they belong to. */
export interface RecordKind<Value> extends RecordColumns<Value> {
  /** The name under which they are stored; no other declaration may have it. */
  kind: string;
  /** Whether they belong to the whole workspace; otherwise each belongs to a company. */
  isOfWorkspace?: boolean;
  /** Whether each change is published under `recordEventsTopic`, with the id of the record. */
  isAnnounced?: boolean;
}

/** The topic of changes in a workspace that pages wait for; messages are the ids of what has changed. */
export const recordEventsTopic = (workspace: string): string => `record events ${workspace}`;

interface PageOptions {
  where?: Where;
  /** Earliest or latest first; earliest by default. An update does not move a record. */
  order?: 'asc' | 'desc';
  /** The position of the last record of the page before. */
  after?: number;
  limit: number;
  /** Only records whose id begins with it. */
  prefix?: string;
}

/**
 * The records of one kind and one company or workspace, each stored under its id, in order of insertion. Functions reject
 * with DatabaseError if the database fails; they never return an empty result instead. They take part in the current
 * transaction.
 */
export interface Records<Value> {
  get(id: string): Promise<Value | undefined>;
  /** Stores a record in place of an existing one. */
  put(id: string, value: Value): Promise<void>;
  /** Stores records in order. If the database fails meanwhile, only the first ones are stored. */
  putAll(entries: readonly (readonly [id: string, value: Value])[]): Promise<void>;
  /** Stores a record unless there is one with this id. Returns whether it was new. */
  insert(id: string, value: Value): Promise<boolean>;
  /**
   * Replaces a record by the result of `change`, and returns it. Does nothing, and returns undefined, if there is no
   * record or `change` returns undefined. Calls `change` again if somebody else changes the record meanwhile.
   */
  change(id: string, change: (before: Value) => Value | undefined): Promise<Value | undefined>;
  /** Returns whether there was a record. */
  remove(id: string): Promise<boolean>;
  removeAll(ids: readonly string[]): Promise<void>;
  /** Returns all records, in order of insertion. */
  list(where?: Where): Promise<Value[]>;
  /** Returns up to `limit` of the latest records before the one with the id `before`, if given, in order of insertion. */
  latest(limit: number, where?: Where, before?: string): Promise<Value[]>;
  /** Yields the records, the latest first, in pages, so that other work gets its turn, unless this is a transaction. */
  newest(where?: Where): AsyncGenerator<Value, void>;
  /** Yields the records in order of insertion, as `newest` does. */
  earliest(where?: Where): AsyncGenerator<Value, void>;
  /** Returns a page, and the position after which the next one starts; undefined if this is the last one. */
  page(options: PageOptions): Promise<{ entries: Entry<Value>[]; next?: number }>;
  /** Returns the ids of the records beyond the `number` latest ones, up to 500 of the latest of them, the earliest first. */
  beyond(number: number, where?: Where): Promise<string[]>;
  /** Returns the number of records; `atMost`, if there are more. */
  count(where?: Where, atMost?: number): Promise<number>;
  /** Returns the number of records about each of these subjects, up to `mostCounted`. */
  countBySubject(subjects: readonly string[]): Promise<Map<string, number>>;
  /** Returns those of the ids that have a record. */
  existing(ids: readonly string[]): Promise<Set<string>>;
}

/** The records of one kind. */
export interface Collection<Value> {
  /** Those at a location. Calls `changed` with the id of each record that is changed. */
  at(location: Location, changed?: (id: string) => Promise<void>): Records<Value>;
  /** Returns the records with this id at all locations, in order of insertion. */
  anywhere(id: string): Promise<{ workspace: string; value: Value }[]>;
  /** Returns where records with this id are, in order of insertion. */
  locationsOf(id: string): Promise<Location[]>;
}

const rowAt = selecting<Tables, Pick<RecordRow, 'kind' | 'workspace' | 'company_key' | 'id'>, StoredRow>((db, given) =>
  db
    .selectFrom('records')
    .selectAll()
    .where('kind', '=', given('kind'))
    .where('workspace', '=', given('workspace'))
    .where('company_key', '=', given('company_key'))
    .where('id', '=', given('id')),
);
const rowsAnywhere = selecting<Tables, Pick<RecordRow, 'kind' | 'id'>, StoredRow>((db, given) =>
  db
    .selectFrom('records')
    .selectAll()
    .where('kind', '=', given('kind'))
    .where('id', '=', given('id'))
    .orderBy('position'),
);

/** The character that is sorted after all others. */
const lastCharacter = '\u{10FFFF}';

/** Number of records written in one statement, and read at a time by a list and by `beyond`. */
const [writtenAtOnce, readAtOnce, beyondAtOnce] = [100, 50, 500];

/** What holds the table of records, the console's database or the sandbox's. */
type RecordDatabase = Pick<Database<Tables>, 'read' | 'select' | 'write' | 'isInTransaction' | 'isPostgres'>;

export type OpenCollection = <Value>(kind: RecordKind<Value>) => Collection<Value>;

/** Returns a function that opens the collection of a declaration. Throws if two declarations have the same name. */
export function collections(database: RecordDatabase, protection: Protection): OpenCollection {
  const opened = new Map<string, { declaration: unknown; collection: unknown }>();
  return <Value>(declaration: RecordKind<Value>) => {
    const { kind } = declaration;
    const known = opened.get(kind);
    if (known && known.declaration !== declaration) throw new Error(`the records of kind "${kind}" are declared twice`);
    const collection =
      (known?.collection as Collection<Value> | undefined) ?? // of the same declaration
      createCollection(declaration, database, protection);
    opened.set(kind, { declaration, collection });
    return collection;
  };
}

export function createCollection<Value>(
  declaration: RecordKind<Value>,
  { read, select, write, isInTransaction, isPostgres }: RecordDatabase,
  protection: Protection,
): Collection<Value> {
  const { kind } = declaration;
  const { place, tagBy, rowOf, rowsAt, valueOf, entriesOf } = recordRows(declaration, protection);
  const { given } = columnValues(isPostgres);
  /** Lets other work have its turn; not within a transaction, for which everybody else would wait. */
  const othersTurn = async (): Promise<void> => void (isInTransaction() || (await nextTurn()));

  function at(location: Location, changed?: (id: string) => Promise<void>): Records<Value> {
    const here = place(location);
    const rowsWhere = (db: Kysely<Tables>, where?: Where) =>
      db.selectFrom('records').where((on) => on.and(rowsAt(location, where)));

    const find = async (id: string) => (await select(rowAt, { ...here, id: escapeId(id) }))[0];

    async function putAll(entries: readonly (readonly [string, Value])[]): Promise<void> {
      for (let from = 0; from < entries.length; from += writtenAtOnce) {
        if (from > 0) await othersTurn();
        const rows = entries.slice(from, from + writtenAtOnce).map(([id, value]) => rowOf(location, id, value));
        // Of several records with one id the last one counts; a statement cannot change a row twice.
        const last = [...new Map(rows.map((row) => [row.id, row])).values()];
        await write((db) =>
          db
            .insertInto('records')
            .values(last)
            .onConflict((on) =>
              on.columns(['kind', 'id', 'workspace', 'company_key']).doUpdateSet((row) => ({
                value: row.ref('excluded.value'),
                subject: row.ref('excluded.subject'),
                state: row.ref('excluded.state'),
                name: row.ref('excluded.name'),
                alias: row.ref('excluded.alias'),
              })),
            )
            .execute(),
        );
      }
      for (const [id] of entries) await changed?.(id);
    }

    async function removeThose(ids: readonly string[]): Promise<bigint> {
      const { numDeletedRows } = await write((db) =>
        db
          .deleteFrom('records')
          .where((on) => on.and(here))
          .where('id', 'in', ids.map(escapeId))
          .executeTakeFirst(),
      );
      return numDeletedRows;
    }

    async function page({ where, order = 'asc', after, limit, prefix }: PageOptions) {
      const rows = await read((db) => {
        let query = rowsWhere(db, where).selectAll();
        if (after !== undefined) query = query.where('position', order === 'asc' ? '>' : '<', after);
        if (prefix !== undefined)
          query = query.where('id', '>=', escapeId(prefix)).where('id', '<=', escapeId(prefix) + lastCharacter);
        return query.orderBy('position', order).limit(limit).execute();
      });
      const entries = await entriesOf(rows);
      const last = rows.length === limit ? rows.at(-1)?.position : undefined;
      return { entries, ...(last !== undefined && { next: last }) };
    }

    async function* values(order: 'asc' | 'desc', where: Where = {}): AsyncGenerator<Value, void> {
      for (let after: number | undefined; ;) {
        const { entries, next } = await page({
          order,
          where,
          limit: readAtOnce,
          ...(after !== undefined && { after }),
        });
        for (const { value } of entries) yield value;
        if (next === undefined) return;
        after = next;
        await othersTurn();
      }
    }

    return {
      async get(id) {
        const row = await find(id);
        return row && valueOf(row);
      },
      put: (id, value) => putAll([[id, value]]),
      putAll,
      async insert(id, value) {
        const { numInsertedOrUpdatedRows } = await write((db) =>
          db
            .insertInto('records')
            .values(rowOf(location, id, value))
            .onConflict((on) => on.columns(['kind', 'id', 'workspace', 'company_key']).doNothing())
            .executeTakeFirst(),
        );
        const isNew = numInsertedOrUpdatedRows === 1n;
        if (isNew) await changed?.(id);
        return isNew;
      },
      async change(id, change) {
        for (;;) {
          const row = await find(id);
          const before = row && (await valueOf(row));
          const after = before === undefined ? undefined : change(before);
          if (!row || after === undefined) return undefined;
          const { value, subject, state, name, alias } = rowOf(location, id, after);
          const { numUpdatedRows } = await write((db) =>
            db
              .updateTable('records')
              .set({ value, subject, state, name, alias })
              .where('position', '=', row.position)
              .where('value', '=', row.value)
              .executeTakeFirst(),
          );
          if (numUpdatedRows === 0n) continue;
          await changed?.(id);
          return after;
        }
      },
      async remove(id) {
        const isRemoved = (await removeThose([id])) > 0n;
        if (isRemoved) await changed?.(id);
        return isRemoved;
      },
      async removeAll(ids) {
        for (let from = 0; from < ids.length; from += writtenAtOnce) {
          if (from > 0) await othersTurn();
          await removeThose(ids.slice(from, from + writtenAtOnce));
        }
        for (const id of ids) await changed?.(id);
      },
      async list(where) {
        const all: Value[] = [];
        for await (const value of values('asc', where)) all.push(value);
        return all;
      },
      async latest(limit, where = {}, before) {
        const after = before === undefined ? undefined : (await find(before))?.position;
        const { entries } = await page({ order: 'desc', where, limit, ...(after !== undefined && { after }) });
        return entries.map(({ value }) => value).reverse();
      },
      newest: (where) => values('desc', where),
      earliest: (where) => values('asc', where),
      page,
      async beyond(number, where) {
        const rows = await read((db) =>
          rowsWhere(db, where).select('id').orderBy('position', 'desc').limit(beyondAtOnce).offset(number).execute(),
        );
        return rows.reverse().map(({ id }) => id);
      },
      async count(where, atMost) {
        const { count } = await read((db) => {
          const found = rowsWhere(db, where).select(sql.lit(1).as('one'));
          return db
            .selectFrom((atMost === undefined ? found : found.limit(atMost)).as('found'))
            .select((on) => on.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow();
        });
        return count;
      },
      async countBySubject(subjects) {
        const byTag = new Map(subjects.map((subject) => [tagBy(location, 'subject', subject), subject]));
        const { rows } = await read((db) =>
          sql<{ tag: string; count: number }>`select one as tag, (select count(*) from (
              select 1 from records where subject = one limit ${sql.lit(mostCounted)}
            ) as found) as count from ${given([...byTag.keys()])}`.execute(db),
        );
        const counts = new Map(rows.map(({ tag, count }) => [tag, count]));
        return new Map([...byTag].map(([tag, subject]) => [subject, counts.get(tag) ?? 0]));
      },
      async existing(ids) {
        if (ids.length === 0) return new Set();
        const rows = await read((db) =>
          db
            .selectFrom('records')
            .select('id')
            .where((on) => on.and(here))
            .where('id', 'in', ids.map(escapeId))
            .execute(),
        );
        const found = new Set(rows.map(({ id }) => id));
        return new Set(ids.filter((id) => found.has(escapeId(id))));
      },
    };
  }

  return {
    at,
    async anywhere(id) {
      const found: { workspace: string; value: Value }[] = [];
      for (const row of await select(rowsAnywhere, { kind, id: escapeId(id) })) {
        const value = await valueOf(row);
        if (value !== undefined) found.push({ workspace: row.workspace, value });
      }
      return found;
    },
    locationsOf: async (id) =>
      (await select(rowsAnywhere, { kind, id: escapeId(id) })).map(({ workspace, company_key: companyKey }) => ({
        workspace,
        companyKey,
      })),
  };
}
