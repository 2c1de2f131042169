import { randomUUID } from 'node:crypto';
import { createServer, METHODS } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../failure.ts';
import { limitConnections } from './connections.ts';
import { isInNetwork } from './networks.ts';

/**
 * Time limits (ms) to receive a request's headers, to receive all of it, and for the client to read a part of the answer; and the
 * interval (ms) of the checks.
 */
const defaultTimeouts = { headers: 10_000, request: 60_000, answer: 60_000, looks: 5_000 };
/** Time (ms) allowed for the client to read a refusal. */
const refusalText = 1000;

/** The failure for a request that did not reach the application, by Node's error code. */
const refusals: Partial<Record<string, () => Failure>> = {
  HPE_HEADER_OVERFLOW: () =>
    new Failure('too-large', 'The address and headers of the request are larger than 16 kB.', { status: 431 }),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new Failure('invalid-request', 'The request did not arrive in time.', { status: 408 }),
};

/** What is wrong with a request that is not valid HTTP, and what would be right, by the code of Node's parser. */
const faults: Partial<Record<string, string>> = {
  HPE_INVALID_URL: 'Its address holds a character that is not ASCII: percent-encode it.',
  HPE_INVALID_CONSTANT: 'Its address holds a blank, or no version follows it: percent-encode blanks.',
  HPE_INVALID_VERSION: 'It is of another version: send HTTP/1.1.',
  HPE_INVALID_HEADER_TOKEN:
    'One of its headers is not a name without blanks, a colon and a value without control characters.',
  HPE_INVALID_CONTENT_LENGTH: 'Its Content-Length is not one number of bytes.',
  HPE_INVALID_TRANSFER_ENCODING: 'It has Content-Length and Transfer-Encoding, or an unknown one: send one of them.',
  HPE_INVALID_CHUNK_SIZE: 'A chunk of its body does not begin with its size in hexadecimal digits.',
};

/** Says what is wrong with the method of a request line, if there is one. */
function methodFault(received: Buffer = Buffer.alloc(0)): string {
  const [method] = /^[A-Za-z]{1,20}(?= )/.exec(received.toString('latin1', 0, 21)) ?? [];
  if (method === undefined) return 'It does not begin with a method of HTTP: is it one of HTTP, or of TLS?';
  const right = method.toUpperCase();
  return METHODS.includes(right) && right !== method
    ? `Its method is ${method}: methods are written in capitals, so send ${right}.`
    : `Its method is ${method}, which is none of HTTP.`;
}

/** An error of Node's parser, with the bytes that it could not read. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };

function failureOf({ code = '', rawPacket }: ClientError): Failure {
  const fault = code === 'HPE_INVALID_METHOD' ? methodFault(rawPacket) : faults[code];
  return (
    refusals[code]?.() ??
    new Failure('invalid-request', `The request is not valid HTTP.${fault === undefined ? '' : ` ${fault}`}`)
  );
}

/** The failure for a request for a tunnel, which Node gives to no application. */
const noTunnel = () =>
  new Failure('invalid-request', 'This is no proxy, so that it has no CONNECT: ask for a path.', { status: 501 });

/** Answers a request that reached no application with a problem and these headers, then closes the connection. */
function refuse({ problem }: Failure, socket: Duplex, headers: Readonly<Record<string, string>>): void {
  const requestId = randomUUID(); // that of the request cannot be read
  const body = JSON.stringify({ ...problem, requestId });
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that neither reads nor closes the connection would keep the socket open.
  setTimeout(() => socket.destroy(), refusalText).unref();
}

/** Factor of the time for the client to read a part of the answer, within which it must have read all of it. */
const mostParts = 60;

/** What a connection has to send: since when, how much had been sent then, and since when without a pause. */
interface Sending {
  since: number;
  sent: number;
  begun: number;
}

/**
 * Destroys connections whose client reads nothing of the answer for `timeout` ms, or takes very long over all of it;
 * checks every `looks` ms.
 */
function endSlowClients(server: Server, timeout: number, looks: number): void {
  /** Undefined for a socket that has nothing to send. */
  const sockets = new Map<Socket, Sending | undefined>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const look = () => {
    const now = performance.now();
    for (const [socket, before] of sockets) {
      const sent = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0) sockets.set(socket, undefined);
      else if (before?.sent !== sent) sockets.set(socket, { since: now, sent, begun: before?.begun ?? now });
      else if (now - before.since >= timeout) socket.destroy();
      if (before && now - before.begun >= mostParts * timeout) socket.destroy();
    }
  };
  const timer = setInterval(look, looks);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * Creates an HTTP server with limits on slow, malformed and too many connections. `proxies`: addresses and networks
 * whose connections are those of several clients. `refusalHeaders` returns headers for the answer to a malformed request.
 */
export function createHttpServer(
  handle?: RequestListener,
  connections = Infinity,
  timeout = defaultTimeouts,
  proxies: readonly string[] = [],
  refusalHeaders: () => Readonly<Record<string, string>> = () => ({}),
): Server {
  const server = createServer(
    {
      headersTimeout: timeout.headers,
      requestTimeout: timeout.request,
      connectionsCheckingInterval: timeout.looks,
    },
    handle,
  ).on('clientError', (error: ClientError, socket: Socket) => {
    if (socket.writable && error.code !== 'ECONNRESET') refuse(failureOf(error), socket, refusalHeaders());
    else socket.destroy();
  });
  server.on('connect', (_, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    refuse(noTunnel(), socket, refusalHeaders());
  });
  limitConnections(server, connections, isInNetwork(proxies));
  endSlowClients(server, timeout.answer, timeout.looks);
  return server;
}
