import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'libsql';

export type Db = Database.Database;

/** How long (ms) to wait for a predecessor that is still finishing. */
const patience = 2000;
/** How long (ms) to wait later for another program's lock; nothing else goes on meanwhile. */
const shortPatience = 250;

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

/**
 * Has every write lock the file before its statement runs. In this driver a prepared statement that meets another's
 * lock (SQLITE_BUSY) stays active, and what is written after it is confirmed but never committed.
 */
function lockingFirst(db: Db): Db {
  const prepare = db.prepare.bind(db);

  function locked<T>(write: () => T): T {
    if (db.inTransaction) return write();
    db.exec('begin immediate');
    try {
      const result = write();
      db.exec('commit');
      return result;
    } catch (error) {
      if (db.inTransaction) db.exec('rollback'); // a full disk has ended it already
      throw error;
    }
  }

  return Object.assign(db, {
    prepare(sql: string) {
      const statement = prepare(sql);
      const run = statement.run.bind(statement);
      return Object.assign(statement, { run: (...values: unknown[]) => locked(() => run(...values)) });
    },
    transaction: (write: () => unknown) => () => locked(write),
  });
}

/** Opens an SQLite file, making its folder and tables if they are missing. Throws DatabaseError. */
export function openDatabase(path: string, tables: string): Db {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    hold(resolve(path));
    const db = lockingFirst(new Database(path));
    db.exec(`pragma busy_timeout = ${patience}; pragma journal_mode = wal; ${tables}`);
    const { quick_check: found } = db.prepare('pragma quick_check(1)').get() as { quick_check: string }; // its column
    if (found !== 'ok') throw Object.assign(new Error(found), { code: 'SQLITE_CORRUPT' });
    db.exec(`pragma busy_timeout = ${shortPatience}`);
    return db;
  } catch (error) {
    throw new DatabaseError(path, error);
  }
}
