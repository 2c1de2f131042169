import { pause, type Clock } from '#server/clock.ts';
import { createKeyedMutex } from '#server/concurrency.ts';
import { DatabaseError, ownCodes } from './errors.ts';
import type { Session } from './postgresSession.ts';

/** Time (ms) between attempts to take a lock that another server holds. */
const retryDelay = 50;

/** Locks by name, which all servers of a database share. They end with the server that holds them. */
export interface Locks {
  /**
   * Takes a lock if nobody holds it, in this process or another. Resolves with a function that releases it, which never
   * rejects, or with undefined. Calls `onLost` if the database has ended the session that took the lock: others may have
   * held it since, even if this process holds it again.
   */
  tryLock: (name: string, onLost?: () => void) => Promise<(() => Promise<void>) | undefined>;
  /**
   * Runs a function that may make requests, while nobody else runs one under this name. `lost` is aborted, with a
   * DatabaseError, if others may have held the lock since: ask it before each step that must not be done twice. Throws
   * within a transaction, which would keep everybody else waiting for the lock: take the lock first.
   */
  withLock: <T>(name: string, run: (lost: AbortSignal) => Promise<T>) => Promise<T>;
}

const lockLost = (database: string, name: string): DatabaseError =>
  new DatabaseError(database, ownCodes.lockLost, `its session ended, and the lock "${name}" with it: try again`);

/**
 * Makes the locks of a database, which is named for display. `session` is that with the database; without it, one process at a
 * time uses the database.
 */
export function createLocks(
  database: string,
  clock: Clock,
  isInTransaction: () => boolean,
  session?: Pick<Session, 'tryLock' | 'unlock'>,
): Locks {
  const inTurn = createKeyedMutex();
  const held = new Set<string>();

  async function tryLock(name: string, onLost?: () => void): Promise<(() => Promise<void>) | undefined> {
    if (held.has(name)) return undefined;
    held.add(name);
    let isTaken = false;
    try {
      isTaken = !session || (await session.tryLock(name, onLost));
    } finally {
      if (!isTaken) held.delete(name);
    }
    if (!isTaken) return undefined;
    return async () => {
      await session?.unlock(name);
      held.delete(name);
    };
  }

  async function lock(name: string, onLost: () => void): Promise<() => Promise<void>> {
    for (;;) {
      const release = await tryLock(name, onLost);
      if (release) return release;
      await pause(clock, retryDelay);
    }
  }

  return {
    tryLock,
    async withLock(name, run) {
      if (isInTransaction()) throw new Error(`the lock "${name}" cannot be taken within a transaction`);
      return inTurn(name, async () => {
        const loss = new AbortController();
        const release = await lock(name, () => loss.abort(lockLost(database, name)));
        try {
          return await run(loss.signal);
        } finally {
          await release();
        }
      });
    },
  };
}
