import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { openDatabase } from '#server/storage/database.ts';
import { DatabaseError } from '#server/storage/errors.ts';
import type { AcceptLoss } from '#server/storage/errors.ts';
import type { Transactions } from '#server/storage/transaction.ts';
import { schema, type Tables } from './schema.ts';
import { becomeWorker } from './worker.ts';

/** Thrown if the sandbox's file or database cannot be opened. */
export class SandboxStoreError extends DatabaseError {}

/** The store of all applications. All functions reject with DatabaseError if the database fails. */
export interface SandboxStore extends Pick<Transactions<Tables>, 'read' | 'select' | 'write' | 'afterCommit'> {
  /**
   * Runs a function in a transaction, serialised with others of the application; if it rejects, its writes are rolled
   * back. A nested call joins the outer transaction. The function must not wait for anything but the store.
   */
  transaction: <T>(application: string, run: () => Promise<T>) => Promise<T>;
  /** Registers a function to call whenever another process may have changed the store. */
  onTakenBack: (run: () => void) => void;
  close: () => Promise<void>;
}

/**
 * Opens an SQLite file (`file:`) or a PostgreSQL database as the sandbox's store. Only one process may work on it at a
 * time. Rejects with SandboxStoreError if it cannot be used, or another process works on it.
 */
export async function openSandboxStore(
  url: string,
  { clock, log, acceptLoss }: { clock: Clock; log: Pick<Logger, 'warn'>; acceptLoss?: AcceptLoss | undefined },
): Promise<SandboxStore> {
  const onError = (error: unknown) => log.warn({ err: error }, 'a connection to the sandbox’s database failed');
  try {
    return await open();
  } catch (error) {
    throw error instanceof DatabaseError ? new SandboxStoreError(error.database, error.code, error.why, error) : error;
  }

  async function open(): Promise<SandboxStore> {
    const database = await openDatabase<Tables>({
      ...schema,
      url,
      program: 'sandbox',
      clock,
      onError,
      acceptLoss,
    });
    const { read, select, write, transaction, afterCommit, isShared } = database;
    // A file is locked against other processes.
    if (!isShared)
      return { read, select, write, transaction, afterCommit, onTakenBack: () => undefined, close: database.close };
    const worker = await becomeWorker(database, log).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    return {
      read,
      select,
      write,
      afterCommit,
      transaction: (application, run) =>
        transaction(application, async () => {
          await worker.assertWorking();
          return run();
        }),
      onTakenBack: worker.onTakenBack,
      async close() {
        await worker.close();
        await database.close();
      },
    };
  }
}
