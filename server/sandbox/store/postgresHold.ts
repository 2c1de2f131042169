import pg from 'pg';
import { PostgresError } from '#server/store/postgres/connections.ts';
import { settingsOf } from '#server/store/postgres/settings.ts';

/** Number of the advisory lock that the working process holds: an arbitrary number of ours. */
const workerLock = 7_235_101;
/**
 * Times (ms): between checks of the connection, between attempts to take the lock at the start, and to connect or
 * answer.
 */
const [beat, again, patience] = [2000, 250, 5000] as const;
/** With these, the database notices within half a minute that a process's machine is gone. */
const options = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

interface Hold {
  /** Releases the lock. */
  close(): Promise<void>;
}

/** Connects and takes the lock; undefined if another process has it. Rejects with PostgresError. */
async function take(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...settingsOf(url, options),
    ...{ connectionTimeoutMillis: patience, query_timeout: patience },
  });
  client.on('error', () => undefined); // its next query is rejected
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [workerLock]);
    if (rows[0]?.held) return client;
  } catch (cause) {
    await client.end().catch(() => undefined);
    throw new PostgresError(cause);
  }
  await client.end();
  return undefined;
}

const isAlive = (client: pg.Client): Promise<boolean> =>
  client.query('select 1').then(
    () => true,
    () => false,
  );

/**
 * Takes the database's lock on a connection of its own; waits up to five seconds for a previous process. Resolves with
 * undefined if another process keeps the lock. If the connection breaks, another process may take the lock; this one
 * retries until it has it again. Calls `onWait` once if it has to wait at the start, and `taken` each time that it gets
 * the lock. Rejects with PostgresError if the database cannot be reached at the start, or as `taken` does.
 */
export async function holdDatabase(
  url: string,
  taken: () => Promise<void>,
  { onError, onWait }: { onError: (error: unknown) => void; onWait: () => void },
): Promise<Hold | undefined> {
  const until = performance.now() + patience;
  let client = await take(url);
  if (!client) onWait();
  while (!client && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, again));
    client = await take(url);
  }
  if (!client) return undefined;
  try {
    await taken();
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }

  async function look(): Promise<void> {
    if (client && (await isAlive(client))) return;
    await client?.end().catch(() => undefined);
    client = undefined;
    const retaken = await take(url);
    try {
      if (retaken) await taken();
      client = retaken;
    } catch (error) {
      await retaken?.end().catch(() => undefined);
      throw error;
    }
  }

  let timer: NodeJS.Timeout;
  let looking: Promise<void> = Promise.resolve();
  let isClosed = false;
  function lookSoon(): void {
    timer = setTimeout(() => {
      looking = look()
        .catch(onError)
        .finally(() => {
          if (!isClosed) lookSoon();
        });
    }, beat);
  }
  lookSoon();

  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await client?.end().catch(() => undefined);
    },
  };
}
