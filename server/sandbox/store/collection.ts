import { parse, stringify } from '#contract/json.ts';
import { escapeId } from '#server/escapeId.ts';
import type { SandboxStore } from './sandboxStore.ts';

/** An application's records of one kind, by id; JSON. */
export interface Collection<Value> {
  find: (id: string) => Promise<Value | undefined>;
  /** Returns the records whose id begins with `prefix`, oldest first. */
  list: (prefix: string) => Promise<Value[]>;
  /** Returns those of the ids that have a record. */
  existing: (ids: readonly string[]) => Promise<Set<string>>;
  /** Returns the latest records, newest first. */
  latest: (limit: number) => Promise<Value[]>;
  /** Resolves with false, without a change, if a record with this id exists. */
  add: (id: string, record: Value) => Promise<boolean>;
  save: (id: string, record: Value) => Promise<void>;
  /** Resolves with false if no such record exists. */
  remove: (id: string) => Promise<boolean>;
}

/** The character that is sorted after all others. */
const lastCharacter = '\u{10FFFF}';

/** Returns an application's records of one kind. */
export function collectionOf<Value>(
  { read, write }: Pick<SandboxStore, 'read' | 'write'>,
  application: string,
  kind: string,
): Collection<Value> {
  const valueOf = ({ value }: { value: string }): Value => parse(value) as Value; // rows are written only below
  // Databases refuse some characters; ids with them come only from callers that look for something unknown.
  const rowOf = (id: string, record: Value) => ({
    ...{ application, kind, id: escapeId(id) },
    value: stringify(record),
  });

  return {
    async find(id) {
      const row = await read((db) =>
        db
          .selectFrom('resources')
          .select('value')
          .where((on) => on.and({ application, kind, id: escapeId(id) }))
          .executeTakeFirst(),
      );
      return row && valueOf(row);
    },
    async list(prefix) {
      const rows = await read((db) =>
        db
          .selectFrom('resources')
          .select('value')
          .where((on) => on.and({ application, kind }))
          .where('id', '>=', escapeId(prefix))
          .where('id', '<=', escapeId(prefix) + lastCharacter)
          .orderBy('position')
          .execute(),
      );
      return rows.map(valueOf);
    },
    async existing(ids) {
      if (ids.length === 0) return new Set();
      const rows = await read((db) =>
        db
          .selectFrom('resources')
          .select('id')
          .where((on) => on.and({ application, kind }))
          .where('id', 'in', ids.map(escapeId))
          .execute(),
      );
      const found = new Set(rows.map(({ id }) => id));
      return new Set(ids.filter((id) => found.has(escapeId(id))));
    },
    async latest(limit) {
      const rows = await read((db) =>
        db
          .selectFrom('resources')
          .select('value')
          .where((on) => on.and({ application, kind }))
          .orderBy('position', 'desc')
          .limit(limit)
          .execute(),
      );
      return rows.map(valueOf);
    },
    async add(id, record) {
      const { numInsertedOrUpdatedRows } = await write((db) =>
        db
          .insertInto('resources')
          .values(rowOf(id, record))
          .onConflict((on) => on.columns(['application', 'kind', 'id']).doNothing())
          .executeTakeFirst(),
      );
      return numInsertedOrUpdatedRows === 1n;
    },
    async save(id, record) {
      await write((db) =>
        db
          .insertInto('resources')
          .values(rowOf(id, record))
          .onConflict((on) =>
            on.columns(['application', 'kind', 'id']).doUpdateSet((given) => ({ value: given.ref('excluded.value') })),
          )
          .execute(),
      );
    },
    async remove(id) {
      const { numDeletedRows } = await write((db) =>
        db
          .deleteFrom('resources')
          .where((on) => on.and({ application, kind, id: escapeId(id) }))
          .executeTakeFirst(),
      );
      return numDeletedRows === 1n;
    },
  };
}
