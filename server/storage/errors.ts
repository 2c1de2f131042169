import { postgresReason } from './postgresErrors.ts';

/** Codes of our own, beside those of SQLite (`SQLITE_BUSY`) and PostgreSQL (`POSTGRES_` and the SQLSTATE or Node's code). */
export const ownCodes = {
  /** The database holds tables of something else. */
  otherTables: 'OTHER_TABLES',
  /** A later version has changed the schema. */
  laterSchema: 'LATER_SCHEMA',
  /** The database lacks something that storage needs, or another server prevents the start. */
  unfit: 'UNFIT',
  /** The database lacks what was stored in it. */
  lost: 'LOST',
  /** A lock was lost with the session that had taken it. */
  lockLost: 'LOCK_LOST',
} as const;

/**
 * Thrown if a database cannot be opened, read or written. `database` is a file's path, or a server's host, port and
 * database without user and password. `why` is a sentence without its beginning and its full stop, and reveals no
 * secret.
 */
export class DatabaseError extends Error {
  readonly database: string;
  readonly code: string;
  readonly why: string;

  constructor(database: string, code: string, why: string, cause?: unknown) {
    super(`${database}: ${why}`, { cause });
    this.name = 'DatabaseError';
    this.database = database;
    this.code = code;
    this.why = why;
  }
}

/**
 * Called with what a database lacks of what was stored; throws the error unless the user accepts the loss, by the option
 * that the error then names.
 */
export type AcceptLoss = (loss: DatabaseError) => void;

/** Accepts no loss. */
export const refuseLoss: AcceptLoss = (loss) => {
  throw loss;
};

/** Thrown for an unreadable value: it was changed, moved or never encrypted, or its key is not configured. */
export class UnreadableError extends Error {
  /** The value's place, such as `creditors/workspace/company/id`. */
  readonly place: string;

  constructor(place: string, cause: unknown) {
    super(`The record ${place} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'UnreadableError';
    this.place = place;
  }
}

const sqliteReasons: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'another process is using it, stop that process or give another file'],
  [/^SQLITE_NOTADB/, 'it is not an SQLite database, move it away or give another file'],
  [/^SQLITE_CORRUPT/, 'it is damaged, restore it, or move it away to begin anew'],
  [/^SQLITE_FULL/, 'its disk is full, make room there or give another file'],
  [
    /^SQLITE_READONLY_DBMOVED/,
    'it was removed, replaced or cut short while it was in use, put it back and start again',
  ],
  [/^SQLITE_READONLY/, 'it can only be read, give a file that this user may write'],
];

/** Returns a driver's or the file system's error as a DatabaseError. */
export function sqliteError(path: string, cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  // The driver gives no code if it cannot open a file.
  const code = (cause as NodeJS.ErrnoException).code || 'SQLITE_CANTOPEN'; // the driver and node throw only these
  const known = sqliteReasons.find(([pattern]) => pattern.test(code))?.[1];
  return new DatabaseError(
    path,
    code,
    known ?? `it cannot be used (${code}), give a file that this user may write`,
    cause,
  );
}

/** Returns an error of the PostgreSQL driver as a DatabaseError. The driver gives no code if the connection ended. */
export function postgresError(database: string, cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const { code = 'ENDED', message } = cause as NodeJS.ErrnoException; // the driver throws only these
  return new DatabaseError(database, `POSTGRES_${code}`, postgresReason(code, message), cause);
}

/** Whether the connection to PostgreSQL broke or could not be made. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof DatabaseError && /^POSTGRES_(ENDED|08|57P0|E[A-Z]+$)/.test(error.code);

const lostStore = (name: string, why: string): DatabaseError => new DatabaseError(name, ownCodes.lost, why);

/** The error of a database without what was stored in it; `place` is where the store was used last, '' if that is not known. */
export function emptied(name: string, place = ''): DatabaseError {
  const [where, advice] = ['', name].includes(place) ? ['it', ''] : [place, 'give that one, or '];
  return lostStore(name, `it holds no store, although one was kept in ${where}: ${advice}restore a backup`);
}

/** The error of a database at the place of another one. */
export const replaced = (name: string): DatabaseError =>
  lostStore(name, 'it is not the store that this console used last: put that one back, or restore a backup of it');

/** The error of a file that is out of date since it was copied. */
export const isCopied = (name: string, to: string): DatabaseError =>
  lostStore(name, `it was copied to ${to}, which has what was stored since: give that database as STORE_URL`);
