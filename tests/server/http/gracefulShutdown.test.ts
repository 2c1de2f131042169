import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { gracefulShutdown } from '#server/http/connections.ts';
import { listening } from '#tests/support/listen.ts';

/** Requests over connections that the client would keep. */
const agent = new Agent({ keepAlive: true });
async function ask(url: string, path: string): Promise<{ status: number; connection: string; body: string }> {
  const sent = request(url + path, { agent }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]; // node's argument
  return { status: answer.statusCode!, connection: answer.headers.connection ?? '', body: await text(answer) };
}

it('Graceful shutdown finishes requests, closes each connection after its response, and fails /readyz', async () => {
  const held: (() => void)[] = [];
  const handle: RequestListener = ({ url }, response) => {
    const answer = () => response.end(`answer to ${url}`);
    if (url === '/slow') held.push(answer);
    else answer();
  };
  const { listener, drain } = gracefulShutdown(handle);
  const url = await listening(listener);
  expect(await ask(url, '/readyz')).toEqual({ status: 200, connection: 'keep-alive', body: 'answer to /readyz' });
  const slow = ask(url, '/slow');
  await expect.poll(() => held.length).toBe(1);

  drain();
  held[0]!();
  expect(await slow).toEqual({ status: 200, connection: 'close', body: 'answer to /slow' });
  expect(await ask(url, '/readyz?verbose')).toEqual({
    status: 503,
    connection: 'close',
    body: '{"status":"draining"}',
  });
  expect(await ask(url, '/api')).toEqual({ status: 200, connection: 'close', body: 'answer to /api' });
});

it('Graceful shutdown answers all pipelined requests of a connection before it closes', async () => {
  const held: (() => void)[] = [];
  const { listener, drain } = gracefulShutdown(
    ({ url }, response) => void held.push(() => response.end(`answer to ${url}`)),
  );
  const socket = connect(Number(new URL(await listening(listener)).port), '127.0.0.1');
  const received = text(socket);
  socket.write(['/one', '/two'].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
  await expect.poll(() => held.length).toBe(2);

  drain();
  for (const answer of held) answer();
  const [one = '', two = ''] = (await received).split(/(?<=answer to \/one)/);
  expect(one).toContain('Connection: keep-alive');
  expect(two).toContain('Connection: close');
  expect(two).toContain('answer to /two');
});
