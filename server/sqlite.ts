import { mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { watch } from './watch.ts';

export interface Db extends Database.Database {
  /** Throws if what is written now would not be kept: the disk is full, the file is locked, gone or cut short. */
  insistOnKeeping(): void;
}

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

/** Bytes for which there must be room. */
const room = 1024 * 1024;
/** What is written to see whether that works: bytes of no meaning. */
const probeTable = 'create table if not exists probe (id integer primary key, filler blob);';

/**
 * The driver's address of a file, opened for this process alone: two would run the same jobs twice. The lock is on the
 * file itself, by whatever path it is reached, and ends with the process, however it ends. Windows lacks this way.
 */
const addressOf = (path: string): string =>
  process.platform === 'win32' ? path : `${pathToFileURL(path).href}?vfs=unix-excl`;

/**
 * Has every write lock the file before its statement runs. In this driver a prepared statement that meets another's
 * lock (SQLITE_BUSY) stays active, and what is written after it is confirmed but never committed. Looks at the file
 * before and after: a write to one that was removed would succeed as well.
 */
function careful(db: Database.Database, path: string, files = watch(path)): Db {
  const [prepare, exec] = [db.prepare.bind(db), db.exec.bind(db)];
  let failed = false;

  function locked<T>(write: () => T): T {
    if (db.inTransaction) return write();
    try {
      files.look();
      exec('begin immediate');
      const result = write();
      exec('commit');
      files.look();
      failed = false;
      return result;
    } catch (error) {
      failed = true;
      if (db.inTransaction) exec('rollback'); // a full disk has ended it already
      throw error;
    }
  }

  const fill = (bytes: number) =>
    locked(() =>
      prepare('insert into probe values (1, zeroblob(?)) on conflict (id) do update set filler = excluded.filler').run(
        bytes,
      ),
    );

  return Object.assign(db, {
    prepare(sql: string) {
      const statement = prepare(sql);
      const run = statement.run.bind(statement);
      return Object.assign(statement, { run: (...values: unknown[]) => locked(() => run(...values)) });
    },
    transaction: (write: () => unknown) => () => locked(write),
    /** May shorten the files. */
    exec(sql: string) {
      files.look();
      exec(sql);
      files.remember();
      return db;
    },
    insistOnKeeping() {
      const { blocks, bavail, bsize } = statfsSync(dirname(path));
      // Some file systems do not say.
      if (blocks > 0 && bavail * bsize < room)
        throw Object.assign(new Error('less than 1 MB is left on the disk'), { code: 'SQLITE_FULL' });
      if (failed) fill(room);
      fill(0);
    },
  });
}

/** Opens an SQLite file, making its folder and tables if they are missing. Throws DatabaseError. */
export function openDatabase(path: string, tables: string): Db {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const driver = new Database(addressOf(path));
    driver.exec(`pragma busy_timeout = ${patience}; pragma journal_mode = wal; ${probeTable} ${tables}`);
    const db = careful(driver, path);
    const { quick_check: found } = db.prepare('pragma quick_check(1)').get() as { quick_check: string }; // its column
    if (found !== 'ok') throw Object.assign(new Error(found), { code: 'SQLITE_CORRUPT' });
    db.exec(`pragma busy_timeout = ${shortPatience}`);
    return db;
  } catch (error) {
    throw new DatabaseError(path, error);
  }
}
