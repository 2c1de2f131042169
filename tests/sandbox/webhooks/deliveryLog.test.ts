import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SimulatedClock } from 'xstate';
import { createHmac } from 'node:crypto';
import { failureResult, resultOf, shownAddress } from '#server/sandbox/webhooks/attemptOutcome.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { postOutside, postOverHttp } from '#server/sandbox/webhooks/transport.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { checkSignature } from '#server/sandbox/webhooks/signature.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testLab } from '../testLab.ts';

interface Logged {
  webhookId: string;
  attempts: number;
  delivered: boolean;
  status: number;
  log: { at: string; receiver: string; url: string; status: number; outcome: string }[];
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`; // it listens on a port
}
const answering = (handle: RequestListener) => listening(createServer(handle));
const tcp = (handle: (socket: Socket) => void) => listening(createTcpServer(handle));
/** An address at which nothing listens: its port is that of a client, so that no server takes it meanwhile. */
const closed = async () => {
  const client = connect(Number(new URL(await tcp(() => undefined)).port), '127.0.0.1');
  await once(client, 'connect');
  onTestFinished(() => void client.destroy());
  return `http://127.0.0.1:${client.localPort}/hooks`;
};

/** A sandbox with a second receiver at this address, and what the log says of a webhook sent to both. */
async function logged(url: string) {
  const lab = await testLab();
  const ask = async <T>(method: string, path: string, body?: object) =>
    (await lab.lab(method, path, body)).body.data as unknown as T; // the answer to this call
  await ask('PUT', '/receiver', { url });
  await lab.call('PATCH', `${endpoints.subscriptions}/${lab.who.subscriptionId}`, {
    token: lab.who.token,
    body: { data: { suspendedByConsumer: true } },
  });
  await lab.webhook('subscriptionUpdated');
  const latest = async () => (await ask<Logged[]>('GET', '/webhooks'))[0]!;
  const of = async (receiver: string) => (await latest()).log.filter((each) => each.receiver === receiver);
  await expect.poll(async () => (await of('second')).length).toBeGreaterThan(0);
  return { lab, ask, latest, of };
}

describe('the delivery log', () => {
  it.each<[string, () => Promise<string>, number, (url: string) => string]>([
    ['accepted', () => answering((_, response) => response.writeHead(202).end()), 202, () => 'accepted with 202'],
    ['refused', () => answering((_, response) => response.writeHead(503).end()), 503, () => 'refused with 503'],
    [
      'redirected',
      () => answering((_, response) => response.writeHead(308, { location: '/new?x=1' }).end()),
      308,
      (url) => `redirected with 308 to ${url.replace('/hooks', '/new?x=1')}, which is not followed`,
    ],
    [
      'too large',
      () => answering((_, response) => response.writeHead(413).end()),
      413,
      () => 'refused with 413: the body of',
    ],
    [
      'closed',
      () => tcp((socket) => socket.once('data', () => socket.destroy())),
      0,
      () => 'the connection was closed without',
    ],
    [
      'no HTTP',
      () => tcp((socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n\r\n'))),
      0,
      () => 'the answer is not valid HTTP',
    ],
    ['refused connection', closed, 0, () => 'connection refused: nothing listens at this address'],
    ['no such host', () => Promise.resolve('http://nowhere.invalid/hooks'), 0, () => 'no such host'],
    [
      'TLS',
      async () => (await answering((_, response) => response.end())).replace('http:', 'https:'),
      0,
      () => 'TLS failed: ',
    ],
  ])(
    'says what happened at the second receiver, and at which address: %s (behaviour 10.20.16)',
    async (_, opened, status, says) => {
      const url = await opened();
      const { of, latest } = await logged(url);
      expect(await of('second')).toMatchObject([
        { url, status, outcome: expect.stringContaining(says(url)) as string },
      ]);
      expect(await of('consumer')).toMatchObject([{ status: 204, outcome: 'accepted with 204' }]);
      expect(await latest()).toMatchObject({ attempts: 1, delivered: true, status: 204 });
    },
  );

  it('has each attempt at the consumer, also a redirected one, by the webhooks as recorded', async () => {
    const { lab, ask, latest } = await logged(await answering((_, response) => response.end()));
    lab.receiverAnswer.status = 307;
    const again = await ask<{ to: string[] }>('POST', `/webhooks/${(await latest()).webhookId}/again`);
    lab.clock.increment(0);
    await expect.poll(async () => (await latest()).attempts).toBe(2);
    lab.receiverAnswer.status = 204;
    await expect
      .poll(async () => {
        lab.clock.increment(1000);
        return (await latest()).log.filter(({ receiver }) => receiver === 'consumer').map(({ outcome }) => outcome);
      })
      .toEqual(['accepted with 204', 'redirected with 307 to no address', 'accepted with 204']);
    expect(again.to).toEqual([...new Set((await latest()).log.map(({ url }) => url))]);
    expect(again.to).toHaveLength(2);
  });

  it('says that the fault lab keeps the receiver down, and has the latest 40 attempts', async () => {
    const { lab, ask, latest, of } = await logged(await answering((_, response) => response.end()));
    const { webhookId } = await latest();
    for (let turn = 0; turn < 45; turn += 1) await ask('POST', `/webhooks/${webhookId}/again`);
    lab.clock.increment(0);
    await expect.poll(async () => (await latest()).attempts, { timeout: 30_000 }).toBe(46);
    expect((await latest()).log).toHaveLength(40);
    await lab.set({ on: 'webhook', fault: { kind: 'receiverDown', ms: 60_000 } });
    await lab.call('PATCH', `${endpoints.subscriptions}/${lab.who.subscriptionId}`, {
      token: lab.who.token,
      body: { data: { suspendedByConsumer: false } },
    });
    lab.clock.increment(500);
    await expect
      .poll(async () => (await of('consumer'))[0])
      .toMatchObject({ status: 0, outcome: 'not sent: the fault receiverDown of the lab holds' });
    expect((await latest()).attempts).toBe(0);
  });
});

describe('the recorded delivery to the consumer', () => {
  it('is not sent where webhooks may not go', async () => {
    const asked = postOutside(postOverHttp, 'http://169.254.169.254/', {
      headers: {},
      body: '',
      signal: AbortSignal.timeout(50),
      shared: false,
    });
    const result = await asked.catch((error: unknown) => failureResult(error, 50));
    expect(result).toEqual({
      status: 0,
      outcome: expect.stringMatching(/^not sent: no reserved, link-local/) as string,
    });
  });
});

describe('what is said of an attempt', () => {
  it.each([
    [Object.assign(new Error('x'), { name: 'TimeoutError' }), 'no answer within 10 s'],
    [new Error('x', { cause: Object.assign(new Error('y'), { name: 'AbortError' }) }), 'no answer within 10 s'],
    [
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      }),
      'TLS failed: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' }), 'TLS failed: expired (CERT_HAS_EXPIRED)'],
    [Object.assign(new Error('x'), { code: 'EAI_AGAIN' }), 'no such host: the name could not be resolved at present'],
    [new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]), 'connection refused'],
    [Object.assign(new Error('x'), { code: 'EPIPE' }), 'the connection was closed while the body was sent'],
    [Object.assign(new Error('x'), { code: 'ENETUNREACH' }), 'the network of the host cannot be reached'],
    [Object.assign(new Error('x'), { code: 'EOTHER' }), 'no answer (EOTHER)'],
    ['text', 'no answer'],
  ])('names its cause', (error, says) => {
    expect(failureResult(error, 10_000)).toMatchObject({ status: 0, outcome: expect.stringContaining(says) as string });
  });

  it('has no credentials of an address', () => {
    expect(shownAddress('https://user:secret@a.example/x')).toBe('https://a.example/x');
    expect(resultOf(302, '//u:p@b.example/y', 'https://a.example/x', 1).outcome).toBe(
      'redirected with 302 to https://b.example/y, which is not followed',
    );
    expect(resultOf(304, null, 'https://a.example/x', 1).outcome).toBe('redirected with 304 to no address');
  });
});

describe('a delivery over a transport', () => {
  it('without an answer ends by the sandbox’s machine clock, and is repeated by it (behaviour 10.22.6)', async () => {
    const simulated = new SimulatedClock();
    const machineClock = Object.assign(simulated, { steady: () => simulated.now() });
    const posted: string[] = [];
    const sandbox = await createSandbox({
      machineClock,
      webhookUrl: 'http://receiver.example/',
      transport: (url, { body, signal }) =>
        new Promise((settle, reject) => {
          posted.push(`${url} ${body}`);
          if (posted.length > 1) settle({ status: 204 });
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    onTestFinished(() => sandbox.close());
    const sent = sandbox.webhooks.send({ type: 'batchUpdated' });
    const passes = (ms: number, calls: number) =>
      expect
        .poll(() => {
          machineClock.increment(ms);
          return posted.length;
        })
        .toBe(calls);
    await passes(500, 1);
    machineClock.increment(9000);
    expect(sandbox.webhooks()).toEqual([]);
    await passes(1000, 2);
    const webhookId = await sent;
    expect(sandbox.webhooks()).toMatchObject([
      {
        webhookId,
        deliveries: [{ ms: expect.any(Number) as number, outcome: 'no answer within 10 s' }, { status: 204 }],
      },
    ]);
    expect(posted[1]).toBe(posted[0]);
  });
});

const { webhookSecret: secret } = sandboxCredentials;
const now = Date.parse('2026-03-01T12:00:00.000Z');
const [id, timestamp] = ['msg_1', String(now / 1000)];
const body = '{"type":"batchUpdated","data":{"name":"Zoë"}}';
const right = `${id}.${timestamp}.${body}`;
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');

it.each<[words: string, signed: string, by?: string | Buffer, hash?: string]>([
  ['not decoded from Base64, and its prefix whsec_ was not removed', right, secret],
  ['the secret was not decoded from Base64', right, secret.slice('whsec_'.length)],
  ['the prefix whsec_ was not removed from the secret', right, Buffer.from(secret, 'base64')],
  ['the key was written in hexadecimal digits', right, key.toString('hex')],
  ['HMAC-SHA-1 instead of HMAC-SHA256', right, key, 'sha1'],
  ['HMAC-SHA-512 instead of HMAC-SHA256', right, key, 'sha512'],
  ['key and text of HMAC were exchanged', key.toString('latin1'), right],
  ['only the body was signed, without id and timestamp', body],
  ['the id was left out', `${timestamp}.${body}`],
  ['the timestamp was left out', `${id}.${body}`],
  ['the timestamp was signed before the id', `${timestamp}.${id}.${body}`],
  ['joined without dots', `${id}${timestamp}${body}`],
  ['joined by line breaks', `${id}\n${timestamp}\n${body}`],
  ['joined by colons', `${id}:${timestamp}:${body}`],
  ['the timestamp was signed in milliseconds', `${id}.${timestamp}000.${body}`],
  ['the timestamp was signed as a date', `${id}.${timestamp}.${body}`.replace(timestamp, '2026-03-01T12:00:00.000Z')],
  ['parsed and written again, in several lines', `${id}.${timestamp}.${JSON.stringify(JSON.parse(body), null, 2)}`],
  ['with other characters than ASCII as \\u escapes', right.replace('ë', '\\u00eb')],
  ['with its members sorted by name', `${id}.${timestamp}.{"data":{"name":"Zoë"},"type":"batchUpdated"}`],
  ['a line break was signed after the body', `${right}\n`],
  ['a byte order mark was signed before the body', `${id}.${timestamp}.\ufeff${body}`],
  ['the body was signed as a JSON string', `${id}.${timestamp}.${JSON.stringify(body)}`],
])('the wrong signature of a webhook is explained: %s', async (words, signed, by = key, hash = 'sha256') => {
  const text = words.startsWith('key and text') ? Buffer.from(signed, 'latin1') : signed;
  const signature = `v1,${createHmac(hash, by).update(text).digest('base64')}`;
  const { problems } = await checkSignature({ id, timestamp, body }, signature, secret, now);
  expect(problems).toEqual([expect.stringMatching(/^webhook-signature: not made as it should be: /)]);
  expect(problems[0]).toContain(words);
});
