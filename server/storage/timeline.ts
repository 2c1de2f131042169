import { sql } from 'kysely';
import { parse, stringify } from '#contract/json.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import type { Quarantine } from './quarantine.ts';
import { locations, ofWorkspace } from './schema.ts';
import type { Tables } from './schema.ts';

/** An entry of a workspace's timeline; `at` in ms. */
interface StoredEntry<Value> {
  id: string;
  at: number;
  value: Value;
}

/** An entry to be stored. `length`: the number of characters that count towards the limit of the timeline. */
export interface NewEntry<Value> extends StoredEntry<Value> {
  length: number;
  /** Whether it only reads; such entries are deleted first. */
  isRead: boolean;
}

/**
 * Of a timeline: the number of entries, how many of the latest stay even if they only read, their total length, and the
 * time (ms) of the earliest.
 */
interface TimelineLimits {
  entries: number;
  latest: number;
  length: number;
  since: number;
}

/**
 * The entries of each workspace's timeline, in the order in which they were stored. A loss of power may take the latest
 * ones along, because writing them does not wait for the disk of an SQLite file.
 */
export interface StoredTimeline<Value> {
  /**
   * Stores entries and returns their ids, without those of entries that were not stored because another one has the id.
   * If the database fails, stores none.
   */
  append(workspace: string, entries: readonly NewEntry<Value>[]): Promise<string[]>;
  /** Returns the id of the entry that was stored last; undefined if there is none. */
  latestId(workspace: string): Promise<string | undefined>;
  /** Returns up to `limit` of the latest entries, the earliest of them first. */
  latest(workspace: string, limit: number): Promise<StoredEntry<Value>[]>;
  /** Returns the entries with these ids, the earliest first. */
  some(workspace: string, ids: readonly string[]): Promise<StoredEntry<Value>[]>;
  /** Deletes the entries beyond the limits: the earliest that only read, then the earliest of the others. */
  prune(workspace: string, limits: TimelineLimits): Promise<void>;
}

export function createTimeline<Value>(
  { read, writeUnsynced }: Database<Tables>,
  encryption: Encryption,
  quarantine: Quarantine,
): StoredTimeline<Value> {
  async function opened(
    rows: readonly { position: number; workspace: string; id: string; at: number; value: string }[],
  ): Promise<StoredEntry<Value>[]> {
    const entries: StoredEntry<Value>[] = [];
    for (const row of rows) {
      const found = { ...row, kind: 'timeline', company_key: ofWorkspace };
      const text = await quarantine.decrypt('timeline', found, locations.timeline(row), false);
      if (text !== undefined) entries.push({ id: row.id, at: row.at, value: parse(text) as Value }); // as it was stored
    }
    return entries;
  }

  return {
    async append(workspace, entries) {
      if (entries.length === 0) return [];
      const rows = entries.map(({ id, at, length, isRead, value }) => ({
        workspace,
        id,
        at,
        length,
        is_read: isRead ? 1 : 0,
        value: encryption.encrypt(stringify(value), locations.timeline({ workspace, id })),
      }));
      const stored = await writeUnsynced((db) =>
        db
          .insertInto('timeline')
          .values(rows)
          .onConflict((on) => on.columns(['workspace', 'id']).doNothing())
          .returning('id')
          .execute(),
      );
      return stored.map(({ id }) => id);
    },
    async latestId(workspace) {
      const row = await read((db) =>
        db
          .selectFrom('timeline')
          .select('id')
          .where('workspace', '=', workspace)
          .orderBy('position', 'desc')
          .limit(1)
          .executeTakeFirst(),
      );
      return row?.id;
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
    async prune(workspace, { entries, latest, length, since }) {
      await writeUnsynced((db) =>
        sql`delete from timeline where workspace = ${workspace} and (at < ${since} or position in (
            select position from (
              select position, row_number() over by_rank as place, sum(length) over by_rank as total
              from (
                select position, length, case when row_number() over (order by position desc) <= ${latest} then 0
                  else 1 + is_read end as priority
                from timeline where workspace = ${workspace}
              ) as each_entry window by_rank as (order by priority, position desc rows unbounded preceding)
            ) as counted where place > ${entries} or total > ${length}
          ))`.execute(db),
      );
    },
  };
}
