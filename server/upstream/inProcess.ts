import { createServer, type RequestListener } from 'node:http';
import { connectionTo } from '#server/http/inProcess.ts';
import { createTransport } from './transport.ts';
import type { ClosableTransport } from './transport.ts';

/**
 * Creates a transport to another application in the same process, such as the callback of its Koa: HTTP over a pair of
 * streams, without a socket. The application sees a client at the loopback address.
 */
export function inProcessTransport(handle: RequestListener): ClosableTransport {
  return createTransport({ connect: connectionTo(createServer(handle)) });
}
