import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import { locations } from './schema.ts';
import type { SessionRow, Tables } from './schema.ts';
import { selecting } from './statements.ts';

/** A session; times are steady (Clock), in ms. */
export interface StoredSession<Value> {
  value: Value;
  startedAt: number;
  usedAt: number;
}

/** Selects the sessions that were last used and started after these times. */
interface Since {
  usedAt: number;
  startedAt: number;
}

/** Sessions, each under the hash of its id. A session that cannot be read counts as ended. */
export interface Sessions<Value> {
  begin(key: string, session: StoredSession<Value>): Promise<void>;
  find(key: string, since: Since): Promise<StoredSession<Value> | undefined>;
  /** Returns all sessions with their keys, in the order in which they began. */
  all(since: Since): Promise<(StoredSession<Value> & { key: string })[]>;
  count(since: Since): Promise<number>;
  /** Sets the time of the last use. */
  touch(key: string, usedAt: number): Promise<void>;
  /**
   * Replaces the value by the result of `change` and resolves with true; does nothing if the session has ended or
   * `change` returns undefined. A session that ends meanwhile is not revived.
   */
  change(key: string, since: Since, change: (before: Value) => Value | undefined): Promise<boolean>;
  end(key: string): Promise<void>;
  /** Deletes the sessions that were last used or started at or before these times, or after `latest`. */
  prune(since: Since, latest: number): Promise<void>;
}

const sessionOf = selecting<Tables, { key: string } & Since, Omit<SessionRow, 'position'>>((db, given) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('key', '=', given('key'))
    .where('used_at', '>', given('usedAt'))
    .where('started_at', '>', given('startedAt')),
);

export function createSessionStore<Value>(
  { read, select, write }: Database<Tables>,
  encryption: Encryption,
): Sessions<Value> {
  const encrypted = (key: string, value: Value): string =>
    encryption.encrypt(JSON.stringify(value), locations.session({ key }));

  async function find(key: string, since: Since) {
    const [row] = await select(sessionOf, { key, ...since });
    const session = row && decrypted(row);
    return session && { stored: row.value, session };
  }

  function decrypted(row: Omit<SessionRow, 'position'>): StoredSession<Value> | undefined {
    try {
      const value = JSON.parse(encryption.decrypt(row.value, locations.session(row))) as Value; // as it was stored
      return { value, startedAt: row.started_at, usedAt: row.used_at };
    } catch {
      return undefined;
    }
  }

  return {
    async begin(key, { value, startedAt, usedAt }) {
      const row = { key, value: encrypted(key, value), started_at: startedAt, used_at: usedAt };
      await write((db) => db.insertInto('sessions').values(row).execute());
    },
    async find(key, since) {
      return (await find(key, since))?.session;
    },
    async all(since) {
      const rows = await read((db) =>
        db
          .selectFrom('sessions')
          .selectAll()
          .where('used_at', '>', since.usedAt)
          .where('started_at', '>', since.startedAt)
          .orderBy('position')
          .execute(),
      );
      return rows.flatMap((row) => {
        const session = decrypted(row);
        return session ? [{ ...session, key: row.key }] : [];
      });
    },
    async count({ usedAt, startedAt }) {
      const { count } = await read((db) =>
        db
          .selectFrom('sessions')
          .select((on) => on.fn.countAll<number>().as('count'))
          .where('used_at', '>', usedAt)
          .where('started_at', '>', startedAt)
          .executeTakeFirstOrThrow(),
      );
      return count;
    },
    async touch(key, usedAt) {
      // Another server may have seen a later request.
      await write((db) =>
        db
          .updateTable('sessions')
          .set({ used_at: usedAt })
          .where('key', '=', key)
          .where('used_at', '<', usedAt)
          .execute(),
      );
    },
    async change(key, since, change) {
      for (;;) {
        const found = await find(key, since);
        const after = found && change(found.session.value);
        if (after === undefined) return false;
        const { numUpdatedRows } = await write((db) =>
          db
            .updateTable('sessions')
            .set({ value: encrypted(key, after) })
            .where('key', '=', key)
            .where('value', '=', found!.stored) // there is no `after` without it
            .executeTakeFirst(),
        );
        if (numUpdatedRows === 1n) return true;
      }
    },
    async end(key) {
      await write((db) => db.deleteFrom('sessions').where('key', '=', key).execute());
    },
    async prune({ usedAt, startedAt }, latest) {
      await write((db) =>
        db
          .deleteFrom('sessions')
          .where((on) =>
            on.or([
              on('used_at', '<=', usedAt),
              on('started_at', '<=', startedAt),
              on('used_at', '>', latest),
              on('started_at', '>', latest),
            ]),
          )
          .execute(),
      );
    },
  };
}
