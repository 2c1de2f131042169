import { statSync } from 'node:fs';
import { sizeOf, walOf } from './sqliteFiles.ts';

/**
 * Thrown if the SQLite file or its write-ahead log is no longer the one that was opened. The code is one of SQLite's.
 */
class MovedError extends Error {
  readonly code = 'SQLITE_READONLY_DBMOVED';

  constructor(path: string) {
    super(`${path} was removed, replaced or cut short while it was in use`);
    this.name = 'MovedError';
  }
}

export interface FileIdentity {
  /** Stores the current state of the files for later comparison. */
  remember(): void;
  /** Throws if a file has been removed, replaced or truncated: writes to it would be lost. */
  check(): void;
  /** The size of the write-ahead log in bytes. */
  logSize(): number;
}

/**
 * Compares an open SQLite file and its write-ahead log with those that were opened, because the driver continues to write
 * to a file that has been removed.
 */
export function fileIdentity(path: string): FileIdentity {
  const log = walOf(path);
  const files = [path, log];
  const known = new Map<string, { ino: bigint; dev: bigint; size: bigint }>();
  const statOf = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false });

  return {
    logSize: () => sizeOf(log),
    remember() {
      for (const file of files) {
        const stats = statOf(file);
        if (stats) known.set(file, stats);
      }
    },
    check() {
      for (const file of files) {
        const [before, now] = [known.get(file), statOf(file)];
        if (before && (now?.ino !== before.ino || now.dev !== before.dev || now.size < before.size))
          throw new MovedError(file);
        if (now) known.set(file, now);
      }
    },
  };
}
