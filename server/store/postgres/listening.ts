import pg from 'pg';
import type { Notice } from '#server/store/engine.ts';
import { PostgresError } from './connections.ts';
import type { Connections } from './connections.ts';
import { channel } from './schema.ts';

/** Time (ms) before a broken connection is made again, and between checks that it is alive. */
const [pause, beat] = [500, 5000];

/**
 * Receives the notices of other servers over a connection of its own and reconnects when it breaks; `missed` then
 * stands for the notices that may have been lost. Ignores this server's own notices. Rejects with PostgresError.
 */
export async function listening(
  { server, beside }: Pick<Connections, 'server' | 'beside'>,
  hear: (notice: Notice) => void,
  onError: (error: unknown) => void,
) {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function heard(payload: string): void {
    try {
      const { from, ...notice } = JSON.parse(payload) as Notice & { from?: string }; // as schema.ts and engine.ts write it
      if (from !== server) hear(notice);
    } catch (error) {
      onError(error);
    }
  }

  async function connect(): Promise<void> {
    const made = new pg.Client({
      ...beside(),
      connectionTimeoutMillis: 5000,
      query_timeout: beat,
    });
    made.on('notification', ({ payload = '' }) => heard(payload));
    made.on('error', () => undefined); // handled by its `end`
    made.once('end', () => void again(made));
    try {
      await made.connect();
      await made.query(`listen ${channel}`);
      client = made;
      timer = setInterval(() => void made.query('select 1').catch(() => made.end().catch(() => undefined)), beat);
    } catch (error) {
      await made.end().catch(() => undefined);
      throw new PostgresError(error);
    }
  }

  async function again(ended: pg.Client): Promise<void> {
    if (isClosed || ended !== client) return;
    clearInterval(timer);
    client = undefined;
    while (!isClosed && !client) {
      hear({ what: 'missed' });
      await new Promise((resolve) => setTimeout(resolve, pause));
      await connect().catch(onError);
    }
    hear({ what: 'missed' });
  }

  await connect();
  return {
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      await client?.end();
    },
  };
}
