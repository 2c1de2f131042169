import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { followingClock } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Engine } from './engine.ts';
import { faultOf, isSharedUrl } from './databaseUrl.ts';
import { DatabaseError, ownCodes, refuseLoss } from './errors.ts';
import type { AcceptLoss } from './errors.ts';
import { createLocks } from './locks.ts';
import type { Locks } from './locks.ts';
import { migrate } from './migrate.ts';
import type { Program, Schema } from './migrate.ts';
import { createNotifications } from './notifications.ts';
import type { Notification } from './notifications.ts';
import { openPostgres } from './postgres.ts';
import type { Connections } from './postgres.ts';
import { channel, openSession } from './postgresSession.ts';
import { minimumSpace, openSqlite } from './sqlite.ts';
import type { OnStatement } from './statements.ts';
import { createTransactions } from './transaction.ts';
import type { Transactions } from './transaction.ts';

interface Described {
  /** For display: a file's path, or a server's host, port and database. */
  name: string;
  /** Whether several servers may use it at a time. */
  isShared: boolean;
  /** Whether it has PostgreSQL's dialect of SQL, otherwise SQLite's. */
  isPostgres: boolean;
}

/** A database with the tables of one program, on either engine. */
export interface Database<Tables> extends Transactions<Tables>, Locks, Described {
  /** The clock that all servers have in common. */
  clock: Clock;
  /**
   * Sends a message to the subscribers of a topic on all servers; within a transaction, after its commit. Outside one it
   * never rejects.
   */
  publish: (topic: string, id: string) => Promise<void>;
  /** Calls `onMessage` with each message of a topic. Returns a function that unsubscribes. */
  subscribe: (topic: string, onMessage: (message: Notification) => void) => () => void;
  /** Runs one statement that writes what may be lost with the power: an SQLite file does not wait for its disk. */
  writeUnsynced: Transactions<Tables>['write'];
  /** Rejects with the error with which a write would fail now. */
  assertWritable: () => Promise<void>;
  /** Whether all servers that run on the database have a trait. */
  haveAll: (trait: string) => Promise<boolean>;
  /** The connections of this process; undefined for a file, which has one. */
  connections: () => Connections | undefined;
  /** Rewrites an SQLite file, so that it holds no old values. Not within a transaction. */
  vacuum: () => void;
  close: () => Promise<void>;
}

export interface DatabaseOptions<Tables> extends Schema {
  /** `file:` and the path of an SQLite file, which only one process may use at a time; or `postgres:` and a database. */
  url: string;
  program: Program;
  /** This machine's clock. */
  clock: Clock;
  onError: (error: unknown) => void;
  /** Absent if nothing is measured. */
  onStatement?: OnStatement | undefined;
  /** What reaches an SQLite database; by default the driver. */
  engine?: Engine | undefined;
  /** Whether no server may run on the database meanwhile; otherwise the caller counts as one. */
  isExclusive?: boolean;
  /** Called in the transaction that makes the tables of a new database; may write into them, or throw. */
  onCreated?: ((write: Transactions<Tables>['write'], name: string) => Promise<void>) | undefined;
  /** By default no loss is accepted. */
  acceptLoss?: AcceptLoss | undefined;
  /** Traits of this server that others can ask for, such as the keys that it knows. */
  traits?: readonly string[];
}

/**
 * Opens a database and creates or updates its tables; one program at a time does so. Rejects with DatabaseError if that
 * fails.
 */
export const openDatabase = <Tables>(options: DatabaseOptions<Tables>): Promise<Database<Tables>> =>
  isSharedUrl(options.url) ? openShared(options) : openFile(options);

/** For the module's own tables, which are in every database. */
const untyped = <Tables>(db: Kysely<Tables>) => db as unknown as Kysely<unknown>; // they are not among `Tables`

const setUp = <Tables>(
  { transaction, write }: Transactions<Tables>,
  name: string,
  { program, onCreated, ...options }: DatabaseOptions<Tables>,
): Promise<void> =>
  transaction('schema', async () => {
    const isNew = await write((db) => migrate(untyped(db), name, program, options));
    if (isNew) await onCreated?.(write, name);
  });

/** Writes this many bytes into the table for test writes. */
const fill = <Tables>({ write }: Transactions<Tables>, bytes: number): Promise<unknown> =>
  write((db) =>
    sql`insert into probe (id, filler) values (1, ${' '.repeat(bytes)})
      on conflict (id) do update set filler = excluded.filler`.execute(db),
  );

async function openFile<Tables>(options: DatabaseOptions<Tables>): Promise<Database<Tables>> {
  const { url, clock, onError, engine } = options;
  const peers = engine?.peers;
  const name = url.slice('file:'.length);
  if (!url.startsWith('file:') || name === '')
    throw new DatabaseError('the database', ownCodes.unfit, 'give file: and a path, or a PostgreSQL database');
  const { db, connection, selectNow, explain, assertSpace } = openSqlite<Tables>(
    name,
    options.acceptLoss ?? refuseLoss,
    options.onStatement,
    engine,
  );
  const transactions = createTransactions(db, clock, false, explain, selectNow);
  const notifications = createNotifications(peers?.server ?? '', onError);
  peers?.listen(
    (payload) => notifications.receive(payload),
    () => notifications.deliverGap(),
  );
  try {
    await setUp(transactions, name, options);
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    ...transactions,
    ...createLocks(name, clock, transactions.isInTransaction, peers?.session),
    name,
    isShared: peers !== undefined,
    isPostgres: false,
    clock,
    subscribe: (topic, onMessage) => notifications.subscribe(topic, onMessage),
    async writeUnsynced(statement) {
      if (transactions.isInTransaction()) return transactions.write(statement);
      try {
        // The file has one connection, which is this statement's as long as it runs.
        return await db.connection().execute(async (own) => {
          connection.waitForDisk(false);
          return statement(own).finally(() => connection.waitForDisk(true));
        });
      } catch (error) {
        throw explain(error);
      }
    },
    publish: (topic, id) =>
      transactions.afterCommit(() => {
        notifications.deliver(topic, id);
        peers?.send(notifications.payloadOf(topic, id));
      }),
    async assertWritable() {
      assertSpace();
      // After a full disk a small write may succeed where the next request fails.
      if (connection.hasFailed) await fill(transactions, minimumSpace);
      await fill(transactions, 0);
    },
    haveAll: () => Promise.resolve(true), // there is only this one, or peers with its configuration
    connections: () => undefined,
    vacuum: () => connection.vacuum(),
    async close() {
      await db.destroy();
      connection.close();
    },
  };
}

/** The lock that each running server shares. */
const running = 'running';
/** The lock that each running server with a trait shares. */
const traitLock = (trait: string): string => `trait ${trait}`;

async function openShared<Tables>(options: DatabaseOptions<Tables>): Promise<Database<Tables>> {
  const { url, clock: ofMachine, onError, isExclusive = false, traits = [] } = options;
  const fault = faultOf(url);
  if (fault !== undefined) throw new DatabaseError('the database', ownCodes.unfit, fault);
  const clock = followingClock(ofMachine);
  // A statement whose answer was lost may have succeeded, but its messages reach other servers only.
  const postgres = openPostgres<Tables>(url, onError, () => notifications.deliverGap(), options.onStatement);
  const { db, name, server } = postgres;
  const notifications = createNotifications(server, onError);
  const transactions = createTransactions(db, clock, true, (error) => error);

  async function begin() {
    await transactions.read(() => postgres.assertFit());
    const session = await openSession({
      url,
      postgres,
      clock: ofMachine,
      onError,
      onOffset: (offset) => clock.follow(offset),
      onNotification: (payload) => notifications.receive(payload),
      onGap: () => notifications.deliverGap(),
    });
    try {
      for (const trait of traits) await session.tryShare(traitLock(trait));
      const isFree = await (isExclusive ? session.tryLock(running) : session.tryShare(running));
      if (!isFree)
        throw new DatabaseError(
          name,
          ownCodes.unfit,
          isExclusive
            ? 'a server runs on it, stop it first'
            : 'a store is being copied into it, wait until that is done',
        );
      await setUp(transactions, name, options);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }
  const session = await begin().catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });

  const send = (topic: string, id: string) =>
    transactions.write((on) => sql`select pg_notify(${channel}, ${notifications.payloadOf(topic, id)})`.execute(on));
  let closing: Promise<void> | undefined;
  return {
    ...transactions,
    ...createLocks(name, clock, transactions.isInTransaction, session),
    name,
    isShared: true,
    isPostgres: true,
    clock,
    subscribe: (topic, onMessage) => notifications.subscribe(topic, onMessage),
    writeUnsynced: transactions.write,
    async publish(topic, id) {
      await transactions.afterCommit(() => notifications.deliver(topic, id));
      if (transactions.isInTransaction()) await send(topic, id);
      else await send(topic, id).catch(onError);
    },
    async assertWritable() {
      await fill(transactions, 0);
    },
    haveAll: async (trait) => (await session.sharers(traitLock(trait))) >= (await session.sharers(running)),
    connections: () => postgres.connections(),
    vacuum: () => undefined, // PostgreSQL does so by itself
    close() {
      closing ??= session.close().then(() => db.destroy());
      return closing;
    },
  };
}
