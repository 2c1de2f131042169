import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TransportError } from '#server/upstream/exchange.ts';
import { createTransport } from '#server/upstream/transport.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testConsole } from '#tests/support/console.ts';
import { unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { rawResponse, rawService } from '#tests/support/rawService.ts';

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
