import type { WalSync } from './walSync.ts';

interface Waiting {
  write: () => void;
  done: () => void;
  failed: (error: unknown) => void;
}

interface Parts {
  /** Runs writes in one transaction, which waits for the disk if `isKept`. Throws if it fails; then none is kept. */
  commit: (writes: () => void, isKept: boolean) => void;
  sync: WalSync;
  /** Called after each sync with its error, if it failed. Throws if what was written is lost. */
  synced: (error: unknown) => void;
}

/** Maximum number of turns of the event loop for which writes are gathered. */
const mostTurns = 8;

/**
 * Runs writes in transactions that they share, and confirms them once they are on the disk. The thread does not wait for
 * it: what is passed while it is under way is written when it ends, in one transaction, and shares the next.
 */
export function createTogether({ commit, sync, synced }: Parts) {
  let waiting: Waiting[] = [];
  /** Those that were committed and are not confirmed yet. */
  let committed: readonly Waiting[] | undefined;

  /** Commits what waits; returns it, or nothing if that fails. */
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

  /** Writes as soon as a turn of the event loop brings no more. */
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
      // They were confirmed already if the file was closed meanwhile.
      if (committed === all) confirm(error);
      if (waiting.length > 0) writeSoon();
    });
  }

  return {
    add: (each: () => void) =>
      new Promise<void>((done, failed) => {
        if (waiting.push({ write: each, done, failed }) === 1 && !committed) writeSoon();
      }),
    /** Writes and confirms everything while the thread waits. */
    finish(): void {
      if (committed) confirm(sync.now());
      for (const { done } of commitAll(true)) done();
      sync.close();
    },
  };
}
