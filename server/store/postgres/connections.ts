import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { ClientConfig, CustomTypesConfig, PoolClient, PoolConfig, QueryResultRow } from 'pg';
import { createContext } from '#server/context.ts';
import { settingsOf, sharesOf } from './settings.ts';

/** A failed query; `code` is that of PostgreSQL (SQLSTATE) or of Node's connection, after `POSTGRES_`. */
export class PostgresError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException; // the driver throws only these
    super(`The database refused a query: ${message}`, { cause });
    this.name = 'PostgresError';
    // The driver gives no code if the connection ended.
    this.code = `POSTGRES_${code ?? 'ENDED'}`;
  }
}

/**
 * Timeouts (ms): to connect, to get a connection if the database has none left, to get a lock, for an answer, and
 * between the queries of a transaction.
 */
const patience = { connect: 5000, free: 2000, lock: 8000, answer: 10_000, idle: 10_000 } as const;
/**
 * Retries of a statement; a read whose connection broke is retried only if that was noticed within `soon` (ms), after
 * `pause` (ms).
 */
const [repeats, soon, pause] = [3, 1000, 200];

/** PostgreSQL's codes for too many connections and for a deadlock. After either, the statement has had no effect. */
const [noneLeft, deadlock] = ['POSTGRES_53300', 'POSTGRES_40P01'];

/** Whether the connection broke or could not be made. */
export const isCut = ({ code }: PostgresError): boolean => /^POSTGRES_(ENDED|08|57P0|E[A-Z]+$)/.test(code);

/** Runs a function of the driver; retries for a limited time while the database has no connection left. */
async function whenFree<T>(run: () => Promise<T>): Promise<T> {
  const until = performance.now() + patience.free;
  for (;;) {
    try {
      return await run();
    } catch (cause) {
      const error = new PostgresError(cause);
      if (error.code !== noneLeft || performance.now() > until) throw error;
      await wait(pause);
    }
  }
}

/** A transaction: its connection, whether it has ended, and the callbacks to run after its commit. */
interface Transaction {
  client: PoolClient;
  isOver: boolean;
  after: (() => void)[];
}

type Values = readonly unknown[];

/** PostgreSQL's type number (OID) of bigint. Bigints are read as numbers: all of these stay far below 2^53. */
const int8 = 20;
const types: CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === int8 ? Number : (pg.types.getTypeParser(type, format) as (text: string) => unknown),
};

/**
 * Connections to a database, for single statements and for transactions. Functions reject with PostgresError. Calls
 * `cut` when the answer to a statement was lost.
 */
export function createConnections(
  url: string,
  server: string,
  onError: (error: unknown) => void,
  cut: () => void = () => undefined,
) {
  // No statement reads enough rows for JIT compilation to pay, whatever the planner expects.
  const options = `-c console.server=${server} -c jit=off -c lock_timeout=${patience.lock} -c statement_timeout=${patience.answer} -c idle_in_transaction_session_timeout=${patience.idle} -c default_transaction_isolation=read\\ committed`;
  const opened = (max: number, more = '') => {
    const config: PoolConfig = {
      ...settingsOf(url, options + more),
      connectionTimeoutMillis: patience.connect,
      query_timeout: patience.answer + 2000, // the server ends a slow query first
      types,
      max,
    };
    const pool = new pg.Pool(config);
    // Errors of idle connections; those in use reject their queries. The driver's error holds the connection, with its
    // queries and secrets, so it is not passed on.
    pool.on('error', (error) => onError(new PostgresError(error)));
    // An error of a checked-out connection rejects its next query; without this listener it would end the process.
    pool.on('connect', (client) => void client.on('error', () => undefined));
    return pool;
  };
  const shares = sharesOf(url);
  const pool = opened(shares.usual);
  /** For writes that may be lost if the database's machine fails. */
  const relaxed = opened(shares.relaxed, ' -c synchronous_commit=off');
  const transactions = createContext<Transaction>();
  const current = () => {
    const transaction = transactions.get();
    return transaction?.isOver === false ? transaction : undefined;
  };

  /** Clients of transactions whose connection broke; not even a rollback can be sent over them. */
  const broken = new WeakSet<Pick<PoolClient, 'query'>>();

  async function query<Row extends QueryResultRow>(on: Pick<PoolClient, 'query'>, text: string, values: Values) {
    try {
      return await whenFree(() => on.query<Row>({ text, values: [...values], name: nameOf(text) }));
    } catch (error) {
      if (error instanceof PostgresError && isCut(error)) {
        broken.add(on);
        cut();
      }
      throw error;
    }
  }

  /** Names of prepared statements, by their text; a connection prepares each statement once. */
  const names = new Map<string, string>();
  function nameOf(text: string): string {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  }

  /** Runs a query that changes nothing; resolves with its rows. Retries if the connection broke. */
  async function rows<Row extends QueryResultRow>(text: string, ...values: Values): Promise<Row[]> {
    const transaction = current();
    if (transaction) return (await query<Row>(transaction.client, text, values)).rows;
    for (let left = repeats; ; left -= 1) {
      const begun = performance.now();
      try {
        return (await query<Row>(pool, text, values)).rows;
      } catch (error) {
        const isSoon = performance.now() - begun < soon;
        if (left === 0 || !isSoon || !(error instanceof PostgresError) || !isCut(error)) throw error;
        await wait(pause);
      }
    }
  }

  /**
   * Runs a statement that writes; resolves with its rows. Outside a transaction, retries after a deadlock: a
   * transaction had locked the namespace's version, for which the statement waited, and then needed the statement's
   * record.
   */
  async function writeOn<Row extends QueryResultRow>(free: pg.Pool, text: string, values: Values): Promise<Row[]> {
    const transaction = current();
    if (transaction) return (await query<Row>(transaction.client, text, values)).rows;
    for (let left = repeats; ; left -= 1) {
      try {
        return (await query<Row>(free, text, values)).rows;
      } catch (error) {
        if (left === 0 || !(error instanceof PostgresError) || error.code !== deadlock) throw error;
      }
    }
  }

  /** Runs a statement that writes; resolves with its rows after the commit. */
  const write = <Row extends QueryResultRow>(text: string, ...values: Values) => writeOn<Row>(pool, text, values);

  /** The same, but the write may be lost if the database's machine fails soon after. */
  const writeRelaxed = <Row extends QueryResultRow>(text: string, ...values: Values) =>
    writeOn<Row>(relaxed, text, values);

  /** Runs several statements in one query, within `transaction`. */
  async function script(text: string): Promise<void> {
    await whenFree(() => (current()?.client ?? pool).query(text));
  }

  const isInTransaction = () => current() !== undefined;
  function afterwards(run: () => void): void {
    const transaction = current();
    if (transaction) transaction.after.push(run);
    else run();
  }

  /**
   * Runs a function in a transaction, which includes every call of the functions above made within it. If it rejects,
   * the transaction is rolled back.
   */
  async function transaction<T>(run: () => Promise<T>): Promise<T> {
    if (current()) return run();
    const client = await whenFree(() => pool.connect());
    const transaction: Transaction = { client, isOver: false, after: [] };
    let isBroken = false;
    try {
      await query(client, 'begin', []);
      const result = await transactions.run(transaction, run);
      transaction.isOver = true;
      // PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed.
      const { command } = await query(client, 'commit', []);
      if (command !== 'COMMIT') throw new PostgresError(new Error('a statement before had failed'));
      return result;
    } catch (error) {
      transaction.isOver = true;
      transaction.after = [];
      if (broken.has(client)) isBroken = true;
      else await client.query('rollback').catch(() => (isBroken = true));
      throw error;
    } finally {
      client.release(isBroken);
      for (const each of transaction.after) each();
    }
  }

  async function close(): Promise<void> {
    await Promise.all([pool.end(), relaxed.end()]);
  }

  /** Returns the driver's settings for a further connection. */
  const beside = (): ClientConfig => settingsOf(url, options);

  return { server, beside, rows, write, writeRelaxed, script, isInTransaction, afterwards, transaction, close };
}

export type Connections = ReturnType<typeof createConnections>;
