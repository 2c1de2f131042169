import { createContext } from '#server/context.ts';
import { openDatabase } from '#server/sqlite/sqlite.ts';
import { addApplications, tables } from './sqliteTables.ts';
import { StoreFailure, type SandboxStore } from './store.ts';

/** A transaction: whether it has ended, and the callbacks to run after its commit. */
interface Transaction {
  isOver: boolean;
  after: (() => void)[];
}

/** Converts the database's errors to failures of the store; returns others unchanged. */
function explained(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException; // other errors have no code
  return code.startsWith('SQLITE_') ? new StoreFailure(message, error) : error;
}

/**
 * Opens an SQLite file as the sandbox's store; creates it if missing. Runs one transaction at a time, whatever its
 * turn. Throws DatabaseError.
 */
export function openSqliteStore(path: string): SandboxStore {
  const db = openDatabase(path, tables, addApplications);
  const transactions = createContext<Transaction>();
  const current = () => {
    const transaction = transactions.get();
    return transaction?.isOver === false ? transaction : undefined;
  };

  /** Resolves when all functions passed to `alone` have ended. */
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** Runs a function when the previous ones have ended. */
  async function alone<T>(run: () => T | Promise<T>): Promise<T> {
    waiting += 1;
    const next = last.then(run);
    last = next.catch(() => undefined);
    try {
      return await next;
    } catch (error) {
      throw explained(error);
    } finally {
      waiting -= 1;
    }
  }

  return {
    async rows<Row>(text: string, ...values: unknown[]) {
      const read = () => db.prepare(text).all(...values) as Row[]; // the statement's columns
      return current() === undefined && waiting > 0 ? alone(read) : read();
    },
    write<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
      const statement = db.prepare(text);
      if (/ returning /.test(text)) return Promise.resolve(statement.all(...values) as Row[]); // the statement's columns
      statement.run(...values);
      return Promise.resolve([]);
    },
    async transaction(_turn, run) {
      if (current()) return run();
      const transaction: Transaction = { isOver: false, after: [] };
      const result = await alone(() =>
        db.asOne(() =>
          transactions.run(transaction, run).finally(() => {
            transaction.isOver = true;
          }),
        ),
      );
      for (const each of transaction.after) each();
      return result;
    },
    afterCommit(run) {
      const transaction = current();
      if (transaction) transaction.after.push(run);
      else run();
    },
    // Never called: the file is locked against other processes.
    onReopened: () => undefined,
    async close() {
      await last;
      db.close();
    },
  };
}
