import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { CustomTypesConfig, PoolClient } from 'pg';
import { connectionSettings, displayUrl, poolSize } from './databaseUrl.ts';
import { DatabaseError, isConnectionLost, ownCodes, postgresError } from './errors.ts';
import { poolerReason } from './postgresErrors.ts';
import { logOf } from './statements.ts';
import type { OnStatement } from './statements.ts';

/**
 * Timeouts (ms): to connect, to get a connection if the database has none left, to get a lock, for an answer, and
 * between the queries of a transaction.
 */
export const timeouts = { connect: 5000, free: 2000, lock: 8000, answer: 10_000, idle: 10_000 } as const;

/** Pause (ms) before a connection is asked for again. */
const retryDelay = 200;

/** PostgreSQL's code for too many connections. */
const poolExhausted = 'POSTGRES_53300';

/** PostgreSQL's type number (OID) of bigint. Bigints are read as numbers: all of these stay far below 2^53. */
const int8 = 20;
const types: CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === int8 ? Number : (pg.types.getTypeParser(type, format) as (text: string) => unknown),
};

/** Runs a function of the driver; retries for a limited time while the database has no connection left. */
async function waitForConnection<T>(database: string, run: () => Promise<T>): Promise<T> {
  const until = performance.now() + timeouts.free;
  for (;;) {
    try {
      return await run();
    } catch (cause) {
      const error = postgresError(database, cause);
      if (error.code !== poolExhausted || performance.now() > until) throw error;
      await wait(retryDelay);
    }
  }
}

/** A connection of the pool, whose errors are DatabaseErrors. One that broke is not used again. */
function guarded(database: string, client: PoolClient, onCut: () => void): PostgresPoolClient {
  let isBroken = false;
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      return await client.query(text, [...values]);
    } catch (cause) {
      const error = postgresError(database, cause);
      if (isConnectionLost(error)) {
        isBroken = true;
        onCut();
      }
      throw error;
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'], // the other form is for cursors, which nobody uses
    release: () => client.release(isBroken),
  };
}

/** The lock of the transaction in which migrations run (database.ts) takes the place of Kysely's. */
class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new (class extends PostgresAdapter {
      override acquireMigrationLock(): Promise<void> {
        return Promise.resolve();
      }
      override releaseMigrationLock(): Promise<void> {
        return Promise.resolve();
      }
    })();
  }
}

export interface PostgresServer<Tables> {
  db: Kysely<Tables>;
  /** Host, port and database, for display. */
  name: string;
  /** This process, as long as it runs. */
  server: string;
  /** The options of each connection. */
  options: string;
  /** Rejects with DatabaseError if the database cannot hold a store. */
  assertFit: () => Promise<void>;
  connections: () => Connections;
}

/** The connections of this process to the database, and the requests that wait for one. */
export interface Connections {
  used: number;
  idle: number;
  waiting: number;
}

/**
 * Connects to PostgreSQL when the first query is run. Calls `onCut` when the answer to a statement was lost. Queries
 * reject with DatabaseError.
 */
export function openPostgres<Tables>(
  url: string,
  onError: (error: unknown) => void,
  onCut: () => void,
  onStatement?: OnStatement,
): PostgresServer<Tables> {
  const name = displayUrl(url);
  const server = randomUUID();
  // No statement reads enough rows for JIT compilation to pay, whatever the planner expects.
  const options = [
    `console.server=${server}`,
    'jit=off',
    `lock_timeout=${timeouts.lock}`,
    `statement_timeout=${timeouts.answer}`,
    `idle_in_transaction_session_timeout=${timeouts.idle}`,
    'default_transaction_isolation=read\\ committed',
  ]
    .map((option) => `-c ${option}`)
    .join(' ');
  const pool = new pg.Pool({
    ...connectionSettings(url, options),
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.answer + 2000, // the server ends a slow query first
    types,
    max: poolSize(url),
  });
  // Errors of idle connections; those in use reject their queries. The driver's error holds the connection, with its
  // queries and secrets, so it is not passed on.
  pool.on('error', ({ message, ...error }) => onError(postgresError(name, { message, code: codeOf(error) })));
  const open = new Map<PoolClient, Promise<void>>();
  pool.on('connect', (client) => {
    // An error of a connection in use rejects its next query; without this listener it would end the process.
    client.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => client.once('end', resolve));
    open.set(
      client,
      closed.then(() => void open.delete(client)),
    );
  });
  const guardedPool: PostgresPool = {
    options: {},
    connect: async () => guarded(name, await waitForConnection(name, () => pool.connect()), onCut),
    async end() {
      // The pool itself does not wait until its connections are closed, which would then report the end of the database.
      await pool.end();
      await Promise.race([Promise.all(open.values()), wait(timeouts.connect, undefined, { ref: false })]);
    },
  };
  const db = new Kysely<Tables>({ dialect: new Dialect({ pool: guardedPool }), ...logOf(onStatement) });

  return {
    db,
    name,
    server,
    options,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async assertFit() {
      const { rows } = await sql<{ server: string | null; encoding: string }>`
        select current_setting('console.server', true) as server, current_setting('server_encoding') as encoding
      `.execute(db);
      if (rows[0]?.server !== server) throw new DatabaseError(name, ownCodes.unfit, poolerReason);
      // SQL_ASCII stores and returns bytes unchanged.
      if (!['UTF8', 'SQL_ASCII'].includes(rows[0].encoding))
        throw new DatabaseError(
          name,
          ownCodes.unfit,
          `its encoding is ${rows[0].encoding}, which has no sign for some letters: give one with UTF8`,
        );
    },
  };
}

const codeOf = (error: object): string | undefined => (error as NodeJS.ErrnoException).code;
