import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from './failure.ts';

/** Time (ms) in which the headers of a request, and all of it, must have arrived, and how often that is looked at. */
const usualPatience = { headers: 10_000, request: 60_000, looks: 5_000 };

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
}

/** Node's server with bounds on what a slow or senseless client can make it do. */
export const createHttpServer = (handle: RequestListener, patience = usualPatience): Server =>
  createServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      connectionsCheckingInterval: patience.looks,
    },
    handle,
  ).on('clientError', refuse);
