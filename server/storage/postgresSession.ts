import pg from 'pg';
import { pause, type Clock } from '#server/clock.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import { connectionSettings } from './databaseUrl.ts';
import { isConnectionLost, postgresError } from './errors.ts';
import type { DatabaseError } from './errors.ts';
import { timeouts } from './postgres.ts';
import type { PostgresServer } from './postgres.ts';

/** Pause (ms) before a broken connection is made again, and time between checks that it is alive. */
const [retryDelay, heartbeatInterval] = [500, 5000];

/**
 * With these, the database notices within half a minute that the server's machine is gone, and frees what its session
 * holds.
 */
const keepAlive = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
/** The database ends the session of a server that has been suspended for longer than this (ms). */
const maximumSilence = 15_000;

/** The channel of all notifications. */
export const channel = 'storage';

const hashed = 'hashtextextended($1, 0)';

interface SessionOptions {
  url: string;
  postgres: Pick<PostgresServer<unknown>, 'name' | 'options'>;
  /** This machine's. */
  clock: Clock;
  /** Called with the offset (ms) by which the database's clock is ahead of `clock`. */
  onOffset: (offset: number) => void;
  onNotification: (payload: string) => void;
  /** Called when notifications may have been lost. */
  onGap: () => void;
  onError: (error: unknown) => void;
}

/**
 * A server's session with PostgreSQL: a connection of its own, which holds its advisory locks and listens for
 * notifications. When it breaks, the holders of its locks learn that; it is made again and takes the locks again, unless
 * another server has taken them meanwhile. Rejects with DatabaseError.
 */
export async function openSession({ url, postgres, clock, onOffset, onNotification, onGap, onError }: SessionOptions) {
  /** The locks that nobody else may hold, each with what tells its holder that it was lost. */
  const exclusive = new Map<string, () => void>();
  const shared = new Set<string>();
  let client: pg.Client | undefined;
  const connecting = createSingleFlight<pg.Client>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const failed = (cause: unknown): DatabaseError => postgresError(postgres.name, cause);

  async function setUp(connection: pg.Client): Promise<void> {
    await connection.connect();
    await connection.query(`select set_config('idle_session_timeout', '${maximumSilence}', false)
      where current_setting('server_version_num')::integer >= 140000`);
    await connection.query(`listen ${channel}`);
    await readClock(connection);
    for (const name of shared) await connection.query(`select pg_advisory_lock_shared(${hashed})`, [name]);
  }

  /** Takes the locks again that are held, and gives back those that are released meanwhile. */
  async function retake(connection: pg.Client): Promise<void> {
    const taken = new Set<string>();
    for (const name of exclusive.keys()) {
      await connection.query(`select pg_try_advisory_lock(${hashed})`, [name]);
      taken.add(name);
    }
    for (;;) {
      const released = [...taken].find((name) => !exclusive.has(name));
      if (released === undefined) break;
      taken.delete(released);
      await connection.query(`select pg_advisory_unlock(${hashed})`, [released]);
    }
    // From here on, `unlock` gives them back.
    client = connection;
  }

  async function readClock(on: pg.Client): Promise<void> {
    const startedAt = clock.now();
    const { rows } = await on.query<{ now: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
    );
    onOffset(Math.round(rows[0]!.now - (startedAt + clock.now()) / 2)); // one row
  }

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({
      ...connectionSettings(url, `${postgres.options} ${keepAlive}`),
      connectionTimeoutMillis: timeouts.connect,
      query_timeout: timeouts.connect,
    });
    made.on('notification', ({ payload = '' }) => onNotification(payload));
    made.on('error', () => undefined); // its `end` follows
    made.once('end', () => onEnd(made));
    try {
      await setUp(made);
      await retake(made);
    } catch (cause) {
      await made.end().catch(() => undefined);
      throw failed(cause);
    }
    timer = setInterval(() => void readClock(made).catch(() => made.end().catch(() => undefined)), heartbeatInterval);
    return made;
  }

  /** Returns the connection; makes it if it has broken. */
  const connected = async (): Promise<pg.Client> => client ?? connecting.run('', connect);

  function onEnd(ended: pg.Client): void {
    if (ended !== client) return;
    clearInterval(timer);
    client = undefined;
    if (isClosed) return;
    // Whoever has taken one since may have released it again, so that taking it again proves nothing.
    for (const onLost of exclusive.values()) onLost();
    void reconnect();
  }

  async function reconnect(): Promise<void> {
    onGap();
    while (!isClosed && !client) {
      await connected().catch(onError);
      if (!client) await pause(clock, retryDelay);
    }
    if (!isClosed) onGap();
  }

  /** Runs a statement about a lock; repeats it once if the connection turns out to be broken. */
  async function about(name: string, statement: string): Promise<boolean> {
    for (const isLast of [false, true]) {
      const on = await connected();
      try {
        const { rows } = await on.query<{ done: boolean }>(`select ${statement}(${hashed}) as done`, [name]);
        return rows[0]?.done === true;
      } catch (cause) {
        // What the statement did ends with its session.
        await on.end().catch(() => undefined);
        onEnd(on);
        if (isLast || !isConnectionLost(failed(cause))) throw failed(cause);
      }
    }
    throw new Error('not reached: the last attempt returns or throws');
  }

  await connected();

  return {
    /**
     * Takes an advisory lock, which no other session has, until it is released. Resolves with whether it is taken. Calls
     * `onLost` if the session ends before.
     */
    async tryLock(name: string, onLost: () => void = () => undefined): Promise<boolean> {
      const isTaken = await about(name, 'pg_try_advisory_lock');
      if (isTaken) exclusive.set(name, onLost);
      return isTaken;
    },
    /** Takes an advisory lock together with other sessions, until the end of this one. */
    async tryShare(name: string): Promise<boolean> {
      const isTaken = await about(name, 'pg_try_advisory_lock_shared');
      if (isTaken) shared.add(name);
      return isTaken;
    },
    /** The number of sessions that share a lock. */
    async sharers(name: string): Promise<number> {
      const { rows } = await (
        await connected()
      ).query<{ count: number }>(
        `select count(*)::integer as count from pg_locks
         where locktype = 'advisory' and objsubid = 1 and mode = 'ShareLock' and granted
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32) | objid::bigint = ${hashed}`,
        [name],
      );
      return rows[0]!.count; // one row
    },
    /** Never rejects: a lock whose session has ended is free. */
    async unlock(name: string): Promise<void> {
      exclusive.delete(name);
      if (client) await about(name, 'pg_advisory_unlock').catch(onError);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      await connecting.underWay('')?.result.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}

export type Session = Awaited<ReturnType<typeof openSession>>;
