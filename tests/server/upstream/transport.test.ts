import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { buildConnector } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TransportError } from '#server/upstream/exchange.ts';
import { createTransport } from '#server/upstream/transport.ts';
import type { TransportRequest } from '#server/upstream/exchange.ts';
import { eventually } from '#tests/support/eventually.ts';
import { listening } from '#tests/support/listen.ts';

const timeouts = { headers: 10_000, body: 10_000, total: 60_000 };
const MB = 1024 * 1024;

/** The error of an exchange that is expected to fail. */
const errorOf = async (sending: Promise<unknown>) => {
  const error: unknown = await sending.catch((reason: unknown) => reason);
  if (!(error instanceof TransportError)) throw new Error(`expected a TransportError, got ${String(error)}`);
  return error;
};

describe('The transport over the network', () => {
  /** Serves an application and returns a function that sends a request to it. */
  async function joined(handle: RequestListener) {
    const [transport, origin] = [createTransport(), await listening(handle)];
    onTestFinished(() => transport.close());
    return (request: Partial<TransportRequest> = {}, limits: Partial<typeof timeouts> & { maxBytes?: number } = {}) => {
      const { maxBytes = MB, ...own } = limits;
      return transport(
        { origin, path: '/', method: 'GET', headers: {}, ...request },
        { timeouts: { ...timeouts, ...own }, maxBytes },
      );
    };
  }

  it('sends nothing over a new connection if the caller does not want it any more', async () => {
    let asked = 0;
    const send = await joined((_request, response) => void response.end(String((asked += 1))));
    const mayBegin = () => {
      throw new Error('too late');
    };
    const error = await errorOf(send({ method: 'POST', ownConnection: true, mayBegin }));
    expect(error).toMatchObject({ sent: false, cause: { message: 'too late' } });
    expect(asked).toBe(0);
    expect(await send({ method: 'POST', ownConnection: true, mayBegin: () => undefined })).toMatchObject({
      status: 200,
    });
  });

  it('sends method, path, headers and body unchanged, and returns status, headers and bytes unchanged', async () => {
    const body = Buffer.from([0, 255, 254, 10, 13, 0]);
    const send = await joined((request, response) => {
      const sent: Buffer[] = [];
      request
        .on('data', (piece: Buffer) => sent.push(piece))
        .on('end', () => {
          response.writeHead(201, ['X-Name', 'caf\u00e9', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
          response.end(
            JSON.stringify([request.method, request.url, request.rawHeaders, Buffer.concat(sent).toString('hex')]),
          );
        });
    });
    const path = "/a%2Fb/'c'?d=%20&d=";
    const { status, headers, ...answer } = await send({
      method: 'PUT',
      path,
      headers: ['X-Own', '1', 'x-own', '2'],
      body,
    });
    const [method, url, sent, bytes] = JSON.parse(answer.body.toString()) as [string, string, string[], string];
    expect([method, url, bytes]).toEqual(['PUT', path, body.toString('hex')]);
    expect(sent.join(' ')).toContain('X-Own 1 x-own 2');
    expect(status).toBe(201);
    expect(headers.slice(0, 6)).toEqual(['X-Name', 'caf\u00e9', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
  });

  it.each([204, 302, 401, 407, 500])('returns the status %i and follows no redirect', async (status) => {
    let asked = 0;
    const send = await joined((_request, response) => {
      asked += 1;
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await send()).toMatchObject({ status, body: Buffer.alloc(0) });
    expect(asked).toBe(1);
  });

  it('reads a body up to its size limit, and aborts the request beyond it (threat 3.2)', async () => {
    let closed = 0;
    const send = await joined((_request, response) => {
      response.once('close', () => (closed += 1));
      for (let chunk = 0; chunk < 8; chunk += 1) response.write('x'.repeat(1000));
      response.end();
    });
    expect((await send({}, { maxBytes: 8000 })).body).toHaveLength(8000);
    expect(await errorOf(send({}, { maxBytes: 7999 }))).toMatchObject({ fault: 'too-large', sent: true });
    await eventually(() => expect(closed).toBe(2));
  });

  it('does not abort a slow response while its bytes flow (behaviour 3.13)', async () => {
    const trickle = async (response: ServerResponse) => {
      for (let chunk = 0; chunk < 12; chunk += 1) {
        response.write('x');
        await wait(50);
      }
      response.end();
    };
    const send = await joined((_request, response) => void trickle(response));
    expect((await send({}, { headers: 400, body: 400 })).body).toHaveLength(12);
  });

  it.each<[string, Partial<typeof timeouts>, (response: ServerResponse) => unknown]>([
    ['has not begun', { headers: 100 }, () => undefined],
    ['stalls', { body: 100 }, (response) => response.writeHead(200).write('x')],
    [
      'trickles for ever',
      { body: 200, total: 500 },
      (response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ])('aborts a response that %s', async (_what, limits, answer) => {
    let closed = 0;
    const send = await joined((_request, response) => {
      response.once('close', () => (closed += 1));
      answer(response);
    });
    expect(await errorOf(send({}, limits))).toMatchObject({ fault: 'timeout', sent: true });
    await eventually(() => expect(closed).toBe(1));
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['unreachable', (response) => response.destroy()],
    ['cut-short', (response) => response.writeHead(200).write('x', () => response.destroy())],
    [
      'cut-short',
      (response) => response.writeHead(200, { 'content-length': 9 }).write('x', () => response.socket?.end()),
    ],
    ['not-http', (response) => response.socket?.end('SSH-2.0-x\r\n')],
  ])('reports a response that breaks off or is no HTTP: %s', async (fault, answer) => {
    const send = await joined((_request, response) => void answer(response));
    expect(await errorOf(send())).toMatchObject({ fault, sent: true });
    expect(await errorOf(send({ method: 'POST', body: '{}' }))).toMatchObject({ fault, sent: true });
  });

  it.each([
    ['before its headers', false],
    ['within its body', true],
  ])('ends an exchange when that is asked for %s, with the reason given', async (_when, hasBegun) => {
    let end: (reason: Error) => void = () => {};
    const reason = new Error('left');
    let closed = 0;
    const send = await joined((_request, response) => {
      response.once('close', () => (closed += 1));
      if (hasBegun) response.write('x');
      setTimeout(() => end(reason), 50);
    });
    await expect(send({ onBegun: (begun) => (end = begun) })).rejects.toBe(reason);
    await eventually(() => expect(closed).toBe(1));
  });

  it('carries 100 requests concurrently', async () => {
    const held: ServerResponse[] = [];
    const send = await joined((_request, response) => {
      held.push(response);
      if (held.length === 100) for (const each of held) each.end('x');
    });
    expect(await Promise.all(Array.from({ length: 100 }, () => send()))).toHaveLength(100);
  });
});

describe('The transport', () => {
  it.each([
    ['a port where nothing listens', 'http://127.0.0.1:1', 'unreachable'],
    ['a name without an address', 'http://nowhere.invalid', 'unreachable'],
    ['a connection that is not TLS', 'https', 'unreachable'],
    ['a connection that is not made in time', 'hanging', 'timeout'],
  ])('reports that nothing was sent to %s', async (_, to, fault) => {
    const transport = createTransport({
      connectTimeout: 1500,
      ...(to === 'hanging' && {
        connect: (_options: unknown, done: (error: Error, socket: null) => void) =>
          void wait(50).then(() => done(Object.assign(new Error('late'), { name: 'TimeoutError' }), null)),
      }),
    });
    onTestFinished(() => transport.close());
    const plain = await listening((_request, response) => void response.end());
    const origin = to === 'https' ? plain.replace('http:', 'https:') : to === 'hanging' ? 'http://a.example' : to;
    const request = { origin, path: '/', method: 'POST', headers: {}, body: '{}' };
    expect(await errorOf(transport(request, { timeouts, maxBytes: MB }))).toMatchObject({ fault, sent: false });
  });

  it.each<[string, boolean, 'left' | 'overdue']>([
    ['left', false, 'left'],
    ['left, of its own', true, 'left'],
    ['overdue', false, 'overdue'],
    ['overdue, of its own', true, 'overdue'],
  ])('sends nothing over a connection that is made after its exchange has ended: %s', async (_, ownConnection, end) => {
    const requests: string[] = [];
    const origin = await listening((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    const connectNow = buildConnector({});
    const transport = createTransport({
      connect: (options, done) => void setTimeout(() => connectNow(options, done), 100),
    });
    onTestFinished(() => transport.close());
    let leave: (reason: Error) => void = () => {};
    const sending = transport(
      {
        origin,
        path: '/late',
        method: 'POST',
        headers: {},
        body: '{}',
        ownConnection,
        onBegun: (begun) => (leave = begun),
      },
      { timeouts: { ...timeouts, total: end === 'overdue' ? 30 : timeouts.total }, maxBytes: MB },
    );
    if (end === 'left') {
      const reason = new Error('left');
      leave(reason);
      await expect(sending).rejects.toBe(reason);
    } else expect(await errorOf(sending)).toMatchObject({ fault: 'timeout', sent: false });
    await wait(200);
    expect(requests).toEqual([]);
    // The transport goes on.
    const next = { origin, path: '/next', method: 'POST', headers: {}, body: '{}', ownConnection };
    expect((await transport(next, { timeouts, maxBytes: MB })).status).toBe(200);
    expect(requests).toEqual(['/next']);
  });
});
