import { iso } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Db } from '#server/sqlite.ts';
import type { Seal } from './seal.ts';

/** Thrown for an unreadable record: it was changed, moved or never encrypted, or its key is not configured. */
export class UnreadableError extends Error {
  /** The record's place: `{namespace}/{id}`. */
  readonly record: string;

  constructor(record: string, cause: unknown) {
    super(`The record ${record} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'UnreadableError';
    this.record = record;
  }
}

/** A record that was set aside; `at` is an ISO time. */
export interface SetAside {
  kind: string;
  id: string;
  at: string;
}

/** Moves unreadable records, unchanged, to a table of their own, so that the other records can be listed. */
export interface Aside {
  /**
   * Reports the error and moves the row of `entries` at this position, unless it has another value by now; the row stays
   * if the file cannot be written.
   */
  take(row: { position: number; value: string }, error: UnreadableError): void;
  of(workspace: string): SetAside[];
  count(): number;
}

export function asideIn(db: Db, clock: Clock, onError: (error: unknown) => void): Aside {
  return {
    take({ position, value }, error) {
      onError(error);
      try {
        db.transaction(() => {
          db.prepare(
            `insert into set_aside (namespace, key, value, set_aside_at)
             select namespace, key, value, ? from entries where position = ? and value = ?`,
          ).run(clock.now(), position, value);
          db.prepare('delete from entries where position = ? and value = ?').run(position, value);
        })();
      } catch (failure) {
        onError(failure);
      }
    },
    of(workspace) {
      const rows = db
        .prepare(
          `select substr(namespace, length(?) + 2) as kind, key as id, set_aside_at as at from set_aside
           where substr(namespace, 1, length(?) + 1) = ? || '/' order by rowid`,
        )
        .all(workspace, workspace, workspace) as { kind: string; id: string; at: number }[]; // the statement's columns
      // The kind is the last part; a scope may precede it.
      return rows.map(({ kind, id, at }) => ({ kind: kind.split('/').at(-1)!, id, at: iso(at) }));
    },
    count: () => (db.prepare('select count(*) as count from set_aside').get() as { count: number }).count, // its column
  };
}

/**
 * Returns a function that returns the places of unreadable settings in all workspaces: {namespace}/{key}. They are read
 * again only if some were unreadable, or somebody else has written to the file.
 */
export function unreadableSettingsIn(db: Db, seal: Seal): () => string[] {
  let sound: number | undefined;
  return () => {
    const { data_version: version } = db.prepare('pragma data_version').get() as { data_version: number }; // its column
    if (version === sound) return [];
    const rows = db
      .prepare(
        `select entries.namespace || '/' || key as place, value from tallies cross join entries
         on entries.namespace = tallies.namespace where tallies.namespace glob '*/settings'`,
      )
      .all() as { place: string; value: string }[]; // the statement's columns
    const found = rows.filter(({ place, value }) => !isReadable(seal, value, place)).map(({ place }) => place);
    sound = found.length === 0 ? version : undefined;
    return found;
  };
}

function isReadable(seal: Seal, value: string, place: string): boolean {
  try {
    seal.open(value, place);
    return true;
  } catch {
    return false;
  }
}
