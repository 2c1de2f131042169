import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'libsql';

export type Db = Database.Database;

/** How long (ms) to wait for another connection, or for a predecessor that is still finishing. */
const patience = 2000;

/** The file cannot be used; `why` is the driver's or the file system's code or words. */
export class DatabaseError extends Error {
  readonly path: string;
  readonly why: string;

  constructor(path: string, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException; // the driver and node throw nothing else
    super(`${path} cannot be opened`, { cause });
    this.name = 'DatabaseError';
    this.path = path;
    this.why = code || message;
  }
}

/** Locks of this process, by path: open connections, as the lock lives and ends with them. */
const held = new Map<string, Db>();

/** Makes a file this process's own: two processes would run the same jobs twice. Ends with the process, however it ends. */
function hold(path: string): void {
  if (held.has(path)) return;
  const lock = new Database(`${path}.lock`);
  lock.exec(`pragma busy_timeout = ${patience}; begin exclusive`);
  held.set(path, lock);
}

/** Opens an SQLite file, making its folder and tables if they are missing. Throws DatabaseError. */
export function openDatabase(path: string, tables: string): Db {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    hold(resolve(path));
    const db = new Database(path);
    db.exec(`pragma busy_timeout = ${patience}; pragma journal_mode = wal; ${tables}`);
    return db;
  } catch (error) {
    throw new DatabaseError(path, error);
  }
}
