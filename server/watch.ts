import { realpathSync, statSync } from 'node:fs';

/** The SQLite file or its write-ahead log is no longer the one opened. The code is SQLite's own. */
class MovedError extends Error {
  readonly code = 'SQLITE_READONLY_DBMOVED';

  constructor(path: string) {
    super(`${path} was removed, replaced or cut short while it was in use`);
    this.name = 'MovedError';
  }
}

interface Watch {
  /** Remembers the present state of the files. */
  remember(): void;
  /** Throws if a file is gone, replaced or shorter than before: writes to it would be lost. */
  look(): void;
}

/** Watches an open SQLite file and its write-ahead log. The driver goes on writing to a file that has been removed. */
export function watch(path: string): Watch {
  const files = [path, `${realpathSync(path)}-wal`];
  const known = new Map<string, { ino: bigint; dev: bigint; size: bigint }>();
  const statOf = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false });

  return {
    remember() {
      for (const file of files) {
        const stats = statOf(file);
        if (stats) known.set(file, stats);
      }
    },
    look() {
      for (const file of files) {
        const [before, now] = [known.get(file), statOf(file)];
        if (before && (now?.ino !== before.ino || now.dev !== before.dev || now.size < before.size))
          throw new MovedError(file);
        if (now) known.set(file, now);
      }
    },
  };
}
