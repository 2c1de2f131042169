import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP proxy before a database's server. */
interface Hole {
  /** The database's URL through it. */
  url: string;
  /** From then on nothing is forwarded, and nothing is closed. */
  swallow(): void;
  /** Forwards again what comes from then on, over new connections. */
  forward(): void;
}

/** Opens a proxy until the test ends. `change` is what becomes of the first bytes of each connection. */
export async function openHole(database: string, change = (first: Buffer): Buffer => first): Promise<Hole> {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  const server = createServer((client) => {
    const target = connect(Number(port), hostname);
    let isFirst = true;
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        if (isSwallowing) return;
        to.write(isFirst && from === client ? change(bytes) : bytes);
        if (from === client) isFirst = false;
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => sockets.forEach((socket) => socket.destroy());
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(database);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return {
    url: url.href,
    swallow: () => void (isSwallowing = true),
    forward() {
      isSwallowing = false;
      cut();
    },
  };
}
