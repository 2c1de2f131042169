import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Wraps a request listener for a graceful shutdown. After `end`, every connection is closed after its current answer
 * (`Connection: close`), and `/readyz` answers 503, so that a proxy turns to another server.
 */
export function gracefulShutdown(handle: RequestListener): { listener: RequestListener; end: () => void } {
  /**
   * The latest answer of each connection; only after this one may the connection be closed. Not a Set of answers: V8
   * reallocates its table every few changes, and a table that has reached the old generation would retain all later
   * ones, with their requests, until the next full collection.
   */
  const latest = new Map<Socket, ServerResponse>();
  let isEnding = false;
  return {
    listener(request, response) {
      const { socket } = request;
      if (!latest.has(socket)) socket.once('close', () => latest.delete(socket));
      latest.set(socket, response);
      if (isEnding) response.shouldKeepAlive = false;
      if (isEnding && request.url?.split('?', 1)[0] === '/readyz') response.writeHead(503).end();
      else handle(request, response);
    },
    end() {
      isEnding = true;
      for (const response of latest.values()) response.shouldKeepAlive = false;
    },
  };
}
