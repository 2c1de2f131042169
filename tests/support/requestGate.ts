import type { IncomingMessage } from 'node:http';

type Way = 'open' | 'held' | 'cut';

/** Controls whether requests pass: all pass, all wait until they are released, or all are cut. */
export interface Line {
  /**
   * Sets how requests with a matching path are treated: pass, wait, or have their connection cut. All other requests
   * pass. Unless the new setting is `held`, this applies to waiting requests too.
   */
  turn(way: Way, path?: RegExp): void;
  /**
   * Releases the first `most` waiting requests, only those of `method` if given; later requests still wait. Returns
   * their methods.
   */
  release(method?: string, most?: number): string[];
  /** Methods of the waiting requests, only those with a matching path if one is given. */
  waiting(path?: RegExp): string[];
  /** Resolves to true when a request may pass, to false if its connection is to be cut. */
  passes(request: IncomingMessage): Promise<boolean>;
}

/** A line that is open at first. */
export function createLine(): Line {
  let now: { way: Way; path: RegExp } = { way: 'open', path: /^/ };
  const waiting = new Map<IncomingMessage, (passes: boolean) => void>();

  const isAt = ({ url = '' }: IncomingMessage, path: RegExp) => path.test(url);

  function settle(request: IncomingMessage, passes: boolean): void {
    waiting.get(request)?.(passes);
    waiting.delete(request);
  }

  return {
    turn(way, path = /^/) {
      now = { way, path };
      if (way !== 'held') [...waiting.keys()].forEach((each) => settle(each, way === 'open' || !isAt(each, path)));
    },
    release(only, most) {
      const released = [...waiting.keys()].filter(({ method }) => only === undefined || method === only).slice(0, most);
      released.forEach((each) => settle(each, true));
      return released.map(({ method = '' }) => method);
    },
    waiting: (path = /^/) => [...waiting.keys()].filter((each) => isAt(each, path)).map(({ method = '' }) => method),
    passes(request) {
      if (now.way === 'open' || !isAt(request, now.path)) return Promise.resolve(true);
      if (now.way === 'cut') return Promise.resolve(false);
      // The client has closed the connection and no longer waits for an answer.
      request.socket.once('close', () => waiting.delete(request));
      return new Promise((decide) => waiting.set(request, decide));
    },
  };
}
