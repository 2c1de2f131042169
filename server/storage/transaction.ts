import { channel } from 'node:diagnostics_channel';
import { clearImmediate, setImmediate } from 'node:timers';
import { sql } from 'kysely';
import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import { following, runWith } from '#server/asyncContext.ts';
import { pause, type Clock } from '#server/clock.ts';
import { createKeyedMutex, othersTurn } from '#server/concurrency.ts';
import { DatabaseError, isConnectionLost } from './errors.ts';
import type { Select } from './statements.ts';

/** Number of repeats of a statement or transaction that had no effect, and the pause (ms) before a read is repeated. */
const [maximumRetries, retryDelay] = [3, 200];
/** Time (ms) within which a broken connection must have been noticed for a read to be repeated. */
const failFastTime = 1000;

/** Time (ms) of a transaction on SQLite, which blocks the process, after which other work gets its turn before the next one. */
const longTransaction = 5;

/** PostgreSQL's codes for a serialisation failure and a deadlock: the transaction has had no effect. */
const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && /^POSTGRES_(40001|40P01)$/.test(error.code);

/** A transaction in progress. */
interface Running<Tables> {
  /** What it is serialised by. */
  lock: string;
  db: Transaction<Tables>;
  /** Whether it has ended, though work that it started may go on. */
  isOver: boolean;
  /** The first error of a statement: whatever becomes of it, the transaction is rolled back. */
  failure: unknown;
  afterCommit: (() => void | Promise<void>)[];
}

/** How statements reach a database. All functions reject with DatabaseError if the database fails. */
export interface Transactions<Tables> {
  /** Runs a query that changes nothing; repeats it if the connection broke. */
  read: <T>(query: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
  /** Reads by a select that is compiled once, with these values; from an SQLite file at once, unless a transaction of others has written. */
  select: <Values, Found>(query: Select<Tables, Values, Found>, values: Values) => Promise<Found[]>;
  /** Runs one statement that writes. */
  write: <T>(statement: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
  /**
   * Runs a function in a transaction: everything that the function reads and writes, by whatever function of storage,
   * belongs to it. Transactions of the same `lock` (a workspace) run one after the other, on all servers; on SQLite all
   * do. If the function rejects, or one of its statements failed, everything is rolled back. A nested call joins the
   * transaction; it throws if its lock is another one.
   *
   * The function must wait for nothing but the database, and have no other effects: it is run again after a deadlock.
   */
  transaction: <T>(lock: string, run: () => Promise<T>) => Promise<T>;
  isInTransaction: () => boolean;
  /** Serialises the current transaction by another lock too, until it ends. Throws if there is none. */
  alsoLock: (lock: string) => Promise<void>;
  /** Runs a function after the commit of the current transaction; now if there is none. It must not fail. */
  afterCommit: (run: () => void | Promise<void>) => Promise<void>;
}

/**
 * Publishes an Error, with the stack of its beginning, when a transaction on SQLite waits for anything but the database:
 * it holds the only connection, so that every read waits with it.
 */
export const waitingTransactions = channel('console.storage.waiting-transaction');

/** Reports a transaction that is open when the event loop turns. Returns a function that ends the watch. */
function watched(lock: string): () => void {
  if (!waitingTransactions.hasSubscribers) return () => undefined;
  const error = new Error(`a transaction of "${lock}" waits for something else than the database`);
  const turn = setImmediate(() => waitingTransactions.publish(error));
  return () => clearImmediate(turn);
}

/**
 * Runs a select at once, past those that wait for the connection; undefined where it has to wait too. `isOwn`: whether it
 * belongs to the transaction that has the connection.
 */
export type SelectNow = <Found>(query: CompiledQuery<Found>, isOwn: boolean) => Found[] | undefined;

/** `explain` returns the driver's errors as DatabaseErrors, others unchanged. Without `selectNow`, every select waits for a connection. */
export function createTransactions<Tables>(
  db: Kysely<Tables>,
  clock: Clock,
  isPostgres: boolean,
  explain: (error: unknown) => unknown,
  selectNow: SelectNow = () => undefined,
): Transactions<Tables> {
  const inTurn = createKeyedMutex();
  const current = (): Running<Tables> | undefined => {
    const running = following(db) as Running<Tables> | undefined; // given by `attempt`
    return running?.isOver === false ? running : undefined;
  };

  async function within<T>(running: Running<Tables>, query: (db: Kysely<Tables>) => T | Promise<T>): Promise<T> {
    try {
      return await query(running.db);
    } catch (error) {
      running.failure ??= explain(error);
      throw explain(error);
    }
  }

  async function read<T>(query: (db: Kysely<Tables>) => T | Promise<T>): Promise<T> {
    const running = current();
    if (running) return within(running, query);
    for (let retriesLeft = maximumRetries; ; retriesLeft -= 1) {
      const begun = performance.now();
      try {
        return await query(db);
      } catch (cause) {
        const error = explain(cause);
        if (retriesLeft === 0 || !isConnectionLost(error) || performance.now() - begun > failFastTime) throw error;
        await pause(clock, retryDelay);
      }
    }
  }

  async function write<T>(statement: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    const running = current();
    if (running) return within(running, statement);
    for (let retriesLeft = maximumRetries; ; retriesLeft -= 1) {
      try {
        return await statement(db);
      } catch (cause) {
        const error = explain(cause);
        if (retriesLeft === 0 || !isRetryable(error)) throw error;
      }
    }
  }

  function select<Values, Found>(query: Select<Tables, Values, Found>, values: Values): Promise<Found[]> {
    const compiled = query(db, values);
    return read((on) => selectNow(compiled, on !== db) ?? on.executeQuery<Found>(compiled).then(({ rows }) => rows));
  }

  async function lockUntilEnd(transaction: Transaction<Tables>, lock: string): Promise<void> {
    if (isPostgres)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`transaction ${lock}`}, 0))`.execute(transaction);
  }

  /**
   * Runs a transaction of SQLite, whose only connection it has. A long one is followed neither by those that wait nor by its
   * caller at once, and these go on in turns of their own.
   */
  async function alone<T>(execute: () => Promise<T>): Promise<T> {
    let isLong = false;
    try {
      return await inTurn('', async () => {
        const begun = performance.now();
        try {
          return await execute();
        } finally {
          isLong = performance.now() - begun > longTransaction;
          if (isLong) await othersTurn();
        }
      });
    } finally {
      if (isLong) await othersTurn();
    }
  }

  async function attempt<T>(lock: string, run: () => Promise<T>): Promise<T> {
    let running: Running<Tables> | undefined;
    const execute = () =>
      db.transaction().execute(async (transaction) => {
        const begun: Running<Tables> = {
          lock,
          db: transaction,
          isOver: false,
          failure: undefined,
          afterCommit: [],
        };
        running = begun;
        await lockUntilEnd(transaction, lock);
        // On PostgreSQL, each query waits for its answer.
        const endWatch = isPostgres ? () => undefined : watched(lock);
        // The function may throw before it returns a promise.
        const result = await runWith(db, begun, async () => run()).finally(() => {
          begun.isOver = true;
          endWatch();
        });
        // A failure that was caught must not be committed either.
        if (begun.failure !== undefined) throw begun.failure as Error; // of the driver
        return result;
      });
    try {
      const result = await (isPostgres ? execute() : alone(execute));
      for (const each of running?.afterCommit ?? []) await each();
      return result;
    } catch (error) {
      throw explain(running?.failure ?? error);
    }
  }

  async function repeated<T>(lock: string, run: () => Promise<T>): Promise<T> {
    for (let retriesLeft = maximumRetries; ; retriesLeft -= 1)
      try {
        return await attempt(lock, run);
      } catch (error) {
        if (retriesLeft === 0 || !isRetryable(error)) throw error;
      }
  }

  return {
    read,
    select,
    write,
    async transaction(lock, run) {
      const outer = current();
      if (outer && outer.lock !== lock)
        throw new Error(`a transaction of "${lock}" cannot be part of one of "${outer.lock}"`);
      if (outer) return run();
      // Those of this process wait here, without a connection of their own.
      return isPostgres ? inTurn(lock, () => repeated(lock, run)) : repeated(lock, run);
    },
    isInTransaction: () => current() !== undefined,
    async alsoLock(lock) {
      const running = current();
      if (!running) throw new Error(`only a transaction can be serialised by "${lock}"`);
      await within(running, () => lockUntilEnd(running.db, lock));
    },
    async afterCommit(run) {
      const running = current();
      if (running) running.afterCommit.push(run);
      else await run();
    },
  };
}
