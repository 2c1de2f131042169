import { chmodSync, closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { DatabaseError, ownCodes, sqliteError } from './errors.ts';
import { statsOf } from './folder.ts';

/** The write-ahead log of an SQLite file. It is beside the file itself, not beside a link to it. */
const walOf = (path: string): string => `${realpathSync(path)}-wal`;

/** Whether a file is missing or empty. */
export function isMissing(path: string): boolean {
  const stats = statsOf(path);
  return !stats || (stats.isFile() && stats.size === 0);
}

/** The size of a file in bytes; 0 if it is missing or no file. */
function sizeOf(path: string): number {
  const stats = statsOf(path);
  return stats?.isFile() ? stats.size : 0;
}

/**
 * Creates an SQLite file if it is missing, and makes it and the files beside it readable by their owner only; SQLite gives
 * new files beside it the same rights. Throws DatabaseError if this user may not change the rights.
 */
export function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  if (process.platform === 'win32') return; // it has no permission bits
  const file = realpathSync(path);
  for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    const stats = statsOf(each);
    if (!stats?.isFile() || (stats.mode & 0o077) === 0) continue;
    try {
      chmodSync(each, 0o600);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException; // of the file system
      if (code !== 'EROFS')
        throw new DatabaseError(each, code, 'other users can read it: have its owner run chmod 600 on it', error);
    }
  }
}

/** Places in the header of an SQLite file: https://sqlite.org/fileformat.html#the_database_header */
const [headerLength, formatAt, userVersionAt, walFormat] = [100, 18, 60, 2] as const;

/** The header of an SQLite file; undefined if the file is missing, empty or another one. */
function headerOf(path: string): Buffer | undefined {
  if (sizeOf(path) < headerLength) return undefined;
  const header = Buffer.alloc(headerLength);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, headerLength, 0);
  } finally {
    closeSync(file);
  }
  return header.toString('latin1').startsWith('SQLite format 3\0') ? header : undefined;
}

export const isSqliteFile = (path: string): boolean => headerOf(path) !== undefined;

/** Values of `pragma user_version`, see `isWalLost`. */
export const walMarks = { needed: 1, written: 0 } as const;

/**
 * Whether the write-ahead log of a closed file is missing, so that what was confirmed last is lost: it was removed or
 * emptied after its program was killed, or the file was copied without it. While a program runs, the mark "needed" is in
 * the file itself, and the log overwrites it with "written": the mark that remains when a log is applied to its file,
 * whoever does so, says that nothing is missing.
 */
export function isWalLost(path: string): boolean {
  const header = headerOf(path);
  if (header?.[formatAt] !== walFormat || sizeOf(walOf(path)) > 0) return false;
  return header.readUInt32BE(userVersionAt) === walMarks.needed;
}

/** Returns the error of a file whose write-ahead log is lost. */
export const walLost = (path: string): DatabaseError =>
  new DatabaseError(
    path,
    ownCodes.lost,
    `its write-ahead log ${walOf(path)} is missing, which holds what was stored last: put it back, or restore a backup`,
  );

/** An open SQLite file and its write-ahead log: the driver would go on writing to one that was removed. */
export interface OpenFiles {
  /**
   * Throws DatabaseError if one of them was removed, replaced or cut short: what is written to it would be lost. Returns the
   * size of the log in bytes.
   */
  check: () => number;
  /** Takes them as they are for those that `check` compares with. */
  remember: () => void;
}

export function openFiles(path: string): OpenFiles {
  const look = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false });
  const paths = [path, walOf(path)];
  let known = paths.map(look);
  return {
    check() {
      const now = paths.map(look);
      for (const [index, before] of known.entries()) {
        const after = now[index];
        if (before && (after?.ino !== before.ino || after.dev !== before.dev || after.size < before.size))
          throw sqliteError(
            path,
            Object.assign(new Error(`${paths[index]} is lost`), { code: 'SQLITE_READONLY_DBMOVED' }),
          );
      }
      known = now;
      return Number(now[1]?.size ?? 0);
    },
    remember() {
      known = paths.map(look);
    },
  };
}
