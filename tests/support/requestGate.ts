import type { IncomingMessage } from 'node:http';

type Way = 'open' | 'held' | 'cut';

/** Controls whether requests pass: all pass, all wait until they are released, or all are cut. */
export interface Line {
  /**
   * Sets how requests with a matching path are treated: pass, wait, or have their connection cut. Waiting requests
   * follow unless the new setting is `held`. All other requests pass.
   */
  turn(way: Way, path?: RegExp): void;
  /**
   * Releases the first `most` waiting requests, only those of `method` if given; later requests still wait. Returns
   * their methods.
   */
  release(method?: string, most?: number): string[];
  /** Methods of the waiting requests. */
  waiting(): string[];
  /** Resolves to true when a request may pass, to false if its connection is to be cut. */
  passes(request: IncomingMessage): Promise<boolean>;
}

/** A line that is open at first. */
export function createLine(): Line {
  let now: { way: Way; path: RegExp } = { way: 'open', path: /^/ };
  const waiting = new Map<IncomingMessage, (passes: boolean) => void>();

  function settle(passes: boolean, only?: string, most?: number): string[] {
    const settled = [...waiting].filter(([{ method }]) => only === undefined || method === only).slice(0, most);
    for (const [request, decide] of settled) {
      waiting.delete(request);
      decide(passes);
    }
    return settled.map(([{ method = '' }]) => method);
  }

  return {
    turn(way, path = /^/) {
      now = { way, path };
      if (way !== 'held') settle(way === 'open');
    },
    release: (method, most) => settle(true, method, most),
    waiting: () => [...waiting.keys()].map(({ method = '' }) => method),
    passes(request) {
      if (now.way === 'open' || !now.path.test(request.url ?? '')) return Promise.resolve(true);
      if (now.way === 'cut') return Promise.resolve(false);
      // The client has closed the connection and no longer waits for an answer.
      request.socket.once('close', () => waiting.delete(request));
      return new Promise((decide) => waiting.set(request, decide));
    },
  };
}
