import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** Methods that may be asked of another server, whatever became of the first attempt. */
const repeatable = ['GET', 'HEAD', 'OPTIONS'];

/** Whether the server cannot have seen the request. */
const isUnseen = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/**
 * A proxy that sends each request to the next server, as `deploy/nginx.conf` does: over a connection of its own; to another one if it
 * is refused or, where it only reads, fails or is answered by 503. Where none is left it answers 502 itself, in HTML.
 * What comes is passed on as it comes, streams of events included.
 */
export async function balance(servers: () => readonly string[]) {
  let turn = 0;
  const sentTo = new Map<string, string>();

  async function ask({ method = '', url = '', headers }: IncomingMessage, body: Buffer, signal: AbortSignal) {
    for (let left = servers().length - 1; ; left -= 1) {
      const target = servers()[(turn += 1) % servers().length]!;
      sentTo.set(url.split('?')[0]!, target); // there is a first part
      const forward = request(target + url, { method, headers, agent: false, signal }).end(body);
      try {
        const [reply] = (await once(forward, 'response')) as [IncomingMessage]; // node's argument of 'response'
        if (left === 0 || reply.statusCode !== 503 || !repeatable.includes(method)) return reply;
        reply.destroy();
      } catch (error) {
        if (left === 0 || !(isUnseen(error) || repeatable.includes(method))) throw error;
      }
    }
  }

  async function handle(asking: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = await buffer(asking);
    const reply = await ask(asking, body, gone.signal).catch(() => undefined);
    if (!reply) {
      response.writeHead(502, { 'content-type': 'text/html', connection: 'close' }).end('<h1>502 Bad Gateway</h1>');
      return;
    }
    response.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'close' });
    await pipeline(reply, response);
  }

  const server = createServer((asking, response) => {
    response.on('error', () => undefined); // the client may be gone
    handle(asking, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    /** The server that was sent the latest request for this path. */
    latest: (path: string) => sentTo.get(path),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
