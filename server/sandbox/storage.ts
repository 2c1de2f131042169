import { parse as parseJson, stringify } from '#contract/json.ts';
import type { Db } from '#server/sqlite.ts';
import type { Records } from './records.ts';

/** The tables of the sandbox's SQLite file. */
export const tables = `
  create table if not exists resource (kind text, id text, json text not null, primary key (kind, id));
  create table if not exists answer (
    key text primary key, fingerprint text not null, expires integer not null, status integer, json text
  );
  create table if not exists job (
    id integer primary key autoincrement, due integer not null, task text not null, json text not null,
    attempt integer not null default 0
  );
  create index if not exists job_due on job (due);
  create table if not exists sent (
    number integer primary key autoincrement, webhookId text not null, type text not null, at integer not null,
    body text not null, mark text, attempts integer not null default 0, status integer not null default 0,
    delivered integer not null default 0
  );
  create index if not exists sent_webhook on sent (webhookId);
`;

/** The sandbox's resources: JSON records by kind and id. */
export function createStorage(db: Db) {
  const select = db.prepare('select json from resource where kind = ? and id = ?');
  const selectUnder = db.prepare(
    'select json from resource where kind = ? and substr(id, 1, length(?)) = ? order by rowid',
  );
  const selectLatest = db.prepare('select json from resource where kind = ? order by rowid desc limit ?');
  const insert = db.prepare('insert into resource (kind, id, json) values (?, ?, ?) on conflict do nothing');
  const upsert = db.prepare(
    'insert into resource (kind, id, json) values (?, ?, ?) on conflict do update set json = excluded.json',
  );
  const remove = db.prepare('delete from resource where kind = ? and id = ?');
  const parse = <K extends keyof Records>(row: unknown): Records[K] =>
    parseJson((row as { json: string }).json) as Records[K]; // rows are written only below, each with its kind's type

  return {
    find<K extends keyof Records>(kind: K, id: string): Records[K] | undefined {
      const row = select.get(kind, id);
      return row === undefined ? undefined : parse<K>(row);
    },
    /** Records whose id begins with `prefix`, oldest first. */
    list<K extends keyof Records>(kind: K, prefix: string): Records[K][] {
      return selectUnder.all(kind, prefix, prefix).map((row) => parse<K>(row));
    },
    /** The latest records of a kind, newest first. */
    latest: <K extends keyof Records>(kind: K, limit: number): Records[K][] =>
      selectLatest.all(kind, limit).map((row) => parse<K>(row)),
    /** Returns false, without a change, if a record with this id exists. */
    add: <K extends keyof Records>(kind: K, id: string, record: Records[K]): boolean =>
      insert.run(kind, id, stringify(record)).changes === 1,
    save<K extends keyof Records>(kind: K, id: string, record: Records[K]): void {
      upsert.run(kind, id, stringify(record));
    },
    /** Returns false if no such record exists. */
    remove: (kind: keyof Records, id: string): boolean => remove.run(kind, id).changes === 1,
    /** Deletes everything but the signing key of tokens: resources, stored answers and pending jobs. */
    reset(): void {
      db.transaction(() =>
        db.exec("delete from resource where kind <> 'key'; delete from answer; delete from job; delete from sent;"),
      )();
    },
  };
}

export type SandboxStorage = ReturnType<typeof createStorage>;
