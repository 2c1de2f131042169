import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { openStorage } from '#server/storage/open.ts';
import { newDatabase, statement } from '#tests/support/postgres.ts';
import { here } from '#tests/support/storage.ts';
import { testKey } from '#tests/support/store.ts';

/** How long (ms) a slow network takes from the console to the database. */
const slow = 300;

/** The URL of a database behind a network, and a function from which on that is slow. */
async function behindNetwork(database: string) {
  let pause = 0;
  const url = new URL(database);
  const to = { host: url.hostname, port: Number(url.port), allowHalfOpen: true };
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect(to);
    client.on('data', (bytes) => setTimeout(() => target.write(bytes), pause));
    client.on('end', () => setTimeout(() => target.end(), pause));
    target.pipe(client);
    for (const socket of [client, target]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`; // it listens on a port
  return { url: url.href, slowDown: () => void (pause = slow) };
}

const openConnections = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

describe('A closed storage on PostgreSQL', () => {
  it.each([1, 2, 8])('has closed each of %i connections, and reports no end of its database', async (readers) => {
    const { url, remove } = await newDatabase();
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const network = await behindNetwork(url);
    const storage = await openStorage({ url: network.url, keys: [testKey()], clock: systemClock, onError });
    const own = storage.settings.of<string>(here.workspace);
    await Promise.all(Array.from({ length: readers }, () => own.get('a')));
    network.slowDown();
    await storage.close();
    expect(await statement(url, openConnections)).toEqual([{ count: 0 }]);
    await remove();
    expect(errors).toEqual([]);
  });
});
