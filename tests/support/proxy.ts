import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createLine, type Line } from './line.ts';

/** The answer to one request, kept back. */
interface Held {
  /** Resolves when the server behind has answered: whatever the request asks for is done by then. */
  answered: Promise<unknown>;
  pass(): void;
  /** Breaks the connection off instead: the answer is lost on its way. */
  lose(): void;
}

/** Stands between a client and a server, so that a test decides when an answer arrives, and whether it does. */
export interface Proxy {
  /** Address to visit instead of the server's, without a trailing slash. */
  url: string;
  line: Line;
  /** Keeps back the answer to the next POST to a path that ends like this. */
  hold(path: string): Held;
  /** How many POSTs there have been to paths that end like this. */
  posts(path: string): number;
  close(): Promise<void>;
}

async function ask(target: string, asking: IncomingMessage): Promise<IncomingMessage> {
  const { method, url, headers } = asking;
  const forward = request(target + url, { method, headers, agent: false }).end(await buffer(asking));
  const [reply] = (await once(forward, 'response')) as [IncomingMessage]; // node's argument of 'response'
  return reply;
}

/** Whether an answer never ends by itself: it is passed on as it comes, until the client goes. */
const isFollowed = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('text/event-stream') ?? false;

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

const holding = () => ({ answered: deferred<void>(), decided: deferred<'pass' | 'lose'>() });

/** Opens a proxy before the server at `target()`, which may start later and be started again. */
export async function openProxy(target: () => string): Promise<Proxy> {
  const asked: string[] = [];
  const line = createLine();
  const waiting: { path: string; held: ReturnType<typeof holding> }[] = [];

  async function handle(asking: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (asking.url ?? '').split('?');
    const index = asking.method === 'POST' ? waiting.findIndex((each) => path.endsWith(each.path)) : -1;
    const held = index < 0 ? undefined : waiting.splice(index, 1)[0]?.held;
    if (asking.method === 'POST') asked.push(path);
    if (!(await line.passes(asking))) return void response.destroy();
    const reply = await ask(target(), asking);
    if (isFollowed(reply)) {
      response.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'close' });
      return pipeline(reply, response);
    }
    const body = await buffer(reply);
    held?.answered.resolve();
    if ((await held?.decided.promise) === 'lose') response.destroy();
    // Without keep-alive, as a browser repeats by itself what fails on a connection that it has used before.
    else response.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'close' }).end(body);
  }

  const server = createServer((asking, response) => {
    response.on('error', () => undefined); // the client may be gone when its answer is let through
    handle(asking, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    line,
    hold(path) {
      const held = holding();
      waiting.push({ path, held });
      return {
        answered: held.answered.promise,
        pass: () => held.decided.resolve('pass'),
        lose: () => held.decided.resolve('lose'),
      };
    },
    posts: (path) => asked.filter((each) => each.endsWith(path)).length,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
