import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHttpServer } from '#server/http/httpServer.ts';
import { listening } from '#tests/support/listen.ts';

const impatient = { headers: 200, request: 400, answer: 400, looks: 50 };
const readsAll: RequestListener = (request, response) =>
  void request
    .on('error', () => undefined)
    .resume()
    .on('end', () => response.end('done'));

async function serving(handle: RequestListener, connections = Infinity) {
  let server: Server | undefined;
  const url = await listening(handle, (each) => (server = createHttpServer(each, connections, impatient)));
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
  return { url, silent, open };
}

describe('a client that neither continues nor hangs up', () => {
  it.each([
    ['saying nothing', ''],
    ['half a request line', 'GET /he'],
    ['half a header', 'GET /healthz HTTP/1.1\r\nHost: console\r\nX-Half: '],
    ['half a body', 'POST / HTTP/1.1\r\nHost: console\r\nContent-Length: 10\r\n\r\n{"a"'],
    ['half a chunk', 'POST / HTTP/1.1\r\nHost: console\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'],
    ['no HTTP', 'HELO console\r\n\r\n'],
    ['a whole request, and no more', 'GET / HTTP/1.1\r\nHost: console\r\n\r\n'],
  ])('loses its connection: after %s', { timeout: 30_000 }, async (_, bytes) => {
    const { url, silent, open } = await serving(readsAll);
    await Promise.all(Array.from({ length: 5 }, () => silent(bytes)));
    await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 20_000, interval: 100 });
    expect(await (await fetch(url)).text()).toBe('done');
  });

  it('loses its connection if it does not read its answer', { timeout: 30_000 }, async () => {
    const large = Buffer.alloc(32 * 1024 * 1024);
    const { silent, open } = await serving((_, response) => void response.end(large));
    const socket = await silent('GET / HTTP/1.1\r\nHost: console\r\n\r\n');
    expect(await open()).toBe(1);
    await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 20_000, interval: 100 });
    socket.destroy();
  });
});

describe('the number of connections', () => {
  it('is limited: further ones are closed at once, until others end', async () => {
    const { url, silent, open } = await serving(readsAll, 3);
    const held = await Promise.all([1, 2, 3].map(() => silent('')));
    await vi.waitFor(async () => expect(await open()).toBe(3));
    await expect(fetch(url)).rejects.toThrow();
    for (const socket of held) socket.destroy();
    await vi.waitFor(async () => expect(await open()).toBe(0));
    expect((await fetch(url)).status).toBe(200);
  });
});
