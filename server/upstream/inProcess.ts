import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { Agent, fetch as undiciFetch, type buildConnector } from 'undici';
import { createTransport } from './transport.ts';
import type { ClosableTransport } from './transport.ts';

/** Returns a connector to a server in the same process: over a pair of streams, without a socket. */
const connectionTo =
  (server: Server): buildConnector.connector =>
  (_options, connected) => {
    const [near, far] = duplexPair();
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    server.emit('connection', Object.assign(far, { remoteAddress: '127.0.0.1' }));
    // undici needs only what a stream has, but never a connection at once.
    queueMicrotask(() => connected(null, near as Socket));
  };

/**
 * Creates a transport to another application in the same process, such as the callback of its Koa: HTTP over a pair of
 * streams, without a socket. The application sees a client at the loopback address.
 */
export function inProcessTransport(handle: RequestListener): ClosableTransport {
  return createTransport({ connect: connectionTo(createServer(handle)) });
}

/**
 * Returns a `fetch` that reaches an application in the same process; a path is resolved against `url`. Rejects as
 * `fetch` does.
 */
export function fetchWithin(handle: RequestListener, url: string) {
  const server = createServer(handle);
  const agent = new Agent({ connect: connectionTo(server) });
  const within = async (request: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const asked = new Request(request instanceof Request ? request : new URL(request, url), init);
    const body = ['GET', 'HEAD'].includes(asked.method) ? undefined : Buffer.from(await asked.arrayBuffer());
    const { pathname, search } = new URL(asked.url);
    const response = await undiciFetch(url + pathname + search, {
      ...{ method: asked.method, headers: [...asked.headers], signal: asked.signal, redirect: 'manual' },
      ...(body && { body }),
      dispatcher: agent,
    });
    const { status } = response;
    const content = [204, 304].includes(status) ? null : await response.arrayBuffer();
    return new Response(content, { status, statusText: response.statusText, headers: [...response.headers] });
  };
  return Object.assign(within, { close: () => agent.destroy() });
}
