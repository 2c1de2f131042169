import { openDatabase } from '#server/sqlite/sqlite.ts';
import type { Db } from '#server/sqlite/sqlite.ts';

const tables = `
    create table if not exists entries (
      position integer primary key autoincrement,
      namespace text not null,
      key text not null,
      value text not null,
      unique (namespace, key)
    );
    create index if not exists entries_key on entries (key);
    create table if not exists tallies (
      namespace text not null,
      owner text not null,
      count integer not null,
      primary key (namespace, owner)
    ) without rowid;
    create table if not exists set_aside (
      namespace text not null,
      key text not null,
      value text not null,
      set_aside_at integer not null
    );
    create table if not exists claims (
      key text primary key,
      fingerprint text not null,
      answer text,
      claimed_at integer not null
    );
    create table if not exists sessions (
      key text primary key,
      value text not null,
      started_at integer not null,
      used_at integer not null
    );
    `;

/** Trigger body that adds one row to its tally or subtracts it; `row` is `new` or `old`. */
const added = (row: string) =>
  `insert into tallies values (${row}.namespace, coalesce(${row}.owner, ''), 1)
   on conflict (namespace, owner) do update set count = count + 1;`;
const removed = (row: string) =>
  `update tallies set count = count - 1 where namespace = ${row}.namespace and owner = coalesce(${row}.owner, '');`;

/**
 * Row counts of `entries` by namespace and owner (tallies.ts), kept by triggers. The index also keeps the order of
 * insertion.
 */
const tallies = `
    create index if not exists entries_order on entries (namespace, owner);
    create trigger if not exists tally_insert after insert on entries begin ${added('new')} end;
    create trigger if not exists tally_delete after delete on entries begin ${removed('old')} end;
    create trigger if not exists tally_update after update of namespace, owner on entries
      when old.namespace is not new.namespace or old.owner is not new.owner
      begin ${removed('old')} ${added('new')} end;
    `;

/** Opens the console's SQLite file; `url` is `file:` and a path. Throws DatabaseError. */
export const openStoreFile = (url: string): Db =>
  openDatabase(url.slice('file:'.length), tables, (db) => {
    const columns = db.prepare('pragma table_info(entries)').all() as { name: string }[]; // the pragma's columns
    // Files of earlier versions have no owners.
    if (!columns.some(({ name }) => name === 'owner')) db.exec('alter table entries add column owner text');
    db.exec(tallies);
  });
