import pg from 'pg';
import { PostgresError } from '#server/store/postgres/connections.ts';
import { settingsOf } from '#server/store/postgres/settings.ts';

/** Number of the lock that a process holds while it works on the database; any number that nobody else uses. */
const workerLock = 7_235_101;
/** Times (ms): between two looks at the connection, between two attempts to take the lock at the start, and to connect or answer. */
const [beat, again, patience] = [2000, 250, 5000] as const;
/** So that the database notices within half a minute that the machine of a process has gone. */
const options = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

interface Hold {
  /** Holds it no longer. */
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
 * Takes the lock of the database, with a connection of its own that holds it; waits a moment for the process before.
 * Resolves with undefined if another process keeps it. When the connection is cut, another process may take it; this one
 * tries again until it has it back. `onWait` is called once if it has to wait at the start, `taken` each time that it has
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
