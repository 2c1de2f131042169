import { openDatabase } from '#server/sqlite.ts';
import type { Db } from '#server/sqlite.ts';

/** Opens the console's SQLite file; `url` is `file:` and a path. Throws DatabaseError. */
export const openStoreFile = (url: string): Db =>
  openDatabase(
    url.slice('file:'.length),
    `
    create table if not exists entries (
      position integer primary key autoincrement,
      namespace text not null,
      key text not null,
      value text not null,
      unique (namespace, key)
    );
    create index if not exists entries_key on entries (key);
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
    `,
  );
