import { type Socket, createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import { TransportError } from '#server/upstream/exchange.ts';
import { createTransport } from '#server/upstream/transport.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testConsole } from '#tests/support/console.ts';
import { unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { rawResponse, rawService } from '#tests/support/rawService.ts';
import { batch } from '#tests/support/creatingWrites.ts';

const limits = { timeouts: { headers: 2000, body: 2000, total: 4000 }, maxBytes: 10_000 };

async function transportTo(...service: Parameters<typeof rawService>) {
  const { url, requests } = await rawService(...service);
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const post = (body: string, own: Partial<typeof limits.timeouts> = {}) =>
    transport(
      { origin: url, path: '/', method: 'POST', headers: {}, body, ownConnection: true },
      { ...limits, timeouts: { ...limits.timeouts, ...own } },
    );
  return { post, requests };
}

const errorOf = async (sending: Promise<unknown>) => {
  const error: unknown = await sending.catch((reason: unknown) => reason);
  if (!(error instanceof TransportError)) throw new Error(`expected a TransportError, got ${String(error)}`);
  return error;
};

const answer = rawResponse(201, { data: { batchId: 'own' } });
const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
const wait102 = 'HTTP/1.1 102 Processing\r\n\r\n';
const other = rawResponse(201, { data: { batchId: 'other' } });

describe('The connection of a write', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['another response', 'unasked', (socket) => socket.write(answer + other)],
    ['another response, which comes first', 'unasked', (socket) => socket.write(other + answer)],
    ['the same response again', 'unasked', (socket) => socket.write(answer + answer)],
    ['bytes that are no response', 'unasked', (socket) => socket.write(`${answer}trailing`)],
    [
      'bytes that are no text',
      'unasked',
      (socket) => socket.write(Buffer.concat([Buffer.from(answer), Buffer.from([0, 1, 2])])),
    ],
    [
      'another protocol',
      'unreachable',
      (socket) => socket.write(`HTTP/1.1 101 X\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n${answer}`),
    ],
  ])('that carries %s gives no answer, and the outcome stays unknown (threat 3.29)', async (_, fault, write) => {
    const { post } = await transportTo((_request, socket) => write(socket));
    expect(await errorOf(post('{}'))).toMatchObject({ fault, sent: true });
  });

  it('on which bytes arrive before the request is closed, and nothing is sent (threat 3.29)', async () => {
    const { post, requests } = await transportTo(
      () => undefined,
      (socket) => void socket.write(other),
    );
    expect(await errorOf(post('{}'))).toMatchObject({ fault: 'unasked', sent: false });
    await wait(20);
    expect(requests).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['early hints and a sign of work', [early, wait102, answer]],
    ['several of them in one piece with the response', [early + wait102 + early + answer]],
    ['one that arrives in pieces', [early.slice(0, 20), early.slice(20), answer]],
    ['an unknown one', ['HTTP/1.1 199 What\r\n\r\n', answer]],
  ])('passes over interim responses before its own: %s (threat 3.29)', async (_, pieces) => {
    const write = async (socket: Socket) => {
      for (const piece of pieces) {
        socket.write(piece);
        await wait(2);
      }
    };
    const { post } = await transportTo((_request, socket) => void write(socket));
    expect(await post('{}')).toMatchObject({ status: 201, body: Buffer.from('{"data":{"batchId":"own"}}') });
  });

  it.each([
    ['a “100 Continue” that was not asked for', 'unreachable', (socket: Socket) => void socket.write(go + answer)],
    ['one of HTTP/1.0', 'unreachable', (socket: Socket) => void socket.write(go.replace('1.1', '1.0') + answer)],
    ['one after early hints', 'unreachable', (socket: Socket) => void socket.write(early + go + answer)],
    ['only early hints', 'timeout', (socket: Socket) => void socket.write(early + early)],
    [
      'the beginning of an interim response and its end',
      'unreachable',
      (socket: Socket) => void socket.end('HTTP/1.1 103 E'),
    ],
    [
      'an interim response without end',
      'not-http',
      (socket: Socket) => void socket.write(`HTTP/1.1 100 C\r\nx: ${'x'.repeat(90_000)}`),
    ],
    ['an interim response after its own', 'unasked', (socket: Socket) => void socket.write(answer + go)],
  ])('that carries %s gives no answer, and the outcome stays unknown (threat 3.29)', async (_, fault, write) => {
    const { post } = await transportTo((_request, socket) => write(socket));
    expect(await errorOf(post('{}', { total: 500 }))).toMatchObject({ fault, sent: true });
  });

  it('is not used again, so that a response after a time-out reaches no later write (threat 3.29)', async () => {
    let turn = 0;
    const { post, requests } = await transportTo((_request, socket) => {
      turn += 1;
      if (turn === 1) setTimeout(() => socket.write(other), 150);
      else setTimeout(() => socket.write(answer), 150);
    });
    expect(await errorOf(post('1', { total: 50 }))).toMatchObject({ fault: 'timeout', sent: true });
    expect((await post('2')).body.toString()).toContain('"own"');
    expect(new Set(requests.map(({ connection }) => connection)).size).toBe(2);
  });
});

it('A service that repeats each answer late, on connections that it keeps, gives no payment or token to another request (threat 3.29)', async () => {
  const { url, requests } = await rawService((request, socket) => {
    const isToken = request.path === endpoints.accessToken;
    const { data } = (isToken ? {} : JSON.parse(request.body)) as { data?: { externalId: string } };
    const body = isToken ? { jwt: unsignedJwt() } : { data: { batchId: `batch of ${data?.externalId}` } };
    const response = rawResponse(201, body);
    socket.write(response);
    for (const late of [5, 10, 20]) setTimeout(() => socket.write(response), late);
  });
  const server = await testConsole({ upstreamUrl: url, limits: { backOff: 1 } });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  await eventually(async () => void (await server.done('getToken')));
  let done = 0;
  for (let turn = 0; turn < 40; turn += 1) {
    const id = `payment-${turn}`;
    const reply = await server.call('createBatch', {
      body: {
        externalId: id,
        subscriptionId: 's',
        requestedExecutionDateTime: executionDate,
        payments: [
          { instructedAmount: { amount: `${turn + 1}.00`, currency: 'GBP' }, creditor: { name: 'n', creditorId: id } },
        ],
      },
    });
    // On a busy machine the repeated answer arrives together with the first.
    if (reply.ok) expect(reply.answer.data.batchId).toBe(`batch of ${id}`);
    else expect(reply.problem).toMatchObject({ outcome: 'unknown' });
    done += Number(reply.ok);
  }
  expect(done).toBeGreaterThan(0);
  expect(new Set(requests.map(({ connection }) => connection)).size).toBe(requests.length);
});

it('A payment whose answer follows a “100 Continue” has an unknown outcome, and its repeat under the key settles it (threat 3.29)', async () => {
  let turn = 0;
  const { url, requests } = await rawService((request, socket) => {
    if (request.path === endpoints.accessToken) return void socket.write(rawResponse(201, { jwt: unsignedJwt() }));
    if (request.method === 'GET')
      return void socket.write(early + rawResponse(200, { data: { batchId: 'b', status: 'Processing' } }));
    turn += 1;
    socket.write((turn === 1 ? go : early) + rawResponse(201, { data: { batchId: 'b', status: 'Received' } }));
  });
  const server = await testConsole({ upstreamUrl: url, limits: { backOff: 1 } });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  const request = {
    key: 'key',
    body: {
      externalId: 'e',
      subscriptionId: 's',
      requestedExecutionDateTime: executionDate,
      payments: [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'n', creditorId: 'c' } }],
    },
  };
  expect(await server.refused('createBatch', request)).toMatchObject({ outcome: 'unknown' });
  expect((await server.done('createBatch', request)).data.batchId).toBe('b');
  const keys = requests
    .filter(({ path, method }) => path === endpoints.batches && method === 'POST')
    .map(({ headers }) => headers['x-idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  for (let turns = 0; turns < 3; turns += 1)
    expect((await server.done('getBatch', { params: { batchId: 'b' } })).data.status).toBe('Processing');
});

const attackLimits = { timeouts: { headers: 2000, body: 1000, total: 2000 }, maxBytes: 100_000 };
const own = { data: { batchId: 'own' } };
const attackAnswer = rawResponse(201, own);
const body = JSON.stringify(own);
const head = (status: number, ...lines: readonly string[]) =>
  [`HTTP/1.1 ${status} X`, 'content-type: application/json', ...lines, '', ''].join('\r\n');
const refusal = rawResponse(422, { title: 'No', code: 'Limit', status: 422 });

/** A server whose connections are given to the test as soon as they are open. */
async function opened(attack: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    attack(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}

/** Sends a write with this many bytes. Returns its response, or the TransportError. */
async function write(origin: string, bytes = 2, own: Partial<typeof attackLimits.timeouts> = {}) {
  const transport = createTransport();
  onTestFinished(() => transport.close());
  return transport(
    { origin, path: '/', method: 'POST', headers: {}, body: 'x'.repeat(bytes), ownConnection: true },
    { ...attackLimits, timeouts: { ...attackLimits.timeouts, ...own } },
  ).catch((error: unknown) => {
    if (error instanceof TransportError) return error;
    throw error;
  });
}

const MB = 1024 * 1024;
/** Calls `then` with the first bytes of the request. */
const atFirstBytes = (then: (socket: Socket) => void) => (socket: Socket) =>
  void socket.once('data', () => then(socket));

describe('A write whose response comes before its request is finished', () => {
  it.each([
    ['a success', attackAnswer, 201],
    ['a refusal', refusal, 422],
  ])('%s, gets this response, or has an unknown outcome, and was sent (threat 3.29)', async (_, response, status) => {
    for (const after of [
      (socket: Socket) => socket.pause(),
      (socket: Socket) => socket.resume(),
      (socket: Socket) => void setTimeout(() => socket.resetAndDestroy(), 20),
    ]) {
      const origin = await opened(
        atFirstBytes((socket) => {
          socket.write(response);
          after(socket);
        }),
      );
      const result = await write(origin, 4 * MB);
      if (result instanceof TransportError) expect(result.sent).toBe(true);
      else expect(result).toMatchObject({ status });
    }
  });

  it('and whose connection is reset at its first bytes was sent, although no byte of a response came (threat 3.29)', async () => {
    const origin = await opened(atFirstBytes((socket) => void socket.resetAndDestroy()));
    expect(await write(origin, 4 * MB)).toMatchObject({ fault: 'unreachable', sent: true });
  });
});

describe('A write', () => {
  it('that is answered after 5,000 interim responses gets its response, and none of theirs (threat 3.29)', async () => {
    const origin = await opened(
      atFirstBytes((socket) => {
        for (let each = 0; each < 5000; each += 1)
          socket.write(`HTTP/1.1 103 Early\r\nlocation: /other/${each}\r\n\r\n`);
        socket.write(attackAnswer);
      }),
    );
    const result = await write(origin);
    expect(result).toMatchObject({ status: 201 });
    expect('headers' in result && result.headers.join(' ')).not.toContain('location');
  });

  it('that is answered by interim responses without end fails by its time-out, and was sent (threat 3.29)', async () => {
    const origin = await opened(
      atFirstBytes((socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)), 5);
        socket.once('close', () => clearInterval(timer));
      }),
    );
    expect(await write(origin, 2, { total: 400 })).toMatchObject({ fault: 'timeout', sent: true });
  });

  it.each<[string, (socket: Socket) => unknown]>([
    [
      'is reset after the headers',
      (socket) => socket.write(head(201, 'content-length: 27'), () => socket.resetAndDestroy()),
    ],
    ['ends within the headers', (socket) => socket.end('HTTP/1.1 201 X\r\ncontent-type: app')],
    [
      'is reset within a body of a known length',
      (socket) => socket.write(attackAnswer.slice(0, -5), () => socket.resetAndDestroy()),
    ],
    ['ends within a body of a known length', (socket) => socket.end(attackAnswer.slice(0, -5))],
    [
      'is reset after a body of no known length',
      (socket) => socket.write(head(201) + body, () => setTimeout(() => socket.resetAndDestroy(), 20)),
    ],
    [
      'ends before the last chunk',
      (socket) => socket.end(`${head(201, 'transfer-encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n`),
    ],
    [
      'ends within the fields after the last chunk',
      (socket) =>
        socket.end(`${head(201, 'transfer-encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n0\r\nx-a: b`),
    ],
    ['states two lengths', (socket) => socket.write(`${head(201, 'content-length: 27', 'content-length: 5')}${body}`)],
    [
      'states a length beside chunks',
      (socket) => socket.write(`${head(201, 'content-length: 27', 'transfer-encoding: chunked')}0\r\n\r\n${body}`),
    ],
    ['states a shorter length than its body has', (socket) => socket.write(`${head(201, 'content-length: 9')}${body}`)],
    ['states a negative length', (socket) => socket.write(`${head(201, 'content-length: -1')}${body}`)],
    [
      'has a header that is folded',
      (socket) => socket.write(`${head(201, 'x-a: b\r\n\u0000: d', 'content-length: 27')}${body}`),
    ],
    ['carries a second response behind a refusal', (socket) => socket.write(refusal + attackAnswer)],
    ['carries a refusal behind its response', (socket) => socket.write(attackAnswer + refusal)],
    ['carries a second response behind one without a body', (socket) => socket.write(`${head(204)}${attackAnswer}`)],
    ['carries the end of another body first', (socket) => socket.write(`}}\r\n${attackAnswer}`)],
  ])('on a connection that %s gets no answer, and was sent (threat 3.29)', async (_, attack) => {
    const result = await write(await opened(atFirstBytes((socket) => void attack(socket))));
    expect(result).toBeInstanceOf(TransportError);
    expect(result).toMatchObject({ sent: true });
  });
});

it.each(['HTTP/1.1 201 X', 'HTTP/1.0 201 X', 'HTTP/1.1 201 X\r\nconnection: close'])(
  'A response that begins with %j and ends with its connection is read whole (threat 3.1)',
  async (begin) => {
    const { post } = await transportTo(
      (_request, socket) => void socket.end(`${begin}\r\ncontent-type: application/json\r\n\r\n{"made":1}`),
    );
    expect(await post('{}')).toMatchObject({ status: 201, body: Buffer.from('{"made":1}') });
  },
);

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
    ['with two refusals', (socket) => socket.write(refusal + refusal)],
    ['with a refusal and a success', (socket) => socket.write(refusal + attackAnswer)],
    ['with a refusal that is cut', (socket) => socket.end(refusal.slice(0, -3))],
    ['with a refusal that is longer than it says', (socket) => socket.write(`${refusal}}`)],
    [
      'with a refusal by one who keeps silent about its end',
      (socket) => socket.write(head(422, 'content-length: 200') + '{"code":"Limit"}'),
    ],
  ])('whose payment is answered %s does not free its invoices (threat 3.29, 3.31)', async (_, attack) => {
    const { server } = await consoleAt((_request, socket) => void attack(socket));
    const body = batch('T');
    expect(await server.refused('createBatch', { body, key: 'T' })).toMatchObject({ outcome: 'unknown' });
    expect(await server.refused('createBatch', { body, key: 'other' })).toMatchObject({ code: 'paid-already' });
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
