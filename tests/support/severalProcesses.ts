import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'libsql';
import { systemClock } from '#server/clock.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { openSandbox } from '#server/sandbox/open.ts';
import type { Records } from '#server/sandbox/records.ts';
import { notificationsPath } from '#server/upstream/config.ts';
import { silent } from './console.ts';
import { freePort, newConsole, type ConsoleProcess } from './consoleProcess.ts';
import { startPostgres } from './postgres.ts';
import { sandboxSecret } from './sandboxCredentials.ts';
import { withSandboxKey } from './sandboxKey.ts';

/** A proxy that sends requests to servers in turn. */
interface Balancer {
  url: string;
  close(): Promise<void>;
}

/**
 * Sends each request to the next server, and to another one if it is refused or its connection ends before any byte of
 * the answer. Keeps connections to the servers open.
 */
async function balance(urls: readonly string[]): Promise<Balancer> {
  let turn = 0;
  const agent = new Agent({ keepAlive: true });
  const ask = async (
    { method, url, headers: { connection: _connection, ...headers } }: IncomingMessage,
    body: Buffer,
  ): Promise<IncomingMessage> => {
    for (let left = urls.length - 1; ; left -= 1) {
      const target = urls[(turn += 1) % urls.length]!;
      const forward = request(target + url, { method, headers, agent }).end(body);
      try {
        return ((await once(forward, 'response')) as [IncomingMessage])[0]; // node's argument of 'response'
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  };
  const server = createServer((asking, response) => {
    void buffer(asking)
      .then((body) => ask(asking, body))
      .then(async (reply) => {
        const body = await buffer(reply);
        response.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'close' }).end(body);
      })
      .catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Consoles in processes of their own, on one database and with one sandbox. */
export interface SeveralProcesses {
  consoles: readonly ConsoleProcess[];
  /** In front of all of them. */
  proxy: Balancer;
  database: Awaited<ReturnType<typeof startPostgres>>;
  /** Ids of the resources of this kind that the sandbox has created. */
  made(kind: keyof Records): string[];
  close(): Promise<void>;
}

/** Starts `count` consoles. */
export async function severalProcesses(count: number): Promise<SeveralProcesses> {
  const database = await startPostgres();
  const dataDir = await withSandboxKey(mkdtempSync(join(tmpdir(), 'payments-out-sandbox-')));
  const port = await freePort();
  const SANDBOX_URL = `http://127.0.0.1:${port}`;
  const common = {
    SANDBOX_URL,
    STORE_URL: database.url,
    STORE_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT: '1000',
  };
  const consoles: ConsoleProcess[] = [];
  for (let index = 0; index < count; index += 1) consoles.push(await newConsole(common));
  const proxy = await balance(consoles.map(({ url }) => url));
  const sandbox = await openSandbox({
    secret: sandboxSecret,
    catalogue,
    clock: systemClock,
    newId: () => randomUUID(),
    log: silent,
    dataDir,
    host: '127.0.0.1',
    port,
    webhookUrl: proxy.url + notificationsPath,
    config: { publicUrl: SANDBOX_URL, webhookDelay: 50, stepDelay: 50 },
  });
  await Promise.all(consoles.map((each) => each.start()));
  const records = new Database(join(dataDir, 'sandbox.sqlite'));
  const ids = records.prepare('select id from resource where kind = ? order by rowid');

  return {
    consoles,
    proxy,
    database,
    made: (kind) => (ids.all(kind) as { id: string }[]).map(({ id }) => id), // the statement selects this column
    async close() {
      for (const each of consoles) await each.remove();
      await proxy.close();
      await sandbox.close();
      records.close();
      await database.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
