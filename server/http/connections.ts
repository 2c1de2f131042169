import type { IncomingMessage, Server, ServerResponse, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork, networkOf } from './networks.ts';
import { readyPath } from './paths.ts';

/** The answer of /readyz once the server is about to stop. */
const draining = JSON.stringify({ status: 'draining' });

/** An open connection: its client, and the number of its requests that have not been answered. */
interface Connection {
  client: string;
  requests: number;
}

/**
 * Limits the number of connections to `most`, and those of one client (IPv6: a /64 network) to half of it, so that no
 * client keeps others out. A new connection takes the place of the one that has been without a request for longest: of
 * its own client beyond that client's share, otherwise of the client with the most connections. If all have requests,
 * the new one is closed. `isShared`: whether an address is that of several clients, such as a proxy's.
 */
export function limitConnections(server: Server, most: number, isShared: (address: string) => boolean): void {
  if (most === Infinity) return;
  const perClient = Math.max(1, Math.ceil(most / 2));
  /** Those without a request for longest first. */
  const open = new Map<Socket, Connection>();
  const countOf = (client: string) => [...open.values()].filter((each) => each.client === client).length;
  const move = (socket: Socket, connection: Connection) => {
    if (open.delete(socket)) open.set(socket, connection);
  };

  /** Closes the idle connection of `client`, or of the client with the most idle ones; false if there is none. */
  function makeRoom(client?: string): boolean {
    const idle = [...open].filter(([, { requests }]) => requests === 0);
    const counts = new Map<string, number>();
    for (const [, each] of idle) counts.set(each.client, (counts.get(each.client) ?? 0) + 1);
    const [busiest] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
    const [socket] = idle.find((each) => each[1].client === (client ?? busiest)) ?? [];
    socket?.destroy();
    return socket !== undefined && open.delete(socket);
  }

  server.on('connection', (socket: Socket) => {
    const address = clientNetwork(socket.remoteAddress ?? '') ?? '';
    const client = networkOf(address);
    const isBeyond = !isShared(address) && countOf(client) >= perClient;
    if ((isBeyond && !makeRoom(client)) || (open.size >= most && !makeRoom())) {
      socket.destroy();
      return;
    }
    open.set(socket, { client, requests: 0 });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket);
    if (!connection) return;
    connection.requests += 1;
    response.once('close', () => {
      connection.requests -= 1;
      move(socket, connection);
    });
  });
}

/**
 * Wraps a request listener for a graceful shutdown. After `drain`, every connection is closed after its current answer
 * (`Connection: close`), and `/readyz` answers 503, so that a proxy turns to another server.
 */
export function gracefulShutdown(handle: RequestListener): { listener: RequestListener; drain: () => void } {
  /**
   * The latest answer of each connection; only after this one may the connection be closed. Not a Set of answers: V8
   * reallocates its table every few changes, and a table that has reached the old generation would retain all later
   * ones, with their requests, until the next full collection.
   */
  const latest = new Map<Socket, ServerResponse>();
  let isDraining = false;
  return {
    listener(request, response) {
      const { socket } = request;
      if (!latest.has(socket)) socket.once('close', () => latest.delete(socket));
      latest.set(socket, response);
      if (isDraining) response.shouldKeepAlive = false;
      if (isDraining && request.url?.split('?', 1)[0] === readyPath)
        response.writeHead(503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(draining);
      else handle(request, response);
    },
    drain() {
      isDraining = true;
      for (const response of latest.values()) response.shouldKeepAlive = false;
    },
  };
}
