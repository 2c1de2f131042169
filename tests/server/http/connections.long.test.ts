import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer } from '#server/http/httpServer.ts';
import { chunkedResponse } from '#server/http/chunkedResponse.ts';
import { eventually } from '#tests/support/eventually.ts';
import { listening } from '#tests/support/listen.ts';

const impatient = { headers: 200, request: 400, answer: 400, looks: 50 };
const readsAll: RequestListener = (request, response) =>
  void request
    .on('error', () => undefined)
    .resume()
    .on('end', () => response.end('done'));

async function serving(
  handle: RequestListener,
  connections = Infinity,
  proxies: readonly string[] = [],
  patience = impatient,
) {
  let server: Server | undefined;
  const url = await listening(handle, (each) => (server = createHttpServer(each, connections, patience, proxies)));
  const { port } = new URL(url);
  /** A client that sends this, then neither reads nor hangs up. */
  async function silent(bytes: string): Promise<Socket> {
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket.pause();
  }
  const open = () => new Promise<number>((resolve) => server!.getConnections((_, count) => resolve(count))); // it listens
  return { url, port: Number(port), silent, open };
}

describe('A stalled client', () => {
  it.each([
    ['saying nothing', ''],
    ['half a request line', 'GET /he'],
    ['half a header', 'GET /healthz HTTP/1.1\r\nHost: console\r\nX-Half: '],
    ['half a body', 'POST / HTTP/1.1\r\nHost: console\r\nContent-Length: 10\r\n\r\n{"a"'],
    ['half a chunk', 'POST / HTTP/1.1\r\nHost: console\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'],
    ['no HTTP', 'HELO console\r\n\r\n'],
    ['a whole request, and no more', 'GET / HTTP/1.1\r\nHost: console\r\n\r\n'],
  ])('has its connection closed by a time-out: after %s (threat 6.5)', { timeout: 30_000 }, async (_, bytes) => {
    const { url, silent, open } = await serving(readsAll);
    await Promise.all(Array.from({ length: 5 }, () => silent(bytes)));
    await eventually(async () => expect(await open()).toBe(0), { interval: 100 });
    expect(await (await fetch(url)).text()).toBe('done');
  });

  it('has its connection closed if it does not read its response (threat 6.5)', { timeout: 30_000 }, async () => {
    const large = Buffer.alloc(32 * 1024 * 1024);
    const { silent, open } = await serving((_, response) => void response.end(large));
    const socket = await silent('GET / HTTP/1.1\r\nHost: console\r\n\r\n');
    expect(await open()).toBe(1);
    await eventually(async () => expect(await open()).toBe(0), { interval: 100 });
    socket.destroy();
  });
});

describe('A slow client that continues reading', () => {
  it('receives all of a long response, however long that takes (threat 6.5)', { timeout: 60_000 }, async () => {
    const bytes = Buffer.alloc(32 * 1024 * 1024, 'x');
    // Systems buffer some MB, so that the server sees the client's progress only now and then.
    const patience = { ...impatient, answer: 2000 };
    const app = new Koa().use(chunkedResponse).use((ctx) => void (ctx.body = bytes));
    const handle = app.callback();
    const { silent } = await serving((request, response) => void handle(request, response), Infinity, [], patience);
    const socket = await silent('GET / HTTP/1.1\r\nHost: console\r\nConnection: close\r\n\r\n');
    const started = performance.now();
    let received = 0;
    let head = '';
    for (let ended = false; !ended;) {
      await wait(5);
      const chunk = socket.read() as Buffer | null;
      if (chunk && head === '') head = chunk.toString('latin1').split('\r\n\r\n')[0]!;
      received += chunk?.length ?? 0;
      ended = socket.readableEnded || socket.destroyed;
      socket.read(0);
    }
    expect(head).toContain(`Content-Length: ${bytes.length}`);
    expect(received).toBe(bytes.length + head.length + 4);
    expect(performance.now() - started).toBeGreaterThan(1.5 * patience.answer);
  });
});

describe('The number of connections', () => {
  it('is limited: a further connection is closed immediately while all others have pending requests (threat 6.6)', async () => {
    const held: ServerResponse[] = [];
    const { url, silent, open } = await serving((_, response) => void held.push(response), 4, ['127.0.0.1']);
    await Promise.all(Array.from({ length: 4 }, () => silent('GET / HTTP/1.1\r\nHost: console\r\n\r\n')));
    await eventually(() => expect(held).toHaveLength(4));
    await expect(fetch(url)).rejects.toThrow();
    expect(await open()).toBe(4);
    for (const response of held) response.end();
    held.length = 0;
    const next = fetch(url);
    await eventually(() => expect(held).toHaveLength(1));
    held[0]!.end('done');
    expect(await (await next).text()).toBe('done');
  });

  it.each([
    ['of another client', '127.0.0.2', []],
    ['of the same client', '127.0.0.1', []],
    ['behind the same proxy', '127.0.0.1', ['127.0.0.1']],
  ])('does not let idle connections %s delay a request (threat 6.6)', async (_, from, proxies) => {
    const patient = { ...impatient, headers: 20_000, request: 20_000 };
    const { port, silent, open } = await serving(readsAll, 10, proxies, patient);
    for (let turn = 0; turn < 30; turn += 1) await silent(turn % 2 ? '' : 'GET /he');
    expect(await open()).toBeLessThanOrEqual(proxies.length > 0 ? 10 : 5);
    for (let turn = 0; turn < 10; turn += 1) {
      const request = get({ port, host: '127.0.0.1', localAddress: from, agent: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage]; // node's arguments
      expect((await response.toArray()).join('')).toBe('done');
    }
  });

  it('is limited to half the total for one client, even with pending requests (threat 6.6)', async () => {
    const held: ServerResponse[] = [];
    const { port, silent, open } = await serving((_, response) => void held.push(response), 8);
    for (let turn = 0; turn < 20; turn += 1) await silent('GET / HTTP/1.1\r\nHost: console\r\n\r\n');
    await eventually(async () => expect([held.length, await open()]).toEqual([4, 4]));
    const request = get({ port, host: '127.0.0.1', localAddress: '127.0.0.3', agent: false });
    await eventually(() => expect(held).toHaveLength(5));
    held[4]!.end('done');
    const [response] = (await once(request, 'response')) as [IncomingMessage]; // node's arguments
    expect((await response.toArray()).join('')).toBe('done');
  });
});
