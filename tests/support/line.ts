import type { IncomingMessage } from 'node:http';

type Way = 'open' | 'held' | 'cut';

/** Whether requests get through: all of them, none until they are let through, or none at all. */
export interface Line {
  /**
   * Requests whose path matches get through, wait, or find the connection broken; those that wait already follow.
   * All others get through.
   */
  turn(way: Way, path?: RegExp): void;
  /**
   * Lets those through that wait now, of this method if one is given, the first `most` of them, and no others. Gives their
   * methods.
   */
  release(method?: string, most?: number): string[];
  /** Methods of those that wait. */
  waiting(): string[];
  /** Resolves once a request may go on; false if it is to be broken off. */
  passes(request: IncomingMessage): Promise<boolean>;
}

/** A line that is open to begin with. */
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
      // Whoever asks no longer waits for an answer either.
      request.socket.once('close', () => waiting.delete(request));
      return new Promise((decide) => waiting.set(request, decide));
    },
  };
}
