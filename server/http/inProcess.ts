import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { Agent, fetch as undiciFetch, type buildConnector } from 'undici';

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

/** Whether a body is read piece by piece, so that nobody knows when it is complete. */
const isStreamed = (request: string | URL | Request, { body }: RequestInit): boolean =>
  body instanceof ReadableStream || (body === undefined && request instanceof Request && request.body !== null);

/** The longest time (ms) for which Node can set a timer. */
const longestTimer = 2 ** 31 - 1;

/**
 * Returns a `fetch` that reaches an application in the same process; a path is resolved against `url`. Calls arrive in
 * the order in which they are made, those with a streamed body when it is read. No timer of a connection ends anything:
 * what happens does not depend on how fast the machine is. Rejects as `fetch` does.
 */
export function fetchWithin(handle: RequestListener, url: string) {
  /** Called when the call that was made last arrives. */
  let arrived = () => {};
  const server = createServer((request, response) => {
    arrived();
    handle(request, response);
  });
  /** Resolves when all calls made so far have arrived. */
  let arrival: Promise<void> = Promise.resolve();
  function queue() {
    const before = arrival;
    let arrive = () => {};
    arrival = new Promise((resolve) => (arrive = resolve));
    return { before, arrive };
  }
  // No answer names a time after which its connection is closed; the client would follow it.
  server.keepAliveTimeout = 0;
  const agent = new Agent({
    connect: connectionTo(server),
    keepAliveTimeout: longestTimer,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const within = async (request: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const asked = new Request(request instanceof Request ? request : new URL(request, url), init);
    const known = isStreamed(request, init) ? undefined : queue();
    const body = ['GET', 'HEAD'].includes(asked.method) ? undefined : Buffer.from(await asked.arrayBuffer());
    const { before, arrive } = known ?? queue();
    await before;
    arrived = arrive;
    const { pathname, search } = new URL(asked.url);
    const response = await undiciFetch(url + pathname + search, {
      method: asked.method,
      headers: [...asked.headers],
      signal: asked.signal,
      redirect: 'manual',
      ...(body && { body }),
      dispatcher: agent,
    }).finally(arrive);
    const { status } = response;
    const content = [204, 304].includes(status) ? null : await response.arrayBuffer();
    return new Response(content, { status, statusText: response.statusText, headers: [...response.headers] });
  };
  return Object.assign(within, { close: () => agent.destroy() });
}
