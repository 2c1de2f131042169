import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely, Selectable } from 'kysely';
import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import { columnValues, compiledOnce } from './queries.ts';
import { recordRows } from './recordRows.ts';
import type { CollectionOptions, Entry, RowNeeds, Where } from './recordRows.ts';
import type { Location, RecordRow, Tables } from './schema.ts';

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
 * Records of one kind, each stored under its id, in order of insertion. Functions reject with DatabaseError if the
 * database fails; they never return an empty result instead. They take part in the current transaction.
 */
export interface Collection<Value> {
  get(at: Location, id: string): Promise<Value | undefined>;
  /** Returns the position of a record among those of its kind; undefined if there is none. */
  positionOf(at: Location, id: string): Promise<number | undefined>;
  /** Stores a record in place of an existing one. */
  put(at: Location, id: string, value: Value): Promise<void>;
  /** Stores records in order. If the database fails meanwhile, only the first ones are stored. */
  putAll(at: Location, entries: readonly (readonly [id: string, value: Value])[]): Promise<void>;
  /** Stores a record unless there is one with this id. Returns whether it was new. */
  insert(at: Location, id: string, value: Value): Promise<boolean>;
  /**
   * Replaces a record by the result of `change`, and returns it. Does nothing, and returns undefined, if there is no
   * record or `change` returns undefined. Calls `change` again if somebody else changes the record meanwhile.
   */
  change(at: Location, id: string, change: (before: Value) => Value | undefined): Promise<Value | undefined>;
  /** Returns whether there was a record. */
  remove(at: Location, id: string): Promise<boolean>;
  removeAll(at: Location, ids: readonly string[]): Promise<void>;
  /** Removes all records of a location. */
  clear(at: Location): Promise<void>;
  /** Returns a page, and the position after which the next one starts; undefined if this is the last one. */
  page(at: Location, options: PageOptions): Promise<{ entries: Entry<Value>[]; next?: number }>;
  /** Yields all records in pages, so that other work gets its turn, unless this is a transaction. */
  iterate(at: Location, options?: Omit<PageOptions, 'limit'>): AsyncGenerator<Entry<Value>, void>;
  /** Returns the earliest records beyond the `number` latest ones, up to 500, without reading the others. */
  beyond(at: Location, number: number, where?: Where): Promise<Value[]>;
  count(at: Location, where?: Where): Promise<number>;
  /** Returns those of the ids that have a record. */
  existing(at: Location, ids: readonly string[]): Promise<Set<string>>;
  /** Returns the number of records about each of these subjects. */
  countBySubject(at: Location, subjects: readonly string[]): Promise<Map<string, number>>;
  /** Returns the records with this id at all locations, in order of insertion. */
  anywhere(id: string): Promise<{ workspace: string; value: Value }[]>;
  /** Returns where records with this id are, in order of insertion. */
  locationsOf(id: string): Promise<Location[]>;
}

/** The character that is sorted after all others. */
const lastCharacter = '\u{10FFFF}';

/** The name of a record that an earlier version has stored, until it gets its own. */
const unnamed = '';

/** Number of records written in one statement, and read at a time by `iterate` and by `beyond`. */
const [writtenAtOnce, readAtOnce, beyondAtOnce] = [100, 50, 500];

interface Needs extends RowNeeds {
  database: Pick<Database<Tables>, 'read' | 'write' | 'isInTransaction' | 'isPostgres'>;
}

export function createCollection<Value>(
  kind: string,
  options: CollectionOptions<Value>,
  { database: { read, write, isInTransaction, isPostgres }, ...needs }: Needs,
): Collection<Value> {
  const { place, tagBy, tagOf, namesOf, rowOf, rowsAt, valueOf, entriesOf } = recordRows(kind, options, needs);
  const { isAmong, listOf } = columnValues(isPostgres);
  /** Lets other work have its turn; not within a transaction, for which everybody else would wait. */
  const othersTurn = async (): Promise<void> => void (isInTransaction() || (await nextTurn()));

  const readOne = compiledOnce((db: Kysely<Tables>) =>
    db
      .selectFrom('records')
      .selectAll()
      .where((on) => on.and({ kind, workspace: '', company_key: '', id: '' })),
  );
  const readAnywhere = compiledOnce((db: Kysely<Tables>) =>
    db.selectFrom('records').selectAll().where('kind', '=', kind).where('id', '=', '').orderBy('position'),
  );

  const find = async ({ workspace, companyKey }: Location, id: string) => {
    const [row] = await read((db) => readOne(db, [kind, workspace, companyKey, escapeId(id)]));
    return row;
  };

  const rowsWhere = (db: Kysely<Tables>, at: Location, where?: Where) =>
    db
      .selectFrom('records')
      .selectAll()
      .where((on) => on.and(rowsAt(at, where)));

  const readNumbers = compiledOnce((db: Kysely<Tables>) =>
    db
      .selectFrom('record_counts')
      .select(['subject', 'number'])
      .where((on) => on.and({ kind, workspace: '', company_key: '' }))
      .where(isAmong('subject', [''])),
  );

  /** Queries of pages by what they are asked by. */
  const pageQueries = new Map<string, ReturnType<typeof compiledOnce<Tables, Selectable<RecordRow>>>>();

  async function page(at: Location, { where, order = 'asc', after, limit, prefix }: PageOptions) {
    await nameEarlier(at, where);
    const known = rowsAt(at, where);
    const asked = [order, ...Object.keys(known), after !== undefined, prefix !== undefined].join();
    const query =
      pageQueries.get(asked) ??
      compiledOnce((db: Kysely<Tables>) => {
        const all = rowsWhere(db, at, where);
        const further = after === undefined ? all : all.where('position', order === 'asc' ? '>' : '<', after);
        const begins =
          prefix === undefined
            ? further
            : further.where('id', '>=', escapeId(prefix)).where('id', '<=', escapeId(prefix) + lastCharacter);
        return begins.orderBy('position', order).limit(limit);
      });
    pageQueries.set(asked, query);
    const rows = await read((db) =>
      query(db, [
        ...Object.values(known),
        ...(after === undefined ? [] : [after]),
        ...(prefix === undefined ? [] : [escapeId(prefix), escapeId(prefix) + lastCharacter]),
        limit,
      ]),
    );
    const entries = await entriesOf(rows);
    const last = rows.length === limit ? rows.at(-1)?.position : undefined;
    return { entries, ...(last !== undefined && { next: last }) };
  }

  return {
    async get(at, id) {
      const row = await find(at, id);
      return row && valueOf(row);
    },
    positionOf: async (at, id) => (await find(at, id))?.position,
    put: (at, id, value) => putAll(at, [[id, value]]),
    putAll,
    async insert(at, id, value) {
      const { numInsertedOrUpdatedRows } = await write((db) =>
        db
          .insertInto('records')
          .values(rowOf(at, id, value))
          .onConflict((on) => on.columns(['kind', 'id', 'workspace', 'company_key']).doNothing())
          .executeTakeFirst(),
      );
      return numInsertedOrUpdatedRows === 1n;
    },
    async change(at, id, change) {
      for (;;) {
        const row = await find(at, id);
        const before = row && (await valueOf(row));
        const after = before === undefined ? undefined : change(before);
        if (!row || after === undefined) return undefined;
        const { value, subject, state, name, alias } = rowOf(at, id, after);
        const { numUpdatedRows } = await write((db) =>
          db
            .updateTable('records')
            .set({ value, subject, state, name, alias })
            .where('position', '=', row.position)
            .where('value', '=', row.value)
            .executeTakeFirst(),
        );
        if (numUpdatedRows === 1n) return after;
      }
    },
    async remove(at, id) {
      return (await removeThose(at, [id])) > 0n;
    },
    async removeAll(at, ids) {
      for (let from = 0; from < ids.length; from += writtenAtOnce) {
        if (from > 0) await othersTurn();
        await removeThose(at, ids.slice(from, from + writtenAtOnce));
      }
    },
    async clear(at) {
      await write((db) =>
        db
          .deleteFrom('records')
          .where((on) => on.and(place(at)))
          .execute(),
      );
    },
    page,
    async *iterate(at, options = {}) {
      for (let after = options.after; ;) {
        const { entries, next } = await page(at, {
          ...options,
          limit: readAtOnce,
          ...(after !== undefined && { after }),
        });
        yield* entries;
        if (next === undefined) return;
        after = next;
        await othersTurn();
      }
    },
    async beyond(at, number, where) {
      const rows = await read((db) =>
        rowsWhere(db, at, where).orderBy('position', 'desc').limit(beyondAtOnce).offset(number).execute(),
      );
      return (await entriesOf(rows.reverse())).map(({ value }) => value);
    },
    async count(at, where = {}) {
      const { subject, ...others } = where;
      if (Object.keys(others).length === 0) return (await numbersOf(at, [tagOf(at, 'subject', subject) ?? '']))[0] ?? 0;
      await nameEarlier(at, where);
      const { count } = await read((db) =>
        db
          .selectFrom('records')
          .select((on) => on.fn.countAll<number>().as('count'))
          .where((on) => on.and(rowsAt(at, where)))
          .executeTakeFirstOrThrow(),
      );
      return count;
    },
    async existing(at, ids) {
      if (ids.length === 0) return new Set();
      const rows = await read((db) =>
        db
          .selectFrom('records')
          .select('id')
          .where((on) => on.and(place(at)))
          .where('id', 'in', ids.map(escapeId))
          .execute(),
      );
      const found = new Set(rows.map(({ id }) => id));
      return new Set(ids.filter((id) => found.has(escapeId(id))));
    },
    async countBySubject(at, subjects) {
      const byTag = new Map(subjects.map((subject) => [tagBy(at, 'subject', subject), subject]));
      const numbers = await numbersOf(at, [...byTag.keys()]);
      return new Map([...byTag.values()].map((subject, index) => [subject, numbers[index] ?? 0]));
    },
    async anywhere(id) {
      const rows = await read((db) => readAnywhere(db, [kind, escapeId(id)]));
      const found: { workspace: string; value: Value }[] = [];
      for (const row of rows) {
        const value = await valueOf(row);
        if (value !== undefined) found.push({ workspace: row.workspace, value });
      }
      return found;
    },
    locationsOf: (id) =>
      read((db) =>
        db
          .selectFrom('records')
          .select(['workspace', 'company_key as companyKey'])
          .where('kind', '=', kind)
          .where('id', '=', escapeId(id))
          .orderBy('position')
          .execute(),
      ),
  };

  /**
   * Names the records that an earlier version has stored, which had no names, before some are looked up by one: their
   * other columns are those that are looked for.
   */
  async function nameEarlier(at: Location, { name, alias, ...others }: Where = {}): Promise<void> {
    if (name === undefined && alias === undefined) return;
    for (;;) {
      const rows = await read((db) =>
        db
          .selectFrom('records')
          .selectAll()
          .where((on) => on.and({ ...place(at), ...(Object.keys(others).length > 0 && rowsAt(at, others)) }))
          .where('name', '=', sql.lit(unnamed))
          .orderBy('position')
          .limit(readAtOnce)
          .execute(),
      );
      if (rows.length === 0) return;
      for (const row of rows) {
        const value = await valueOf(row);
        const names = value === undefined ? { name: null, alias: null } : namesOf(at, value);
        await write((db) =>
          db
            .updateTable('records')
            .set(names)
            .where('position', '=', row.position)
            .where('value', '=', row.value)
            .execute(),
        );
      }
      await othersTurn();
    }
  }

  /** The numbers of records by the tags of their subjects, '' for all; 0 for none. */
  async function numbersOf(at: Location, subjects: readonly string[]): Promise<number[]> {
    if (subjects.length === 0) return [];
    const { workspace, companyKey } = at;
    const rows = await read((db) => readNumbers(db, [kind, workspace, companyKey, listOf(subjects)]));
    const numbers = new Map(rows.map(({ subject, number }) => [subject, number]));
    return subjects.map((subject) => numbers.get(subject) ?? 0);
  }

  async function putAll(at: Location, entries: readonly (readonly [string, Value])[]): Promise<void> {
    for (let from = 0; from < entries.length; from += writtenAtOnce) {
      if (from > 0) await othersTurn();
      const rows = entries.slice(from, from + writtenAtOnce).map(([id, value]) => rowOf(at, id, value));
      // Of several records with one id the last one counts; a statement cannot change a row twice.
      const last = [...new Map(rows.map((row) => [row.id, row])).values()];
      await write((db) =>
        db
          .insertInto('records')
          .values(last)
          .onConflict((on) =>
            on.columns(['kind', 'id', 'workspace', 'company_key']).doUpdateSet((given) => ({
              value: given.ref('excluded.value'),
              subject: given.ref('excluded.subject'),
              state: given.ref('excluded.state'),
              name: given.ref('excluded.name'),
              alias: given.ref('excluded.alias'),
            })),
          )
          .execute(),
      );
    }
  }

  async function removeThose(at: Location, ids: readonly string[]): Promise<bigint> {
    const { numDeletedRows } = await write((db) =>
      db
        .deleteFrom('records')
        .where((on) => on.and(place(at)))
        .where('id', 'in', ids.map(escapeId))
        .executeTakeFirst(),
    );
    return numDeletedRows;
  }
}
