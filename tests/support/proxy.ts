import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

type Way = 'open' | 'held' | 'cut';

/** Controls whether requests pass: all pass, as at first, all wait until they are released, or all are cut. */
function createLine() {
  let now: { way: Way; path: RegExp } = { way: 'open', path: /^/ };
  const waiting = new Map<IncomingMessage, (passes: boolean) => void>();

  const isAt = ({ url = '' }: IncomingMessage, path: RegExp) => path.test(url);

  function settle(request: IncomingMessage, passes: boolean): void {
    waiting.get(request)?.(passes);
    waiting.delete(request);
  }

  return {
    /**
     * Sets how requests with a matching path are treated: pass, wait, or have their connection cut. All other requests
     * pass. Unless the new setting is `held`, this applies to waiting requests too.
     */
    turn(way: Way, path = /^/) {
      now = { way, path };
      if (way !== 'held') [...waiting.keys()].forEach((each) => settle(each, way === 'open' || !isAt(each, path)));
    },
    /**
     * Releases the first `most` waiting requests, only those of the method `only` if given; later requests still wait. Returns
     * their methods.
     */
    release(only?: string, most?: number): string[] {
      const released = [...waiting.keys()].filter(({ method }) => only === undefined || method === only).slice(0, most);
      released.forEach((each) => settle(each, true));
      return released.map(({ method = '' }) => method);
    },
    /** Methods of the waiting requests, only those with a matching path if one is given. */
    waiting: (path = /^/) => [...waiting.keys()].filter((each) => isAt(each, path)).map(({ method = '' }) => method),
    /** Resolves to true when a request may pass, to false if its connection is to be cut. */
    passes(request: IncomingMessage): Promise<boolean> {
      if (now.way === 'open' || !isAt(request, now.path)) return Promise.resolve(true);
      if (now.way === 'cut') return Promise.resolve(false);
      // The client has closed the connection and no longer waits for an answer.
      request.socket.once('close', () => waiting.delete(request));
      return new Promise((decide) => waiting.set(request, decide));
    },
  };
}

async function ask(target: string, asking: IncomingMessage): Promise<IncomingMessage> {
  const { method, url, headers } = asking;
  const forward = request(target + url, { method, headers, agent: false }).end(await buffer(asking));
  const [reply] = (await once(forward, 'response')) as [IncomingMessage]; // node's argument of 'response'
  return reply;
}

/** Whether an answer is a stream without an end, which is piped through until the client disconnects. */
const isFollowed = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('text/event-stream') ?? false;

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

const holding = () => ({ answered: deferred<void>(), decided: deferred<'pass' | 'lose'>() });

/**
 * Starts a proxy for the server at `target()`, which may be started later and restarted. A test decides when and whether
 * an answer arrives.
 */
export async function openProxy(target: () => string) {
  const asked: string[] = [];
  const line = createLine();
  const changes = new Map<string, (json: object) => object>();
  const waiting: { path: string; held: ReturnType<typeof holding> }[] = [];

  async function handle(asking: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (asking.url ?? '').split('?');
    const index = asking.method === 'POST' ? waiting.findIndex((each) => path.endsWith(each.path)) : -1;
    const held = index < 0 ? undefined : waiting.splice(index, 1)[0]?.held;
    if (asking.method === 'POST') asked.push(path);
    if (!(await line.passes(asking))) return void response.destroy();
    const change = asking.method === 'GET' ? changes.get(path) : undefined;
    // Asked for whole, and as it is.
    if (change) ['if-none-match', 'accept-encoding'].forEach((name) => delete asking.headers[name]);
    const reply = await ask(target(), asking);
    if (isFollowed(reply)) {
      response.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'close' });
      return pipeline(reply, response);
    }
    let body = await buffer(reply);
    if (change && reply.statusCode === 200) {
      body = Buffer.from(JSON.stringify(change(JSON.parse(body.toString()) as object))); // what is changed is an object
      ['etag', 'content-length'].forEach((name) => delete reply.headers[name]);
    }
    held?.answered.resolve();
    if ((await held?.decided.promise) === 'lose') response.destroy();
    // Closes the connection: on a reused connection browsers repeat a failed request by themselves.
    else response.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'close' }).end(body);
  }

  const server = createServer((asking, response) => {
    response.on('error', () => undefined); // the client may be gone when its answer is let through
    handle(asking, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    /** URL to use instead of the server's, without a trailing slash. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    line,
    /** Holds the answer to the next POST to a path with this ending. */
    hold(path: string) {
      const held = holding();
      waiting.push({ path, held });
      return {
        /** Resolves when the server has answered, and so has completed the request. */
        answered: held.answered.promise,
        pass: () => held.decided.resolve('pass'),
        /** Breaks the connection, so that the answer is lost. */
        lose: () => held.decided.resolve('lose'),
      };
    },
    /** Changes the JSON that is answered with status 200 to the GETs of this path from now on; nothing of it is kept by a browser. */
    change: (path: string, by: (json: object) => object) => void changes.set(path, by),
    /** Number of POSTs so far to paths with this ending. */
    posts: (path: string) => asked.filter((each) => each.endsWith(path)).length,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
