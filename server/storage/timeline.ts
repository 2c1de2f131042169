import { sql } from 'kysely';
import { parse, stringify } from '#contract/json.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import type { Quarantine } from './quarantine.ts';
import { locations } from './schema.ts';
import type { Tables } from './schema.ts';

/** An entry of a workspace's timeline; `at` in ms. */
export interface StoredEntry<Value> {
  id: string;
  at: number;
  value: Value;
}

/** An entry to be stored. `length`: the number of characters that count towards the limit of the timeline. */
export interface NewEntry<Value> extends StoredEntry<Value> {
  length: number;
}

/** Of a timeline: the number of entries, their total length, and the time (ms) of the earliest. */
export interface TimelineLimits {
  entries: number;
  length: number;
  since: number;
}

/** The entries of each workspace's timeline, in the order in which they were stored. */
export interface StoredTimeline<Value> {
  /**
   * Stores entries and returns their ids, without those of entries that were not stored because another one has the id.
   * If the database fails, stores none.
   */
  append(workspace: string, entries: readonly NewEntry<Value>[]): Promise<string[]>;
  /** Returns up to `limit` of the latest entries, the earliest of them first. */
  latest(workspace: string, limit: number): Promise<StoredEntry<Value>[]>;
  /** Returns the entries with these ids, the earliest first. */
  some(workspace: string, ids: readonly string[]): Promise<StoredEntry<Value>[]>;
  /** Deletes the earliest entries beyond the limits. */
  prune(workspace: string, limits: TimelineLimits): Promise<void>;
}

export function createTimeline<Value>(
  { read, write }: Database<Tables>,
  encryption: Encryption,
  quarantine: Quarantine,
): StoredTimeline<Value> {
  async function opened(
    rows: readonly { position: number; workspace: string; id: string; at: number; value: string }[],
  ): Promise<StoredEntry<Value>[]> {
    const entries: StoredEntry<Value>[] = [];
    for (const row of rows) {
      const found = { ...row, kind: 'timeline', company: '' };
      const text = await quarantine.decrypt('timeline', found, locations.timeline(row), false);
      if (text !== undefined) entries.push({ id: row.id, at: row.at, value: parse(text) as Value }); // as it was stored
    }
    return entries;
  }

  return {
    async append(workspace, entries) {
      if (entries.length === 0) return [];
      const rows = entries.map(({ id, at, length, value }) => ({
        ...{ workspace, id, at, length },
        value: encryption.encrypt(stringify(value), locations.timeline({ workspace, id })),
      }));
      const stored = await write((db) =>
        db
          .insertInto('timeline')
          .values(rows)
          .onConflict((on) => on.columns(['workspace', 'id']).doNothing())
          .returning('id')
          .execute(),
      );
      return stored.map(({ id }) => id);
    },
    async latest(workspace, limit) {
      const rows = await read((db) =>
        db
          .selectFrom('timeline')
          .selectAll()
          .where('workspace', '=', workspace)
          .orderBy('position', 'desc')
          .limit(limit)
          .execute(),
      );
      return opened(rows.reverse());
    },
    async some(workspace, ids) {
      if (ids.length === 0) return [];
      const rows = await read((db) =>
        db
          .selectFrom('timeline')
          .selectAll()
          .where('workspace', '=', workspace)
          .where('id', 'in', ids)
          .orderBy('position')
          .execute(),
      );
      return opened(rows);
    },
    async prune(workspace, { entries, length, since }) {
      await write((db) =>
        sql`delete from timeline where workspace = ${workspace} and (at < ${since} or position <= (
            select max(position) from (
              select position, row_number() over latest_first as place, sum(length) over latest_first as total
              from timeline where workspace = ${workspace} window latest_first as (order by position desc)
            ) as counted where place > ${entries} or total > ${length}
          ))`.execute(db),
      );
    },
  };
}
