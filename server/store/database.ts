import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

export type Db = Database.Database;

/**
 * Opens the console's SQLite file, making its folder and tables if they are missing.
 * `url` is `file:` and a path.
 */
export function openDatabase(url: string): Db {
  const path = url.slice('file:'.length);
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  db.exec(`
    pragma journal_mode = wal;
    pragma busy_timeout = 5000;
    create table if not exists entries (
      position integer primary key autoincrement,
      namespace text not null,
      key text not null,
      value text not null,
      unique (namespace, key)
    );
    create table if not exists claims (
      key text primary key,
      fingerprint text not null,
      answer text,
      claimed_at integer not null
    );
  `);
  return db;
}
