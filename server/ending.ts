import type { RequestListener, ServerResponse } from 'node:http';

/**
 * A listener that passes requests on to another one. Once `end` is called, each connection is closed after its answer
 * (`Connection: close`), those of requests under way too, and `/readyz` answers 503, so that a proxy turns to another
 * server.
 */
export function ending(handle: RequestListener): { listener: RequestListener; end: () => void } {
  const underWay = new Set<ServerResponse>();
  let isEnding = false;
  return {
    listener(request, response) {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
      if (isEnding) response.shouldKeepAlive = false;
      if (isEnding && request.url?.split('?', 1)[0] === '/readyz') response.writeHead(503).end();
      else handle(request, response);
    },
    end() {
      isEnding = true;
      for (const response of underWay) response.shouldKeepAlive = false;
    },
  };
}
