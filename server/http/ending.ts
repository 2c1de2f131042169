import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A listener that passes requests on to another one. Once `end` is called, each connection is closed after its answer
 * (`Connection: close`), those of requests under way too, and `/readyz` answers 503, so that a proxy turns to another
 * server.
 */
export function ending(handle: RequestListener): { listener: RequestListener; end: () => void } {
  /**
   * The latest answer of each connection, the only one after which it may be closed. Not a set of answers: V8 makes a new
   * table for every few that are added and removed, and one that outlived a few collections would hold all that follow,
   * with their requests, until the next full collection.
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
