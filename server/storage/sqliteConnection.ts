import { setImmediate } from 'node:timers';
import { pathToFileURL } from 'node:url';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Database from 'libsql';
import { LRUCache } from 'lru-cache';
import { DatabaseError } from './errors.ts';
import { openFiles, walMarks } from './sqliteFiles.ts';
import type { OpenFiles } from './sqliteFiles.ts';

/** The path of a database in memory. */
export const inMemory = ':memory:';

/**
 * Size (bytes) from which the write-ahead log is applied to the file, so that it does not grow without limit. SQLite cuts
 * it to this size when it begins anew: otherwise each later commit would apply it.
 */
export const largeLog = 4 * 1024 * 1024;

/**
 * Returns the file's name for the driver, with a lock that excludes other processes: two processes would run the same
 * jobs twice. The lock applies to the file itself, whatever its path, and ends with the process. Windows has no such
 * lock.
 */
export const addressOf = (path: string): string =>
  path === inMemory || process.platform === 'win32' ? path : `${pathToFileURL(path).href}?vfs=unix-excl`;

/** Whether a file, or a database in memory, can be changed by this process alone. */
const isOwn = (path: string): boolean => addressOf(path) !== path || path === inMemory;

/** Matches what is no keyword of SQL: comments, texts and quoted names. */
const quotedParts = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]/g;

/**
 * Whether a statement changes nothing. A doubtful one counts as a write: that costs a lock, the opposite a confirmation of
 * what is not stored. The words of writes are looked for in the whole of `with`, which may end in one.
 */
function isRead(statement: string): boolean {
  const plain = statement.replaceAll(quotedParts, ' ').trim();
  if (/^(select|values|explain)\b/i.test(plain)) return true;
  if (/^with\b/i.test(plain)) return !/\b(insert|update|delete|replace\s+into)\b/i.test(plain);
  return /^pragma\b[^=(]*$/i.test(plain);
}

/**
 * The connection that Kysely uses. Every write locks the file before its statement runs: in this driver a prepared
 * statement that fails because of another lock (SQLITE_BUSY) stays active, and later writes are confirmed but never
 * committed. Also checks the file before each write, because writes to a removed file would appear to succeed.
 */
export class GuardedConnection implements SqliteDatabase {
  readonly #driver: Database.Database;
  readonly #path: string;
  readonly #files: OpenFiles | undefined;
  #isClosed = false;
  /** Whether a transaction has begun that has not written yet. */
  #hasNotWritten = false;
  /** The size (bytes) of the log before the latest write. */
  #logSize = 0;
  /** Whether the log is to be applied in the next turn, or with the next commit. */
  #isLogDue = false;
  /** Prepared statements by their text. The driver frees one, of about 10 kB, only when garbage is collected. */
  readonly #prepared = new LRUCache<string, SqliteStatement>({ max: 200 });
  /** Whether the latest write failed because the disk was full or broken. */
  hasFailed = false;

  constructor(driver: Database.Database, path: string) {
    this.#driver = driver;
    this.#path = path;
    this.#files = path === inMemory ? undefined : openFiles(path);
    this.#files?.remember();
  }

  prepare(statement: string): SqliteStatement {
    // The driver ends the process when a statement writes to a closed file.
    if (this.#isClosed) throw new DatabaseError(this.#path, 'SQLITE_MISUSE', 'it is closed');
    if (statement === 'begin') return this.#control(() => this.#beginSoon());
    if (statement === 'commit') return this.#control(() => this.#commit());
    if (statement === 'rollback') return this.#control(() => this.#rollBack());
    const known = this.#prepared.get(statement);
    if (known) return known;
    const prepared = this.#driver.prepare(statement);
    /** Runs the statement, and discards it if it fails, because it may stay active. */
    const attempt = <T>(run: () => T): T => {
      try {
        return run();
      } catch (error) {
        this.#prepared.delete(statement);
        throw error;
      }
    };
    const guard = isRead(statement) ? attempt : <T>(run: () => T) => this.#write(() => attempt(run));
    const guarded: SqliteStatement = {
      reader: prepared.reader,
      all: (values) => guard(() => prepared.all(values)),
      run: (values) => guard(() => prepared.run(values)),
      iterate: (values) => prepared.iterate(values),
    };
    this.#prepared.set(statement, guarded);
    return guarded;
  }

  #control(run: () => void): SqliteStatement {
    const control = () => {
      run();
      return { changes: 0, lastInsertRowid: 0 };
    };
    return { reader: false, run: control, all: () => [], iterate: () => [].values() };
  }

  /**
   * Begins a transaction, where nobody else can change the file with its first write: most only read what they would
   * write, and nothing runs between their statements that could change it.
   */
  #beginSoon(): void {
    if (isOwn(this.#path)) this.#hasNotWritten = true;
    else this.#begin();
  }

  #begin(): void {
    this.#hasNotWritten = false;
    this.#logSize = this.#files?.check() ?? 0;
    this.#driver.exec('begin immediate');
  }

  #commit(): void {
    if (this.#hasNotWritten) {
      this.#hasNotWritten = false;
      return;
    }
    this.#driver.exec('commit');
    this.hasFailed = false;
    this.#applyLargeLog();
  }

  /**
   * Applies a large log in a turn of its own, because together with a large commit it would block the process for long;
   * but with the next commit, if that comes first.
   */
  #applyLargeLog(): void {
    if (this.#logSize <= largeLog) return;
    if (this.#isLogDue) {
      this.#isLogDue = false;
      this.applyLog();
      return;
    }
    this.#isLogDue = true;
    setImmediate(() => {
      if (!this.#isLogDue || this.#isClosed || this.#driver.inTransaction) return;
      this.#isLogDue = false;
      try {
        this.#files?.check();
      } catch {
        return; // the next write reports it
      }
      this.applyLog();
    });
  }

  /**
   * Applies the write-ahead log to the file and begins the log anew, so that its loss will be noticed (`isWalLost`). If
   * this fails, what was committed is still in the log. Not within a transaction.
   */
  applyLog(): void {
    try {
      // The log is cut to what begins it: SQLite would keep its length, by which a large one is known.
      this.#driver.exec(
        `pragma user_version = ${walMarks.needed}; pragma wal_checkpoint(passive);
        pragma journal_size_limit = 0; pragma user_version = ${walMarks.written}; pragma journal_size_limit = -1`,
      );
    } catch (error) {
      this.#note(error);
    } finally {
      this.#files?.remember();
    }
  }

  #rollBack(): void {
    this.#hasNotWritten = false;
    // A full disk has already rolled back.
    if (this.#driver.inTransaction) this.#driver.exec('rollback');
  }

  #write<T>(run: () => T): T {
    if (this.#hasNotWritten) this.#noting(() => this.#begin());
    if (this.#driver.inTransaction) return this.#noting(run);
    try {
      this.#begin();
      const result = run();
      this.#commit();
      return result;
    } catch (error) {
      this.#noting(() => {
        this.#rollBack();
        throw error;
      });
      throw error;
    }
  }

  #note(error: unknown): void {
    if (/^SQLITE_(FULL|IOERR)/.test((error as NodeJS.ErrnoException).code ?? '')) this.hasFailed = true;
  }

  #noting<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  /** Whether each commit waits until it is on the disk. Not within a transaction. */
  waitForDisk(isWaiting: boolean): void {
    if (this.#isClosed) throw new DatabaseError(this.#path, 'SQLITE_MISUSE', 'it is closed');
    this.#driver.exec(`pragma synchronous = ${isWaiting ? 'full' : 'normal'}`);
  }

  /** Whether there are changes that are not committed, which only their transaction may see. */
  get hasUncommitted(): boolean {
    return !this.#isClosed && this.#driver.inTransaction;
  }

  /** Rewrites the file and empties its write-ahead log, so that neither holds old values. Not within a transaction. */
  vacuum(): void {
    this.#driver.exec('vacuum; pragma wal_checkpoint(truncate)');
    this.applyLog();
  }

  close(): void {
    this.#prepared.clear();
    if (!this.#isClosed) this.#end();
    this.#isClosed = true;
  }

  /** Writes everything into the file itself: the driver closes it only when its statements are garbage-collected. */
  #end(): void {
    try {
      this.#files?.check();
      this.#driver.exec('pragma wal_checkpoint(truncate)');
    } catch (error) {
      this.#note(error); // it is still in the log
    }
    this.#driver.close();
  }
}
