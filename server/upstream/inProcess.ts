import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { createTransport } from './transport.ts';
import type { ClosableTransport } from './transport.ts';

/**
 * Creates a transport to another application in the same process, such as the callback of its Koa: HTTP over a pair of
 * streams, without a socket. The application sees a client at the loopback address.
 */
export function inProcessTransport(handle: RequestListener): ClosableTransport {
  const server = createServer(handle);
  return createTransport({
    connect(_options, connected) {
      const [near, far] = duplexPair();
      near.once('close', () => far.destroy());
      far.once('close', () => near.destroy());
      server.emit('connection', Object.assign(far, { remoteAddress: '127.0.0.1' }));
      // undici needs only what a stream has, but never a connection at once.
      queueMicrotask(() => connected(null, near as Socket));
    },
  });
}
