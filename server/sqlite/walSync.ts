import { close, fdatasync, fdatasyncSync, openSync } from 'node:fs';

/** An SQLite file's write-ahead log could not be written to the disk. The code is one of SQLite's. */
class SyncError extends Error {
  readonly code = 'SQLITE_IOERR_FSYNC';

  constructor(path: string, cause: unknown) {
    super(`${path} could not be written to the disk`, { cause });
    this.name = 'SyncError';
  }
}

/** Writes the write-ahead log to the disk: all that was committed before. One at a time. */
export interface WalSync {
  /** Calls `done` when it is on the disk, or with the error. Other work goes on meanwhile. */
  begin(done: (error: unknown) => void): void;
  /** The same, while the thread waits; returns the error, if it failed. */
  now(): unknown;
  /** Closes the log when nothing is under way; it is opened again when it is needed. */
  close(): void;
}

/**
 * `path` is that of the write-ahead log, which SQLite keeps as long as the file is open. Its locks are on the file itself:
 * closing another descriptor of the log ends none.
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
