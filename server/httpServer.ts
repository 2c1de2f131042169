import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from './failure.ts';

/**
 * Time (ms) in which the headers of a request, and all of it, must have arrived, and in which what is answered must have
 * been taken; and how often that is looked at.
 */
const usualPatience = { headers: 10_000, request: 60_000, answer: 60_000, looks: 5_000 };
/** Time (ms) that a refusal has to be read. */
const lastWords = 1000;

/** Why a request never reached the application, by node's code. */
const refusals: Partial<Record<string, () => Failure>> = {
  HPE_HEADER_OVERFLOW: () =>
    new Failure('too-large', 'The address and headers of the request are larger than 16 kB.', { status: 431 }),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new Failure('invalid-request', 'The request did not arrive in time.', { status: 408 }),
};

/** What is not HTTP gets a problem as well, before the connection is closed. */
function refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { problem } =
    refusals[code]?.() ?? new Failure('invalid-request', 'The request is not HTTP as the console understands it.');
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that neither reads nor hangs up would keep the socket for ever.
  setTimeout(() => socket.destroy(), lastWords).unref();
}

/**
 * Closes connections whose answer is not taken in time: what waits to be sent has `patience` ms, as a request has to
 * arrive.
 */
function hurry(server: Server, patience: number, looks: number): void {
  /** Since when (ms) something waits, by socket. */
  const sockets = new Map<Socket, number | undefined>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const look = () => {
    const now = performance.now();
    for (const [socket, since] of sockets) {
      const waits = socket.writableLength > 0;
      sockets.set(socket, waits ? (since ?? now) : undefined);
      if (waits && since !== undefined && now - since >= patience) socket.destroy();
    }
  };
  const timer = setInterval(look, looks);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Node's server with bounds on what slow, senseless or too many clients can make it do. */
export function createHttpServer(handle?: RequestListener, connections = Infinity, patience = usualPatience): Server {
  const server = createServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      connectionsCheckingInterval: patience.looks,
    },
    handle,
  ).on('clientError', refuse);
  server.maxConnections = connections;
  hurry(server, patience.answer, patience.looks);
  return server;
}
