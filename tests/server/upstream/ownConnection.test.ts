import { type Socket, createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import { TransportError } from '#server/upstream/exchange.ts';
import { createTransport } from '#server/upstream/transport.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testConsole } from '#tests/support/console.ts';
import { unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { rawResponse, rawService } from '#tests/support/rawService.ts';
import { batch } from '#tests/support/creatingWrites.ts';

const limits = { timeouts: { headers: 2000, body: 1000, total: 2000 }, maxBytes: 100_000 };
const own = { data: { batchId: 'own' } };
const body = JSON.stringify(own);
const answer = rawResponse(201, own);
const other = rawResponse(201, { data: { batchId: 'other' } });
const refusal = rawResponse(422, { title: 'No', code: 'Limit', status: 422 });
const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
const head = (status: number, ...lines: readonly string[]) =>
  [`HTTP/1.1 ${status} X`, 'content-type: application/json', ...lines, '', ''].join('\r\n');
const chunked = `${head(201, 'transfer-encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n`;
const MB = 1024 * 1024;

/**
 * A server that does this with each connection, by default at the first bytes of its request, and a transport to it. `write`
 * sends this many bytes, and resolves with the response or the TransportError.
 */
async function serverThat(attack: (socket: Socket, turn: number) => unknown, isAtOnce = false) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const turn = sockets.push(socket);
    socket.on('error', () => undefined);
    if (isAtOnce) attack(socket, turn);
    else socket.once('data', () => attack(socket, turn));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = createTransport();
  onTestFinished(async () => {
    await transport.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const write = (bytes = 2, more: Partial<typeof limits.timeouts> = {}) =>
    transport(
      { origin, path: '/', method: 'POST', headers: {}, body: 'x'.repeat(bytes), ownConnection: true },
      { ...limits, timeouts: { ...limits.timeouts, ...more } },
    ).catch((error: unknown) => {
      if (error instanceof TransportError) return error;
      throw error;
    });
  return { write, sockets };
}

describe('The connection of a write', () => {
  it.each<[what: string, fault: string | undefined, attack: (socket: Socket) => unknown]>([
    ['carries another response', 'unasked', (socket) => socket.write(answer + other)],
    ['carries another response, which comes first', 'unasked', (socket) => socket.write(other + answer)],
    ['carries a refusal behind its response', 'unasked', (socket) => socket.write(answer + refusal)],
    ['carries a response behind one without a body', 'unasked', (socket) => socket.write(head(204) + answer)],
    ['carries bytes that are no response', 'unasked', (socket) => socket.write(`${answer}trailing`)],
    ['carries bytes that are no text', 'unasked', (socket) => socket.write(Buffer.from(`${answer}\0\u0001`, 'latin1'))],
    ['carries the end of another body first', undefined, (socket) => socket.write(`}}\r\n${answer}`)],
    [
      'changes to another protocol',
      'unreachable',
      (socket) => socket.write(`HTTP/1.1 101 X\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n${answer}`),
    ],
    ['carries a “100 Continue” that was not asked for', 'unreachable', (socket) => socket.write(go + answer)],
    ['carries one of HTTP/1.0', 'unreachable', (socket) => socket.write(go.replace('1.1', '1.0') + answer)],
    ['carries one after early hints', 'unreachable', (socket) => socket.write(early + go + answer)],
    ['ends within an interim response', 'unreachable', (socket) => socket.end('HTTP/1.1 103 E')],
    [
      'carries an endless interim response',
      'not-http',
      (socket) => socket.write(`${go.slice(0, -2)}x: ${'x'.repeat(90_000)}`),
    ],
    ['carries an interim response after its own', 'unasked', (socket) => socket.write(answer + go)],
    [
      'is reset after the headers',
      undefined,
      (socket) => socket.write(head(201, 'content-length: 27'), () => socket.resetAndDestroy()),
    ],
    ['ends within the headers', undefined, (socket) => socket.end('HTTP/1.1 201 X\r\ncontent-type: app')],
    [
      'is reset within a body of a known length',
      undefined,
      (socket) => socket.write(answer.slice(0, -5), () => socket.resetAndDestroy()),
    ],
    ['ends within a body of a known length', undefined, (socket) => socket.end(answer.slice(0, -5))],
    [
      'is reset after a body of no known length',
      undefined,
      (socket) => socket.write(head(201) + body, () => setTimeout(() => socket.resetAndDestroy(), 20)),
    ],
    ['ends before the last chunk', undefined, (socket) => socket.end(chunked)],
    ['ends within the fields after the last chunk', undefined, (socket) => socket.end(`${chunked}0\r\nx-a: b`)],
    [
      'states two lengths',
      undefined,
      (socket) => socket.write(`${head(201, 'content-length: 27', 'content-length: 5')}${body}`),
    ],
    [
      'states a length beside chunks',
      undefined,
      (socket) => socket.write(`${head(201, 'content-length: 27', 'transfer-encoding: chunked')}0\r\n\r\n${body}`),
    ],
    [
      'states a shorter length than its body has',
      undefined,
      (socket) => socket.write(`${head(201, 'content-length: 9')}${body}`),
    ],
    ['states a negative length', undefined, (socket) => socket.write(`${head(201, 'content-length: -1')}${body}`)],
    [
      'has a header that is folded',
      undefined,
      (socket) => socket.write(`${head(201, 'x-a: b\r\n\u0000: d', 'content-length: 27')}${body}`),
    ],
    ['is reset at once, with nothing of a response', 'unreachable', (socket) => socket.resetAndDestroy()],
  ])('that %s gives no answer, and the outcome stays unknown (threat 3.29)', async (_, fault, attack) => {
    const { write } = await serverThat(attack);
    const result = await write();
    expect(result).toBeInstanceOf(TransportError);
    expect(result).toMatchObject({ sent: true, ...(fault !== undefined && { fault }) });
  });

  it('that carries interim responses without end fails by its time-out, and was sent (threat 3.29)', async () => {
    const { write } = await serverThat((socket) => {
      const timer = setInterval(() => socket.write(processing.repeat(50)), 5);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await write(2, { total: 400 })).toMatchObject({ fault: 'timeout', sent: true });
  });

  it('on which bytes arrive before the request is closed, and nothing is sent (threat 3.29)', async () => {
    let received = 0;
    const { write } = await serverThat((socket) => {
      socket.on('data', ({ length }) => (received += length));
      socket.write(other);
    }, true);
    expect(await write()).toMatchObject({ fault: 'unasked', sent: false });
    await wait(20);
    expect(received).toBe(0);
  });

  it.each<[string, readonly string[]]>([
    ['early hints and a sign of work', [early, processing, answer]],
    ['several of them in one piece with the response', [early + processing + early + answer]],
    ['one that arrives in pieces', [early.slice(0, 20), early.slice(20), answer]],
    ['an unknown one', ['HTTP/1.1 199 What\r\n\r\n', answer]],
    ['5,000 of them', [early.repeat(5000), answer]],
  ])('passes over interim responses before its own: %s (threat 3.29)', async (_, pieces) => {
    const { write } = await serverThat(async (socket) => {
      for (const piece of pieces) {
        socket.write(piece);
        await wait(2);
      }
    });
    const result = await write();
    expect(result).toMatchObject({ status: 201, body: Buffer.from(body) });
    expect('headers' in result && result.headers.join(' ')).not.toContain('link');
  });

  it('is not used again, so that a response after a time-out reaches no later write (threat 3.29)', async () => {
    const { write, sockets } = await serverThat((socket, turn) => {
      setTimeout(() => socket.write(turn === 1 ? other : answer), 150);
    });
    expect(await write(2, { total: 50 })).toMatchObject({ fault: 'timeout', sent: true });
    expect(await write()).toMatchObject({ body: Buffer.from(body) });
    expect(sockets).toHaveLength(2);
  });

  it.each([
    ['a success', answer, 201],
    ['a refusal', refusal, 422],
  ])(
    'that carries %s before its request is finished gives it, or an unknown outcome (threat 3.29)',
    async (_, response, status) => {
      for (const after of [
        (socket: Socket) => socket.pause(),
        (socket: Socket) => socket.resume(),
        (socket: Socket) => void setTimeout(() => socket.resetAndDestroy(), 20),
      ]) {
        const { write } = await serverThat((socket) => {
          socket.write(response);
          after(socket);
        });
        const result = await write(4 * MB);
        expect(result).toMatchObject(result instanceof TransportError ? { sent: true } : { status });
      }
    },
  );

  it('that is reset within the request was written to, although no byte of a response came (threat 3.29)', async () => {
    const { write } = await serverThat((socket) => socket.resetAndDestroy());
    expect(await write(4 * MB)).toMatchObject({ fault: 'unreachable', sent: true });
  });

  it.each(['HTTP/1.1 201 X', 'HTTP/1.0 201 X', 'HTTP/1.1 201 X\r\nconnection: close'])(
    'whose end is that of a response that begins with %j gives it whole (threat 3.1)',
    async (begin) => {
      const { write } = await serverThat((socket) =>
        socket.end(`${begin}\r\ncontent-type: application/json\r\n\r\n{"made":1}`),
      );
      expect(await write()).toMatchObject({ status: 201, body: Buffer.from('{"made":1}') });
    },
  );
});

/** A console of a company at a service that answers by these bytes. */
async function consoleAt(service: Parameters<typeof rawService>[0]) {
  const { url, requests } = await rawService((request, socket) =>
    request.path === endpoints.accessToken
      ? void socket.write(rawResponse(201, { jwt: unsignedJwt() }))
      : service(request, socket),
  );
  const server = await testConsole({
    upstreamUrl: url,
    limits: { backOff: 1, patience: { headers: 300, total: 600 } },
  });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  return { server, requests };
}

describe('A console', () => {
  it.each<[string, (socket: Socket) => unknown]>([
    ['with a refusal and a success', (socket) => socket.write(refusal + answer)],
    ['with a refusal that is cut', (socket) => socket.end(refusal.slice(0, -3))],
  ])('whose payment is answered %s does not free its invoices (threat 3.29, 3.31)', async (_, attack) => {
    const { server } = await consoleAt((_request, socket) => void attack(socket));
    const paying = batch('T');
    expect(await server.refused('createBatch', { body: paying, key: 'T' })).toMatchObject({ outcome: 'unknown' });
    expect(await server.refused('createBatch', { body: paying, key: 'other' })).toMatchObject({ code: 'paid-already' });
  });

  it('that reads batches over kept connections takes no late answer of one for that of another, and frees no invoice by it (threat 3.29)', async () => {
    let made = 0;
    const { server, requests } = await consoleAt((request, socket) => {
      if (request.method === 'POST')
        return void socket.write(rawResponse(201, { data: { batchId: `b-${(made += 1)}` } }));
      const batchId = request.path.slice(request.path.lastIndexOf('/') + 1);
      const response = rawResponse(200, { data: { batchId, status: batchId === 'b-1' ? 'Failed' : 'Processing' } });
      socket.write(response);
      // Those that arrive before the next request make the connection unusable; those after it may be taken for its answer.
      for (const late of [0, 1, 3, 9]) setTimeout(() => socket.writable && socket.write(response), late);
    });
    for (const turn of ['A', 'B', 'C']) await server.done('createBatch', { body: batch(turn), key: turn });
    let read = 0;
    for (let turn = 0; turn < 30; turn += 1) {
      const batchId = `b-${(turn % 3) + 1}`;
      const reply = await server.call('getBatch', { params: { batchId } });
      if (turn % 4 === 0) await wait(5);
      if (!reply.ok) continue;
      read += 1;
      expect(reply.answer.data).toMatchObject({ batchId, status: batchId === 'b-1' ? 'Failed' : 'Processing' });
    }
    expect(read).toBeGreaterThan(0);
    for (const turn of ['B', 'C'])
      expect(await server.refused('createBatch', { body: batch(turn) })).toMatchObject({ code: 'paid-already' });
    const writes = requests.filter(({ method, path }) => method === 'POST' && path === endpoints.batches);
    const others = requests.filter((each) => !writes.includes(each)).map(({ connection }) => connection);
    expect(writes.some(({ connection }) => others.includes(connection))).toBe(false);
    await eventually(() => expect(writes).toHaveLength(3));
  });
});
