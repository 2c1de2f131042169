import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Driver, SqliteDatabase } from 'kysely';
import Database from 'libsql';
import type { Engine, Peers } from './engine.ts';
import { sqliteError } from './errors.ts';
import type { AcceptLoss } from './errors.ts';
import { makeFolder } from './folder.ts';
import { addressOf, GuardedConnection, inMemory, largeLog } from './sqliteConnection.ts';
import { isWalLost, makePrivate, walLost } from './sqliteFiles.ts';
import { logOf, reported } from './statements.ts';
import type { OnStatement } from './statements.ts';
import type { SelectNow } from './transaction.ts';

/** Time (ms) to wait at the start for the lock of the previous process. */
const startTimeout = 2000;
/** Time (ms) to wait later for another program's lock; the whole process is blocked meanwhile. */
const busyTimeout = 250;

/** Memory (KiB) for pages of the file, so that the indexes of a few 100,000 payments stay there while a batch is added. */
const pageCache = 16 * 1024;

/** Minimum free space on the disk in bytes. */
export const minimumSpace = 1024 * 1024;

/** Waits for its turn at the connection that it shares with other servers. */
class SharingDriver extends SqliteDriver {
  readonly #peers: Peers;
  #release = (): void => undefined;

  constructor(database: SqliteDatabase, peers: Peers) {
    super({ database });
    this.#peers = peers;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#release = await this.#peers.turn();
    return super.acquireConnection();
  }
  override releaseConnection(): Promise<void> {
    this.#release();
    return super.releaseConnection();
  }
}

/** SQLite can undo changes of its schema; Kysely's adapter says otherwise. */
class TransactionalDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  readonly #peers: Peers | undefined;

  constructor(database: SqliteDatabase, peers: Peers | undefined) {
    super({ database });
    this.#database = database;
    this.#peers = peers;
  }
  override createDriver(): Driver {
    return this.#peers ? new SharingDriver(this.#database, this.#peers) : super.createDriver();
  }
  override createAdapter(): SqliteAdapter {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl(): boolean {
        return true;
      }
    })();
  }
}

export interface SqliteFile<Tables> {
  db: Kysely<Tables>;
  connection: GuardedConnection;
  /** Absent where servers take turns at the connection. */
  selectNow: SelectNow | undefined;
  /** Returns the errors of driver and file system as DatabaseErrors, others unchanged. */
  explain: (error: unknown) => unknown;
  /** Throws if the disk is nearly full. */
  assertSpace: () => void;
}

/**
 * Opens an SQLite file, or a database in memory with the path `:memory:`; creates the file and its folder if missing.
 * What is committed is on the disk, unless `waitForDisk` says otherwise. Throws DatabaseError if the file cannot be opened, is locked by another process,
 * is no database or is damaged, or if its write-ahead log is lost and `acceptLoss` does not accept that.
 */
export function openSqlite<Tables>(
  path: string,
  acceptLoss: AcceptLoss,
  onStatement?: OnStatement,
  { openDriver, peers }: Engine = { openDriver: (address) => new Database(address) },
): SqliteFile<Tables> {
  let driver: Database.Database | undefined;
  try {
    if (path !== inMemory) makeFolder(dirname(path));
    if (path !== inMemory) makePrivate(path);
    // Asked before the driver makes a log.
    const isLost = path !== inMemory && isWalLost(path);
    driver = openDriver(addressOf(path));
    driver.exec(
      `pragma busy_timeout = ${startTimeout}; pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${largeLog}; pragma cache_size = -${pageCache}`,
    );
    const [check] = driver.prepare('pragma quick_check(1)').all([]) as { quick_check: string }[]; // the pragma's column
    if (check?.quick_check !== 'ok') throw Object.assign(new Error(check?.quick_check), { code: 'SQLITE_CORRUPT' });
    // A file that can only be read fails here, not at the first request.
    driver.exec(`begin immediate; rollback; pragma busy_timeout = ${busyTimeout}`);
    if (isLost) acceptLoss(walLost(path));
    const connection = new GuardedConnection(driver, path);
    connection.applyLog();
    return {
      db: new Kysely<Tables>({ dialect: new TransactionalDialect(connection, peers), ...logOf(onStatement) }),
      connection,
      selectNow: peers
        ? undefined
        : <Found>({ sql, parameters }: CompiledQuery<Found>, isOwn: boolean) =>
            !isOwn && connection.hasUncommitted
              ? undefined
              : reported(onStatement, () => connection.prepare(sql).all(parameters) as Found[]), // as compiled
      explain: (error) =>
        /^SQLITE_/.test((error as NodeJS.ErrnoException | undefined)?.code ?? '') ? sqliteError(path, error) : error,
      assertSpace() {
        if (path === inMemory) return;
        const { blocks, bavail, bsize } = statfsSync(dirname(path));
        // Some file systems do not report the number of blocks.
        if (blocks > 0 && bavail * bsize < minimumSpace)
          throw sqliteError(path, Object.assign(new Error('less than 1 MB is left'), { code: 'SQLITE_FULL' }));
      },
    };
  } catch (error) {
    driver?.close();
    throw sqliteError(path, error);
  }
}
