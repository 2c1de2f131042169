import type { Db } from '#server/sqlite/sqlite.ts';
import { defaultApplication } from '../credentials.ts';

/**
 * The column with the application of a row. Rows of earlier versions, which had only one, belong to the default
 * application.
 */
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

/** Returns the names of a table's columns, in order. */
const columnsOf = (db: Db, table: string): string[] =>
  (db.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[]).map(({ name }) => name);

/** Adds the application to the tables of a file made by an earlier version, and the indices that need it. */
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
