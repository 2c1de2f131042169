import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { ClientConfig, CustomTypesConfig, PoolClient, PoolConfig, QueryResultRow } from 'pg';
import { createContext } from '#server/context.ts';
import { settingsOf, sharesOf } from './settings.ts';

/** Why a query failed: the code of PostgreSQL (SQLSTATE) or of Node's connection. */
export class PostgresError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException; // the driver throws only these
    super(`The database refused a query: ${message}`, { cause });
    this.name = 'PostgresError';
    // The driver gives no code where the connection ended.
    this.code = `POSTGRES_${code ?? 'ENDED'}`;
  }
}

/** Times (ms): to connect, for a connection if the database has none left, to wait for a lock, for an answer, and for the next query of a transaction. */
const patience = { connect: 5000, free: 2000, lock: 8000, answer: 10_000, idle: 10_000 } as const;
/**
 * How often a statement is repeated: a read after its connection was cut, unless that took longer than `soon` (ms) to be
 * found, after a pause (ms); a write that was undone.
 */
const [repeats, soon, pause] = [3, 1000, 200];

/** PostgreSQL's codes of having no connection left, and of two that wait for each other; by either nothing was done. */
const [noneLeft, deadlock] = ['POSTGRES_53300', 'POSTGRES_40P01'];

/** Whether the connection was cut or could not be made, by PostgreSQL's code or Node's. */
export const isCut = ({ code }: PostgresError): boolean => /^POSTGRES_(ENDED|08|57P0|E[A-Z]+$)/.test(code);

/** Runs a function of the driver; again for some time as long as the database has no connection left for it. */
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

/** One transaction: the connection that it has, whether it is over, and what is to be done once it is committed. */
interface Transaction {
  client: PoolClient;
  isOver: boolean;
  after: (() => void)[];
}

type Values = readonly unknown[];

/** PostgreSQL's number of the type of large integers, which are read as numbers: all of these stay far below 2^53. */
const int8 = 20;
const types: CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === int8 ? Number : (pg.types.getTypeParser(type, format) as (text: string) => unknown),
};

/**
 * Connections to a database, for statements on their own and for transactions. Rejects with PostgresError. Calls `cut` when
 * the answer to a statement was lost.
 */
export function createConnections(
  url: string,
  server: string,
  onError: (error: unknown) => void,
  cut: () => void = () => undefined,
) {
  // No statement reads so much that compiling it would pay, whatever the planner expects.
  const options = `-c console.server=${server} -c jit=off -c lock_timeout=${patience.lock} -c statement_timeout=${patience.answer} -c idle_in_transaction_session_timeout=${patience.idle} -c default_transaction_isolation=read\\ committed`;
  const opened = (max: number, more = '') => {
    const config: PoolConfig = {
      ...settingsOf(url, options + more),
      connectionTimeoutMillis: patience.connect,
      query_timeout: patience.answer + 2000, // it is the server that ends a query
      types,
      max,
    };
    const pool = new pg.Pool(config);
    // Of connections that nobody uses; others reject their queries. The driver's error holds the connection, with its
    // queries and secrets.
    pool.on('error', (error) => onError(new PostgresError(error)));
    // Of one that a transaction has: its next query is rejected.
    pool.on('connect', (client) => void client.on('error', () => undefined));
    return pool;
  };
  const shares = sharesOf(url);
  const pool = opened(shares.usual);
  /** For what may be lost if the machine of the database fails. */
  const relaxed = opened(shares.relaxed, ' -c synchronous_commit=off');
  const transactions = createContext<Transaction>();
  const current = () => {
    const transaction = transactions.get();
    return transaction?.isOver === false ? transaction : undefined;
  };

  /** Of transactions, those that are cut: nothing can be asked over them any more. */
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

  /** Statements are prepared once for each connection, under names made from their texts. */
  const names = new Map<string, string>();
  function nameOf(text: string): string {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  }

  /** The rows of a query that changes nothing; repeated if its connection was cut. */
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
   * Runs a statement that writes. On its own it is repeated if PostgreSQL has undone it for a transaction: that had written
   * to the namespace, whose version the statement was waiting for, and came to the statement's record.
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

  /** Runs a statement that writes; resolves with its rows once they are kept. */
  const write = <Row extends QueryResultRow>(text: string, ...values: Values) => writeOn<Row>(pool, text, values);

  /** The same, not kept if the machine of the database fails soon after. */
  const writeRelaxed = <Row extends QueryResultRow>(text: string, ...values: Values) =>
    writeOn<Row>(relaxed, text, values);

  /** Runs several statements at once, within `transaction`. */
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
   * Runs a function whose statements are one transaction, whichever of these functions they are passed to. If it
   * rejects, nothing is kept.
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
      // The answer to the commit of a transaction in which something failed is that it was rolled back.
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

  /** The driver's settings for a connection beside these. */
  const beside = (): ClientConfig => settingsOf(url, options);

  return { server, beside, rows, write, writeRelaxed, script, isInTransaction, afterwards, transaction, close };
}

export type Connections = ReturnType<typeof createConnections>;
