import { parse, stringify } from '#contract/json.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import type { Quarantine } from './quarantine.ts';
import { places } from './schema.ts';
import type { Tables } from './schema.ts';

/** An entry of a workspace's timeline; `at` in ms. */
export interface StoredEntry<Value> {
  id: string;
  at: number;
  value: Value;
}

/** The entries of each workspace's timeline, in the order in which they were stored. */
export interface StoredTimeline<Value> {
  /** Stores all entries or, if the database fails, none. Their ids must be new. */
  append(workspace: string, entries: readonly StoredEntry<Value>[]): Promise<void>;
  /** Returns up to `limit` of the latest entries, the earliest of them first. */
  latest(workspace: string, limit: number): Promise<StoredEntry<Value>[]>;
  /** Returns the entries with these ids, the earliest first. */
  some(workspace: string, ids: readonly string[]): Promise<StoredEntry<Value>[]>;
  /** Deletes all but the latest `limit` entries, and those before `since` (ms). */
  prune(workspace: string, limits: { limit: number; since: number }): Promise<void>;
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
      const text = await quarantine.decrypt('timeline', found, places.timeline(row), false);
      if (text !== undefined) entries.push({ id: row.id, at: row.at, value: parse(text) as Value }); // as it was stored
    }
    return entries;
  }

  return {
    async append(workspace, entries) {
      if (entries.length === 0) return;
      const rows = entries.map(({ id, at, value }) => ({
        ...{ workspace, id, at },
        value: encryption.encrypt(stringify(value), places.timeline({ workspace, id })),
      }));
      await write((db) => db.insertInto('timeline').values(rows).execute());
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
    async prune(workspace, { limit, since }) {
      await write((db) => {
        const last = db
          .selectFrom('timeline')
          .select('position')
          .where('workspace', '=', workspace)
          .orderBy('position', 'desc')
          .limit(1)
          .offset(limit);
        return db
          .deleteFrom('timeline')
          .where('workspace', '=', workspace)
          .where((on) => on.or([on('at', '<', since), on('position', '<=', last)]))
          .execute();
      });
    },
  };
}
