import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, it, afterAll, beforeAll, describe, test, vi } from 'vitest';
import { type ServerResponse, Agent, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { fetchWithin } from '#server/http/inProcess.ts';
import { gracefulShutdown } from '#server/http/connections.ts';
import { listening } from '#tests/support/listen.ts';

it('A connection that the client closes before the response is logged at debug level, not as a warning', async () => {
  const lines: { level: number; msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]); // as pino writes it
  const log = pino({ level: 'debug' }, { write });
  const events = new EventEmitter();
  const [comes, left] = [once(events, 'comes'), once(events, 'left')];
  const whenLeft: Script = async (...answer) => {
    events.emit('comes');
    await left;
    await answering({})(...answer);
  };
  const upstreamUrl = (await fakeUpstream({ '/': whenLeft })).url;
  const { url } = await testConsole({ upstreamUrl, log });
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /readyz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await comes;
  socket.resetAndDestroy();
  const told = () => lines.filter(({ msg }) => msg === 'an answer could not be sent').map(({ level }) => level);
  await expect.poll(told).toEqual([pino.levels.values['debug']]);
  events.emit('left');
});

/** Longer (ms) than any time after which clients and servers usually give something up. */
const aDay = 24 * 60 * 60_000;

describe('a fetch within the process', () => {
  // One clock for all: what undici counts by its timers goes on between them.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
  afterAll(() => void vi.useRealTimers());

  test('calls from this machine over the same connection, however long nobody has called', async () => {
    const used = new Set<Duplex>();
    const reach = fetchWithin(({ socket }, response) => {
      used.add(socket);
      response.end(socket.remoteAddress);
    }, 'http://console.example');
    await reach('/first');
    await vi.advanceTimersByTimeAsync(aDay);
    expect(await (await reach('/second')).text()).toBe('127.0.0.1');
    expect(used.size).toBe(1);
    await reach.close();
  });

  test('waits for an answer, however long it takes', async () => {
    let arrived = (_: ServerResponse) => {};
    const arrival = new Promise<ServerResponse>((resolve) => (arrived = resolve));
    const reach = fetchWithin((_, response) => arrived(response), 'http://console.example');
    const reply = reach('/slow');
    const response = await arrival;
    await vi.advanceTimersByTimeAsync(aDay);
    response.end('done');
    expect(await (await reply).text()).toBe('done');
    await reach.close();
  });
});

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
