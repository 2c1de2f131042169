import type { WalSync } from './walSync.ts';

interface Waiting {
  write: () => void;
  done: () => void;
  failed: (error: unknown) => void;
}

interface Parts {
  /**
   * Runs writes in one transaction; waits for the disk if `isKept`. Throws if it fails; all writes are then rolled
   * back.
   */
  commit: (writes: () => void, isKept: boolean) => void;
  sync: WalSync;
  /** Called after each sync, with its error if it failed. Throws if the writes are lost. */
  synced: (error: unknown) => void;
}

/** Maximum number of turns of the event loop during which writes are collected. */
const mostTurns = 8;

/**
 * Group commit: runs writes in shared transactions and confirms them once they are on the disk. Does not block: writes
 * that are added during a sync share the next transaction, which begins when the sync ends.
 */
export function createTogether({ commit, sync, synced }: Parts) {
  let waiting: Waiting[] = [];
  /** Writes that are committed but not yet confirmed. */
  let committed: readonly Waiting[] | undefined;

  /** Commits the waiting writes and returns them; returns [] if the commit fails. */
  function commitAll(isKept: boolean): readonly Waiting[] {
    const all = waiting;
    waiting = [];
    try {
      if (all.length > 0)
        commit(() => {
          for (const { write } of all) write();
        }, isKept);
      return all;
    } catch (error) {
      for (const { failed } of all) failed(error);
      return [];
    }
  }

  function confirm(error: unknown): void {
    const all = committed ?? [];
    committed = undefined;
    try {
      synced(error);
      for (const { done } of all) done();
    } catch (reason) {
      for (const { failed } of all) failed(reason);
    }
  }

  /** Commits as soon as a turn of the event loop adds no more writes. */
  function writeSoon(turn = 1, seen = waiting.length): void {
    setImmediate(() => {
      if (turn === mostTurns || (turn > 1 && waiting.length === seen)) write();
      else writeSoon(turn + 1, waiting.length);
    });
  }

  function write(): void {
    const all = commitAll(false);
    if (all.length === 0) return;
    committed = all;
    sync.begin((error) => {
      // If the file was closed meanwhile, they are already confirmed.
      if (committed === all) confirm(error);
      if (waiting.length > 0) writeSoon();
    });
  }

  return {
    add: (each: () => void) =>
      new Promise<void>((done, failed) => {
        if (waiting.push({ write: each, done, failed }) === 1 && !committed) writeSoon();
      }),
    /** Commits and confirms everything synchronously. */
    finish(): void {
      if (committed) confirm(sync.now());
      for (const { done } of commitAll(true)) done();
      sync.close();
    },
  };
}
