/**
 * The statements that lead from each version of the sandbox's schema to the next. Never change a version that has been
 * released; add new ones at the end. The columns are those of the SQLite file, with an explicit column in place of
 * SQLite's `rowid`. `worker` has one row, with the process that works on the database.
 */
export const migrations: readonly string[] = [
  `
  create table worker (id text not null);
  insert into worker values ('');
  create table resource (
    rowid bigint generated always as identity,
    application text collate "C" not null,
    kind text collate "C" not null,
    id text collate "C" not null,
    json text not null,
    primary key (application, kind, id)
  );
  create index resource_order on resource (application, kind, rowid);
  create table answer (
    application text collate "C" not null,
    key text not null,
    fingerprint text not null,
    expires bigint not null,
    status integer,
    json text,
    primary key (application, key)
  );
  create index answer_of on answer (application, expires);
  create table job (
    id bigint generated always as identity primary key,
    application text collate "C" not null,
    due bigint not null,
    task text not null,
    json text not null,
    attempt integer not null default 0
  );
  create index job_of on job (application, due, id);
  create table sent (
    number bigint generated always as identity primary key,
    application text collate "C" not null,
    "webhookId" text collate "C" not null,
    type text not null,
    at bigint not null,
    body text not null,
    mark text,
    attempts integer not null default 0,
    status integer not null default 0,
    delivered integer not null default 0
  );
  create index sent_of on sent (application, number);
  create index sent_webhook on sent ("webhookId");
  `,
];
