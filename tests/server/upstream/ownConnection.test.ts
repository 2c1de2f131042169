import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTransport, TransportError } from '#server/upstream/transport.ts';
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
      'an interim response that was not asked for',
      'unreachable',
      (socket) => socket.write(`HTTP/1.1 100 Go\r\n\r\n${answer}`),
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

  it('passes over the announcements that HTTP allows before a response', async () => {
    const { post } = await transportTo((_request, socket) =>
      socket.write(`HTTP/1.1 103 Early\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Wait\r\n\r\n${answer}`),
    );
    expect(await post('{}')).toMatchObject({ status: 201, body: Buffer.from('{"data":{"batchId":"own"}}') });
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
        ...{ externalId: id, subscriptionId: 's', requestedExecutionDateTime: executionDate },
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
