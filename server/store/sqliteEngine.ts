/* eslint-disable @typescript-eslint/require-await -- an engine is asynchronous; async makes what the driver throws a rejection */
import type { Clock } from '#server/clock.ts';
import { createRate } from '#server/http/rate.ts';
import { serialByName } from '#server/serially.ts';
import type { Db } from '#server/sqlite/sqlite.ts';
import { createChanges } from './changes.ts';
import type { Changes } from './changes.ts';
import type { AsideRow, ClaimRow, Engine, NewRow, Reading, Row, SessionRow, Whose } from './engine.ts';

/** Escapes the pattern characters of `glob`. */
const literal = (text: string): string => text.replace(/[[*?]/g, '[$&]');

/** Updates a row whose owner is unchanged. An upsert would also write its indexes and the table of positions. */
const renew = 'update entries set value = ? where namespace = ? and key = ? and owner is ?';
const upsert = `insert into entries (namespace, key, value, owner) values (?, ?, ?, ?)
  on conflict (namespace, key) do update set value = excluded.value, owner = excluded.owner`;

function entriesIn(db: Db): Engine['entries'] {
  const rows = (sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as Row[]; // the statements' columns
  /** Only within a transaction. */
  function writeRows(namespace: string, all: readonly NewRow[]): void {
    const [renewal, statement] = [db.prepare(renew), db.prepare(upsert)];
    for (const { key, value, owner } of all)
      if (renewal.run(value, namespace, key, owner).changes === 0) statement.run(namespace, key, value, owner);
  }

  return {
    find: async (namespace, key) =>
      rows('select position, key, value from entries where namespace = ? and key = ?', namespace, key)[0],
    async write(namespace, all, isDurable) {
      const writeAll = () => writeRows(namespace, all);
      if (isDurable) await db.together(writeAll);
      else db.relaxed(() => db.transaction(writeAll)());
    },
    insert: async (namespace, { key, value, owner }) =>
      db
        .prepare(
          `insert into entries (namespace, key, value, owner) values (?, ?, ?, ?)
           on conflict (namespace, key) do nothing`,
        )
        .run(namespace, key, value, owner).changes > 0,
    writeParts: (parts) =>
      db.together(() => {
        for (const { namespace, rows } of parts) writeRows(namespace, rows);
      }),
    replace: async (namespace, before, { value, owner }) =>
      db
        .prepare('update entries set value = ?, owner = ? where namespace = ? and key = ? and value = ?')
        .run(value, owner, namespace, before.key, before.value).changes > 0,
    async remove(namespace, key, isDurable) {
      const statement = db.prepare('delete from entries where namespace = ? and key = ?');
      const remove = () => statement.run(namespace, key).changes > 0;
      return isDurable ? remove() : db.relaxed(remove);
    },
    async clear(parts) {
      db.transaction(() => {
        for (const { namespace, keys } of parts)
          if (!keys) db.prepare('delete from entries where namespace = ?').run(namespace);
          else
            for (const key of keys)
              db.prepare('delete from entries where namespace = ? and key = ?').run(namespace, key);
      })();
    },
    all: async (namespace) =>
      rows('select position, key, value from entries where namespace = ? order by position', namespace),
    // On opening, the store was re-encrypted under one key, so each owner has one tag.
    page: async ({ namespace, owners }: Whose, { isLatestFirst, after, most }: Reading) => {
      const [follows, order] = isLatestFirst ? ['<', 'desc'] : ['>', 'asc'];
      return rows(
        `select position, key, value from entries where namespace = ? and owner is ? and position ${follows} ?
         order by position ${order} limit ?`,
        ...[namespace, owners?.[0] ?? null, after ?? (isLatestFirst ? Number.MAX_SAFE_INTEGER : 0), most],
      );
    },
    async count({ namespace, owners }) {
      const row = db
        .prepare('select count from tallies where namespace = ? and owner = ?')
        .get(namespace, owners?.[0] ?? '') as { count: number } | undefined; // the statement's column
      return row?.count ?? 0;
    },
    tallies: async (namespace) =>
      db.prepare('select owner, count from tallies where namespace = ?').all(namespace) as {
        owner: string;
        count: number;
      }[], // the statement's columns
    async namespacesOf(kind, key) {
      const found = db
        .prepare('select namespace from entries where key = ? and namespace glob ?')
        .all(key, `*/${kind}`) as { namespace: string }[]; // the statement selects this one column
      return found.map(({ namespace }) => namespace);
    },
    async settingsOf(workspace) {
      // The tallies have one row for each namespace; entries have one for each record.
      const found = db
        .prepare(
          `select namespace from tallies where namespace glob ? and count > 0 group by namespace
           order by (select min(position) from entries where entries.namespace = tallies.namespace)`,
        )
        .all(`${literal(workspace)}/*/settings`) as { namespace: string }[]; // the statement's column
      return found.map(({ namespace }) => namespace);
    },
    async setAside(_namespace, { position, value }, at) {
      db.transaction(() => {
        db.prepare(
          `insert into set_aside (namespace, key, value, set_aside_at)
           select namespace, key, value, ? from entries where position = ? and value = ?`,
        ).run(at, position, value);
        db.prepare('delete from entries where position = ? and value = ?').run(position, value);
      })();
    },
    aside: async (workspace) =>
      db
        .prepare(
          `select namespace, key, set_aside_at as at from set_aside
           where substr(namespace, 1, length(?) + 1) = ? || '/' order by rowid`,
        )
        .all(workspace, workspace) as AsideRow[], // the statement's columns
    asideCount: async () => (db.prepare('select count(*) as count from set_aside').get() as { count: number }).count, // its column
    settings: async () =>
      db
        .prepare(
          `select entries.namespace || '/' || key as place, value from tallies cross join entries
           on entries.namespace = tallies.namespace where tallies.namespace glob '*/settings'`,
        )
        .all() as { place: string; value: string }[], // the statement's columns
  };
}

/** Wraps the entries so that each write is noted in `changes` once it is visible. */
function noting(entries: Engine['entries'], changes: Changes): Engine['entries'] {
  const noted = async <T>(namespaces: readonly string[], write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } finally {
      changes.note(namespaces);
    }
  };
  return {
    ...entries,
    write: (namespace, rows, isDurable) => noted([namespace], () => entries.write(namespace, rows, isDurable)),
    insert: (namespace, row) => noted([namespace], () => entries.insert(namespace, row)),
    writeParts: (parts) =>
      noted(
        parts.map(({ namespace }) => namespace),
        () => entries.writeParts(parts),
      ),
    replace: (namespace, before, row) => noted([namespace], () => entries.replace(namespace, before, row)),
    remove: (namespace, key, isDurable) => noted([namespace], () => entries.remove(namespace, key, isDurable)),
    clear: (parts) =>
      noted(
        parts.map(({ namespace }) => namespace),
        () => entries.clear(parts),
      ),
    setAside: (namespace, row, at) => noted([namespace], () => entries.setAside(namespace, row, at)),
  };
}

/** Claims of an SQLite file. It has no other live server, so only requests of this process hold claims. */
function claimsIn(db: Db, now: () => number): Engine['claims'] {
  return {
    async claim(key, fingerprint) {
      const { changes } = db
        .prepare('insert into claims (key, fingerprint, claimed_at) values (?, ?, ?) on conflict (key) do nothing')
        .run(key, fingerprint, now());
      if (changes === 1) return undefined;
      const row = db
        .prepare('select fingerprint, answer, claimed_at as claimedAt from claims where key = ?')
        .get(key) as Omit<ClaimRow, 'isHeld'>; // the statement's columns; nothing runs in between
      return { ...row, isHeld: false };
    },
    exists: async (key) => db.prepare('select 1 from claims where key = ?').get(key) !== undefined,
    takeOver: async () => true,
    async finish(key, answer) {
      db.prepare('update claims set answer = ? where key = ?').run(answer, key);
    },
    async release(key) {
      db.prepare('delete from claims where key = ?').run(key);
    },
    leave: () => Promise.resolve(),
    async forgetWebhooks(age) {
      db.prepare("delete from claims where claimed_at < ? and substr(key, instr(key, '/') + 1) glob 'webhook/*'").run(
        now() - age,
      );
    },
  };
}

function sessionsIn(db: Db): Engine['sessions'] {
  return {
    async begin({ key, value, startedAt, usedAt }) {
      db.prepare('insert into sessions (key, value, started_at, used_at) values (?, ?, ?, ?)').run(
        ...[key, value, startedAt, usedAt],
      );
    },
    find: async (key, { usedAt, startedAt }) =>
      db
        .prepare(
          `select key, value, started_at as startedAt, used_at as usedAt from sessions
           where key = ? and used_at > ? and started_at > ?`,
        )
        .get(key, usedAt, startedAt) as SessionRow | undefined, // the statement's columns
    async use(key, usedAt) {
      db.prepare('update sessions set used_at = ? where key = ?').run(usedAt, key);
    },
    replace: async (key, before, value) =>
      db.prepare('update sessions set value = ? where key = ? and value = ?').run(value, key, before).changes > 0,
    async end(key) {
      db.prepare('delete from sessions where key = ?').run(key);
    },
    async forget({ usedAt, startedAt }, latest) {
      db.prepare('delete from sessions where used_at <= ? or started_at <= ? or used_at > ? or started_at > ?').run(
        ...[usedAt, startedAt, latest, latest],
      );
    },
  };
}

/**
 * Returns the engine of an SQLite file, which only this process uses. Other programs can change the file while it is
 * open only where it is not locked (sqlite.ts).
 */
export function sqliteEngine(db: Db, clock: Pick<Clock, 'now' | 'steady'>): Engine {
  const now = () => clock.now();
  const changes = createChanges();
  const inTurn = serialByName();
  const whileHeld = serialByName();
  return {
    isShared: false,
    entries: noting(entriesIn(db), changes),
    claims: claimsIn(db, now),
    sessions: sessionsIn(db),
    version: async (name) => `${db.version().others} ${changes.of(name)}`,
    versionOf: async () => '',
    asOne: (run) => run(),
    foreign: async () => String(db.version().others),
    inTurn,
    whileHeld,
    isInTurn: () => false,
    afterwards: (run) => run(),
    numberFrom: (least) => least,
    limit(_name, rate) {
      const take = createRate(rate, clock);
      return async (caller) => take(caller);
    },
    announce: async () => undefined,
    listen: () => undefined,
    insistOnKeeping: async () => db.insistOnKeeping(),
    close: async () => void db.close(),
  };
}
