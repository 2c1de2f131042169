import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ending } from '#server/ending.ts';
import { listening } from '#tests/support/listen.ts';

/** Requests over connections that the client would keep. */
const agent = new Agent({ keepAlive: true });
async function ask(url: string, path: string): Promise<{ status: number; connection: string; body: string }> {
  const sent = request(url + path, { agent }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]; // node's argument
  return { status: answer.statusCode!, connection: answer.headers.connection ?? '', body: await text(answer) };
}

it('a server that ends finishes what is under way, closes each connection after its answer, and says that it is not ready', async () => {
  const held: (() => void)[] = [];
  const handle: RequestListener = ({ url }, response) => {
    const answer = () => response.end(`answer to ${url}`);
    if (url === '/slow') held.push(answer);
    else answer();
  };
  const { listener, end } = ending(handle);
  const url = await listening(listener);
  expect(await ask(url, '/readyz')).toEqual({ status: 200, connection: 'keep-alive', body: 'answer to /readyz' });
  const slow = ask(url, '/slow');
  await expect.poll(() => held.length).toBe(1);

  end();
  held[0]!();
  expect(await slow).toEqual({ status: 200, connection: 'close', body: 'answer to /slow' });
  expect(await ask(url, '/readyz?verbose')).toEqual({ status: 503, connection: 'close', body: '' });
  expect(await ask(url, '/api')).toEqual({ status: 200, connection: 'close', body: 'answer to /api' });
});
