import { close, fdatasync, fdatasyncSync, openSync } from 'node:fs';

/** Thrown if an SQLite file's write-ahead log could not be synced. The code is one of SQLite's. */
class SyncError extends Error {
  readonly code = 'SQLITE_IOERR_FSYNC';

  constructor(path: string, cause: unknown) {
    super(`${path} could not be written to the disk`, { cause });
    this.name = 'SyncError';
  }
}

/** Syncs the write-ahead log: everything committed so far is then on the disk. One sync at a time. */
export interface WalSync {
  /** Syncs in the background; calls `done` afterwards, with the error if it failed. */
  begin(done: (error: unknown) => void): void;
  /** Syncs and blocks; returns the error if it failed. */
  now(): unknown;
  /** Closes the log once no sync is running; it is reopened when needed. */
  close(): void;
}

/**
 * `path` is that of the write-ahead log, which SQLite keeps as long as the file is open. SQLite's locks are on the file
 * itself, so closing this descriptor of the log releases none.
 */
export function walSync(path: string): WalSync {
  let file: number | undefined;
  let [isUnderWay, isLeft] = [false, false];
  const opened = () => (file ??= openSync(path, 'r+'));

  function leave(): void {
    isLeft = isUnderWay;
    if (isUnderWay || file === undefined) return;
    close(file);
    file = undefined;
  }

  return {
    begin(done) {
      const ended = (error: unknown) => {
        isUnderWay = false;
        if (isLeft) leave();
        done(error ? new SyncError(path, error) : undefined);
      };
      try {
        fdatasync(opened(), ended);
        isUnderWay = true;
      } catch (error) {
        ended(error);
      }
    },
    now() {
      try {
        fdatasyncSync(opened());
        return undefined;
      } catch (error) {
        return new SyncError(path, error);
      }
    },
    close: leave,
  };
}
