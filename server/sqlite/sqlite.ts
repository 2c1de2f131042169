import { realpathSync, statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { makeFolder } from './folder.ts';
import { createTogether } from './together.ts';
import { walSync } from './walSync.ts';
import { watch } from './watch.ts';

export interface Db extends Database.Database {
  /**
   * Returns version numbers: `others` changes when another connection has written; `own` counts the writes of this one.
   */
  version(): { others: number; own: number };
  /**
   * Runs writes without waiting for the disk. They survive the end of the process, but not a power failure; everything
   * confirmed before or after does.
   */
  relaxed<T>(write: () => T): T;
  /**
   * Runs a write in a transaction shared with other writes of the same turns of the event loop (group commit). Does not
   * block; writes passed during a sync share the next transaction. Resolves once the write is on the disk. If the
   * transaction fails, all its writes reject and are rolled back. If the sync fails, all its writes reject although
   * they can be read, and so does every later write until the disk accepts them.
   */
  together(write: () => void): Promise<void>;
  /**
   * Runs a function whose writes are one transaction; it may wait between them. Until it ends, all other reads of this
   * connection see its writes, and all other writes join its transaction. If it rejects, everything is rolled back.
   */
  asOne<T>(run: () => Promise<T>): Promise<T>;
  /** Throws if a write would fail or be lost: the disk is full, or the file is locked, removed or truncated. */
  insistOnKeeping(): void;
}

/** Time (ms) to wait at the start for the lock of the previous process. */
const patience = 2000;
/** Time (ms) to wait later for another program's lock; the whole process is blocked meanwhile. */
const shortPatience = 250;

/** Thrown if the file cannot be used; `why` is the code or message of the driver or the file system. */
export class DatabaseError extends Error {
  readonly path: string;
  readonly why: string;

  constructor(path: string, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException; // the driver and node throw only these
    super(`${path} cannot be opened`, { cause });
    this.name = 'DatabaseError';
    this.path = path;
    this.why = code || message;
  }
}

/** `why` of a file that holds foreign tables. */
export const otherTables = 'OTHER_TABLES';

/** Minimum free space on the disk in bytes. */
const room = 1024 * 1024;
/** A table for test writes; its contents have no meaning. */
const probeTable = 'create table if not exists probe (id integer primary key, filler blob);';

/**
 * Returns the file's name for the driver, with a lock that excludes other processes: two processes would run the same
 * jobs twice. The lock applies to the file itself, whatever its path, and ends with the process. Windows has no such
 * lock.
 */
export const addressOf = (path: string): string =>
  process.platform === 'win32' ? path : `${pathToFileURL(path).href}?vfs=unix-excl`;

/**
 * Makes every write lock the file before its statement runs: in this driver a prepared statement that fails because of
 * another process's lock (SQLITE_BUSY) stays active, and later writes are confirmed but never committed. Also checks
 * the file before and after each write, because writes to a removed file would appear to succeed.
 */
function careful(db: Database.Database, path: string, files = watch(path)): Db {
  const [prepare, exec, close] = [db.prepare.bind(db), db.exec.bind(db), db.close.bind(db)];
  const log = `${realpathSync(path)}-wal`;
  let failed = false;
  let closed = false;
  /** Whether part of the write-ahead log may not be on the disk, and would be lost in a power failure. */
  let isUnsure = false;
  let writes = 0;
  /**
   * Throws once the file is closed: the driver ends the process when a closed file is written, or asked whether it is in
   * a transaction.
   */
  function insistOnOpen(): void {
    if (closed) throw new Error(`${path} is closed`);
  }

  /** Prepared statements by their SQL, of which there are a few dozen: preparing takes as long as running. */
  const prepared = new Map<string, Database.Statement>();
  const others = prepare('pragma data_version').raw();
  /** `data_version`, which changes with other connections' writes; read once per turn of the event loop. */
  let seen: number | undefined;

  /** Checkpoints the whole log into the file, waits for the disk, and empties the log. Throws if that fails. */
  function makeSure(): void {
    exec('pragma wal_checkpoint(truncate)');
    if (statSync(log).size > 0) throw Object.assign(new Error(`${path} is in use`), { code: 'SQLITE_BUSY' });
    files.remember();
    isUnsure = false;
  }

  /** Whether commits wait for the disk now, and whether the next one must. */
  let [waits, isToWait] = [true, true];
  /** Sets the pragma only if it differs, because setting it takes as long as a write. Not within a transaction. */
  function waitForDisk(isNeeded: boolean): void {
    if (waits !== isNeeded) exec(`pragma synchronous = ${isNeeded ? 'full' : 'normal'}`);
    waits = isNeeded;
  }

  /** Begins a transaction, which locks the file. */
  function begin(): void {
    files.look();
    if (isUnsure) makeSure();
    waitForDisk(isToWait);
    exec('begin immediate');
  }

  function commit(): void {
    exec('commit');
    files.look();
    failed = false;
  }

  function rollBack(): void {
    failed = true;
    if (db.inTransaction) exec('rollback'); // a full disk has already rolled back
  }

  function locked<T>(write: () => T): T {
    insistOnOpen();
    writes += 1;
    if (db.inTransaction) return write();
    try {
      begin();
      const result = write();
      commit();
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  async function asOne<T>(run: () => Promise<T>): Promise<T> {
    insistOnOpen();
    writes += 1;
    try {
      begin();
      const result = await run();
      commit();
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  function relaxed<T>(write: () => T): T {
    insistOnOpen();
    if (db.inTransaction) return write();
    isToWait = false;
    try {
      return write();
    } finally {
      isToWait = true;
    }
  }

  const sync = walSync(log);
  const together = createTogether({
    commit(writes, isKept) {
      if (isKept) locked(writes);
      else relaxed(() => locked(writes));
    },
    sync,
    synced(error) {
      if (error) {
        failed = isUnsure = true;
        throw error as Error; // of walSync
      }
      files.look();
    },
  });

  const fill = (bytes: number) =>
    locked(() =>
      prepare('insert into probe values (1, zeroblob(?)) on conflict (id) do update set filler = excluded.filler').run(
        bytes,
      ),
    );

  return Object.assign(db, {
    close() {
      if (!closed) together.finish();
      closed = true;
      prepared.clear();
      return close();
    },
    prepare(sql: string) {
      insistOnOpen();
      const known = prepared.get(sql);
      if (known) return known;
      const statement = prepare(sql);
      /** Runs the statement and discards it if it fails, because it may stay active. */
      const attempt = <T>(act: () => T): T => {
        insistOnOpen();
        try {
          return act();
        } catch (error) {
          prepared.delete(sql);
          throw error;
        }
      };
      const run = statement.run.bind(statement);
      const get: (...values: unknown[]) => unknown = statement.get.bind(statement);
      const all: (...values: unknown[]) => unknown[] = statement.all.bind(statement);
      Object.assign(statement, {
        run: (...values: unknown[]) => locked(() => attempt(() => run(...values))),
        get: (...values: unknown[]) => attempt(() => get(...values)),
        all: (...values: unknown[]) => attempt(() => all(...values)),
      });
      prepared.set(sql, statement);
      return statement;
    },
    relaxed,
    asOne,
    async together(write: () => void) {
      insistOnOpen();
      return together.add(write);
    },
    version() {
      insistOnOpen();
      if (seen === undefined) {
        [seen] = others.get() as [number]; // the pragma's column
        setImmediate(() => (seen = undefined));
      }
      return { others: seen, own: writes };
    },
    transaction: (write: () => unknown) => () => locked(write),
    /** Not locked; the SQL may truncate the files. */
    exec(sql: string) {
      insistOnOpen();
      files.look();
      writes += 1;
      prepared.clear();
      if (!db.inTransaction) waitForDisk(true);
      exec(sql);
      files.remember();
      sync.close();
      return db;
    },
    insistOnKeeping() {
      const { blocks, bavail, bsize } = statfsSync(dirname(path));
      // Some file systems do not report the number of blocks.
      if (blocks > 0 && bavail * bsize < room)
        throw Object.assign(new Error('less than 1 MB is left on the disk'), { code: 'SQLITE_FULL' });
      if (failed) fill(room);
      fill(0);
    },
  });
}

/** Throws if the database has tables but not the first of ours. */
function insistOnOwn(driver: Database.Database, tables: string): void {
  const [, first] = /create table if not exists (\w+)/.exec(tables) ?? [];
  const found = driver.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[]; // its column
  const names = found.map(({ name }) => name).filter((name) => name !== 'probe' && !name.startsWith('sqlite_'));
  if (first === undefined || names.length === 0 || names.includes(first)) return;
  driver.close();
  throw Object.assign(new Error('tables of something else'), { code: otherTables });
}

/**
 * Opens an SQLite file; creates its folder and tables if missing, then runs `upgrade`, which adds what files of earlier
 * versions lack. Throws DatabaseError.
 */
export function openDatabase(path: string, tables: string, upgrade: (db: Db) => void = () => undefined): Db {
  try {
    makeFolder(dirname(path));
    const driver = new Database(addressOf(path));
    driver.exec(`pragma busy_timeout = ${patience}`);
    insistOnOwn(driver, tables);
    driver.exec(`pragma journal_mode = wal; ${probeTable} ${tables}`);
    const db = careful(driver, path);
    const { quick_check: found } = db.prepare('pragma quick_check(1)').get() as { quick_check: string }; // its column
    if (found !== 'ok') throw Object.assign(new Error(found), { code: 'SQLITE_CORRUPT' });
    upgrade(db);
    db.exec(`pragma busy_timeout = ${shortPatience}`);
    return db;
  } catch (error) {
    throw new DatabaseError(path, error);
  }
}
