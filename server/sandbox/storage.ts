import { parse as parseJson, stringify } from '#contract/json.ts';
import type { Db } from '#server/sqlite.ts';
import { defaultApplication } from './credentials.ts';
import { Problem } from './problem.ts';
import type { Records } from './records.ts';

/** What belongs to an application has its name; before there were several, all belonged to the default one. */
const application = `application text not null default '${defaultApplication}'`;

const owned = {
  resource: `create table if not exists resource (
    ${application}, kind text, id text, json text not null, primary key (application, kind, id)
  );`,
  answer: `create table if not exists answer (
    ${application}, key text, fingerprint text not null, expires integer not null, status integer, json text,
    primary key (application, key)
  );`,
};

/** The tables of the sandbox's SQLite file. */
export const tables = `
  ${owned.resource}
  ${owned.answer}
  create table if not exists job (
    id integer primary key autoincrement, ${application}, due integer not null, task text not null, json text not null,
    attempt integer not null default 0
  );
  create table if not exists sent (
    number integer primary key autoincrement, ${application}, webhookId text not null, type text not null,
    at integer not null, body text not null, mark text, attempts integer not null default 0,
    status integer not null default 0, delivered integer not null default 0
  );
  create index if not exists sent_webhook on sent (webhookId);
`;

/** The names of a table's columns, in their order. */
const columnsOf = (db: Db, table: string): string[] =>
  (db.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[]).map(({ name }) => name);

/** Adds the application to tables of a file that an earlier version has made, and the indices that need it. */
export function addApplications(db: Db): void {
  const lacking = (table: string) => !columnsOf(db, table).includes('application');
  const anew = (Object.keys(owned) as (keyof typeof owned)[]).filter(lacking).map((table) => {
    const columns = columnsOf(db, table).join(', ');
    return `alter table ${table} rename to former_${table}; ${owned[table]}
      insert into ${table} (${columns}) select ${columns} from former_${table} order by rowid;
      drop table former_${table};`;
  });
  const added = ['job', 'sent'].filter(lacking).map((table) => `alter table ${table} add column ${application};`);
  const indices = `drop index if exists job_due;
    create index if not exists job_of on job (application, due);
    create index if not exists sent_of on sent (application, number);
    create index if not exists answer_of on answer (application, expires);`;
  db.exec(`begin immediate; ${[...anew, ...added, indices].join(' ')} commit;`);
}

/** The part of the file that belongs to one application. */
export interface Share {
  db: Db;
  application: string;
  /** Throws a 409 problem once the application was emptied: what was begun before writes nothing afterwards. */
  insistOnKept: () => void;
}

/** Opens an application's part; it holds until it is emptied. */
export function openShare(db: Db, application: string): Share & { empty: () => void } {
  let isEmptied = false;
  return {
    db,
    application,
    insistOnKept() {
      if (isEmptied) throw new Problem(409, 'The sandbox was emptied meanwhile; nothing was done');
    },
    /** Deletes everything but the signing key of tokens: resources, stored answers, pending jobs and sent webhooks. */
    empty() {
      const where = 'where application = ?';
      const deletions = [
        `delete from resource ${where} and kind <> 'key'`,
        ...['answer', 'job', 'sent'].map((table) => `delete from ${table} ${where}`),
      ].map((sql) => db.prepare(sql));
      db.transaction(() => deletions.forEach((each) => each.run(application)))();
      isEmptied = true;
    },
  };
}

/** The applications with pending jobs. */
export const applicationsAtWork = (db: Db): string[] =>
  (db.prepare('select distinct application from job').all() as { application: string }[]).map((row) => row.application);

/** An application's resources: JSON records by kind and id. */
export function createStorage({ db, application, insistOnKept }: Share) {
  const select = db.prepare('select json from resource where application = ? and kind = ? and id = ?');
  const selectUnder = db.prepare(
    'select json from resource where application = ? and kind = ? and substr(id, 1, length(?)) = ? order by rowid',
  );
  const selectLatest = db.prepare(
    'select json from resource where application = ? and kind = ? order by rowid desc limit ?',
  );
  const insert = db.prepare(
    'insert into resource (application, kind, id, json) values (?, ?, ?, ?) on conflict do nothing',
  );
  const upsert = db.prepare(
    'insert into resource (application, kind, id, json) values (?, ?, ?, ?) on conflict do update set json = excluded.json',
  );
  const remove = db.prepare('delete from resource where application = ? and kind = ? and id = ?');
  const parse = <K extends keyof Records>(row: unknown): Records[K] =>
    parseJson((row as { json: string }).json) as Records[K]; // rows are written only below, each with its kind's type

  return {
    find<K extends keyof Records>(kind: K, id: string): Records[K] | undefined {
      const row = select.get(application, kind, id);
      return row === undefined ? undefined : parse<K>(row);
    },
    /** Records whose id begins with `prefix`, oldest first. */
    list<K extends keyof Records>(kind: K, prefix: string): Records[K][] {
      return selectUnder.all(application, kind, prefix, prefix).map((row) => parse<K>(row));
    },
    /** The latest records of a kind, newest first. */
    latest: <K extends keyof Records>(kind: K, limit: number): Records[K][] =>
      selectLatest.all(application, kind, limit).map((row) => parse<K>(row)),
    /** Returns false, without a change, if a record with this id exists. */
    add<K extends keyof Records>(kind: K, id: string, record: Records[K]): boolean {
      insistOnKept();
      return insert.run(application, kind, id, stringify(record)).changes === 1;
    },
    save<K extends keyof Records>(kind: K, id: string, record: Records[K]): void {
      insistOnKept();
      upsert.run(application, kind, id, stringify(record));
    },
    /** Returns false if no such record exists. */
    remove(kind: keyof Records, id: string): boolean {
      insistOnKept();
      return remove.run(application, kind, id).changes === 1;
    },
  };
}

export type SandboxStorage = ReturnType<typeof createStorage>;
