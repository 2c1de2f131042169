import { randomUUID } from 'node:crypto';
import { pause } from '#server/clock.ts';
import type { Logger } from 'pino';
import type { Database } from '#server/storage/database.ts';
import { DatabaseError, ownCodes } from '#server/storage/errors.ts';
import type { Tables } from './schema.ts';

/** The lock that the working process holds. */
const lockName = 'worker';
/** Times (ms): to wait at the start for the previous process, between attempts, and between later checks. */
const [startTimeout, retryDelay, checkInterval] = [5000, 250, 2000];

/** This process as the one that works on a database. */
export interface Worker {
  /** Rejects with DatabaseError if another process works on the database; must be called in each transaction. */
  assertWorking: () => Promise<void>;
  /** Registers a function to call whenever another process may have changed the database. */
  onTakenBack: (run: () => void) => void;
  /** Lets another process take over. */
  close: () => Promise<void>;
}

/**
 * Makes this process the only one that works on a database which several can use: jobs, rules and clock are in memory.
 * The database's lock tells who may work; a row tells who does, so that a process which has lost its connection, and the
 * lock with it, writes nothing more. It takes both back when the other process has ended. Rejects with DatabaseError if
 * another process keeps the lock.
 */
export async function becomeWorker(database: Database<Tables>, log: Pick<Logger, 'warn'>): Promise<Worker> {
  const id = randomUUID();
  const { read, write, tryLock, clock } = database;
  const listeners: (() => void)[] = [];

  const until = clock.steady() + startTimeout;
  let release = await tryLock(lockName);
  if (!release) log.warn('another sandbox works on the database: waiting a few seconds for it to end');
  while (!release && clock.steady() < until) {
    await pause(clock, retryDelay);
    release = await tryLock(lockName);
  }
  if (!release)
    throw new DatabaseError(
      database.name,
      ownCodes.unfit,
      'another sandbox works on it, stop that one or give another database',
    );
  await takeOver();

  /** Waits for transactions of the previous process, and prevents new ones. */
  async function takeOver(): Promise<void> {
    await write((db) => db.updateTable('worker').set({ id }).execute());
  }

  const isWorking = async (): Promise<boolean> => {
    const found = await read((db) => db.selectFrom('worker').select('id').executeTakeFirst());
    return found?.id === id;
  };

  async function check(): Promise<void> {
    if (await isWorking()) return;
    await release?.();
    release = await tryLock(lockName);
    if (!release) return;
    await takeOver();
    for (const each of listeners) each();
  }

  let checking: Promise<void> = Promise.resolve();
  let isClosed = false;
  let timer = clock.setTimeout(checkSoon, checkInterval);
  function checkSoon(): void {
    checking = check()
      .catch((error: unknown) => log.warn({ err: error }, 'the sandbox cannot check its database'))
      .finally(() => {
        if (!isClosed) timer = clock.setTimeout(checkSoon, checkInterval);
      });
  }

  return {
    async assertWorking() {
      const found = await read((db) =>
        db.selectFrom('worker').select('id').where('id', '=', id).forShare().executeTakeFirst(),
      );
      if (!found) throw new DatabaseError(database.name, ownCodes.unfit, 'another sandbox works on it');
    },
    onTakenBack: (run) => void listeners.push(run),
    async close() {
      isClosed = true;
      clock.clearTimeout(timer);
      await checking;
      await release?.();
    },
  };
}
