import { setTimeout as wait } from 'node:timers/promises';
import { createKeyedMutex } from '#server/concurrency.ts';
import type { Session } from './postgresSession.ts';

/** Time (ms) between attempts to take a lock that another server holds. */
const retryDelay = 50;

/** Locks by name, which all servers of a database share. They end with the server that holds them. */
export interface Locks {
  /**
   * Takes a lock if nobody holds it, in this process or another. Resolves with a function that releases it, which never
   * rejects, or with undefined.
   */
  tryLock: (name: string) => Promise<(() => Promise<void>) | undefined>;
  /**
   * Runs a function that may make requests, while nobody else runs one under this name. Throws within a transaction,
   * which would keep everybody else waiting for the lock: take the lock first.
   */
  withLock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
}

/** `session` is that of PostgreSQL; without it, one process at a time uses the database. */
export function createLocks(session: Session | undefined, isInTransaction: () => boolean): Locks {
  const inTurn = createKeyedMutex();
  const held = new Set<string>();

  async function tryLock(name: string): Promise<(() => Promise<void>) | undefined> {
    if (held.has(name)) return undefined;
    held.add(name);
    let isTaken = false;
    try {
      isTaken = !session || (await session.tryLock(name));
    } finally {
      if (!isTaken) held.delete(name);
    }
    if (!isTaken) return undefined;
    return async () => {
      await session?.unlock(name);
      held.delete(name);
    };
  }

  async function lock(name: string): Promise<() => Promise<void>> {
    for (;;) {
      const release = await tryLock(name);
      if (release) return release;
      await wait(retryDelay);
    }
  }

  return {
    tryLock,
    async withLock(name, run) {
      if (isInTransaction()) throw new Error(`the lock "${name}" cannot be taken within a transaction`);
      return inTurn(name, async () => {
        const release = await lock(name);
        try {
          return await run();
        } finally {
          await release();
        }
      });
    },
  };
}
