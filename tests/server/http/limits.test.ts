import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Problem } from '#contract/problem.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { createTokenBucket, type Rate } from '#server/http/tokenBucket.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { listening } from '#tests/support/listen.ts';

const consoleAlone = async (options: { rate?: Rate; clock?: Clock } = {}) =>
  testConsole({ upstreamUrl: (await fakeUpstream({})).url, ...options });

/** The response to bytes that fetch would not send. */
async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

const problemIn = async (response: Response) => {
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  return (await response.json()) as Problem;
};

describe('A request', () => {
  it('with a URL that is too long is refused with 414 (threat 6.4)', async () => {
    const { url } = await consoleAlone();
    const problem = await problemIn(await fetch(`${url}/api/downloadpaymentfile/${'x'.repeat(9000)}`));
    expect(problem).toMatchObject({ status: 414, code: 'too-large' });
  });

  it('with headers that are too large is refused with 431 (threat 6.4)', async () => {
    const { url } = await consoleAlone();
    const problem = await problemIn(await fetch(`${url}/healthz`, { headers: { 'x-large': 'x'.repeat(20_000) } }));
    expect(problem).toMatchObject({ status: 431, code: 'too-large' });
  });

  it.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nHost: console\r\n'],
    ['body', 'POST /api/settings HTTP/1.1\r\nHost: console\r\nContent-Length: 10\r\n\r\n{"key":'],
  ])('with incomplete %s is refused with 408 after the time-out', async (_, begun) => {
    const impatient = { headers: 100, request: 200, answer: 200, looks: 50 };
    const reads: RequestListener = (request) => request.on('error', () => {}).resume();
    const url = await listening(reads, (handle) => createHttpServer(handle, 10, impatient));
    const answer = await raw(url, begun);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ status: 408, code: 'invalid-request' });
  });

  it('whose content type is not JSON is refused with 415 and changes nothing (threat 1.3)', async () => {
    const { url, store } = await consoleAlone();
    const body = JSON.stringify({ key: 'useMock', value: 'false' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await fetch(`${url}/api/settings`, { method: 'POST', headers: { 'content-type': type }, body });
      expect(await problemIn(answer)).toMatchObject({ status: 415, code: 'invalid-request' });
    }
    expect(await store.settings.read()).toEqual({});
  });

  it('without a body needs no JSON content type', async () => {
    const { url } = await consoleAlone();
    for (const headers of [{}, { 'content-type': 'application/x-www-form-urlencoded' }])
      expect((await fetch(`${url}/api/login`, { method: 'POST', headers })).status).toBe(200);
  });

  it('above the rate limit is refused with 429 and Retry-After (threat 6.4)', async () => {
    const stopped = systemClock.steady();
    const clock = { ...systemClock, steady: () => stopped }; // however slowly the requests arrive
    const { url } = await consoleAlone({ rate: { perSecond: 1, burst: 5 }, clock });
    const answers = await Promise.all(Array.from({ length: 6 }, () => fetch(`${url}/api/openapi.json`)));
    const [refused, ...more] = answers.filter(({ status }) => status !== 200);
    expect(more).toEqual([]);
    expect(refused!.headers.get('retry-after')).toBe('1');
    expect(await problemIn(refused!)).toMatchObject({ status: 429, code: 'rate-limited', retryAfter: 1 });
  });
});

describe('The token bucket of the rate limit', () => {
  const clock = { time: 0, steady: () => clock.time };

  it('is separate for each caller, and refills', () => {
    const take = createTokenBucket({ perSecond: 2, burst: 2 }, clock);
    expect([take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 1, 0]);
    clock.time += 500;
    expect([take('a'), take('a')]).toEqual([0, 1]);
  });

  it('keeps the state of a limited caller although 5,000 other callers follow', () => {
    const take = createTokenBucket({ perSecond: 1, burst: 1 }, clock);
    expect(take('a')).toBe(0);
    for (let caller = 0; caller < 5000; caller += 1) take(`other ${caller}`);
    expect(take('a')).toBe(1);
  });
});

describe('An id in a request path', () => {
  it('is percent-encoded as one segment of the service’s path, whatever it contains (threat 6.19)', async () => {
    const service = await fakeUpstream({ [endpoints.providers]: answering({ data: {} }) });
    const { refused } = await testConsole({ upstreamUrl: service.url });
    for (const providerId of ['../../auth-v1/accessToken', 'a/b?c=d#e', '..\\..', '%2e%2e', '\r\nX-Evil: 1'])
      await refused('getProvider', { params: { providerId } });
    expect(service.asked.map(({ path }) => path)).toEqual([
      '/v3/providers/..%2F..%2Fauth-v1%2FaccessToken',
      '/v3/providers/a%2Fb%3Fc%3Dd%23e',
      '/v3/providers/..%5C..',
      '/v3/providers/%252e%252e',
      '/v3/providers/X-Evil%3A%201',
    ]);
  });

  it('is refused if it consists of encoded dots that would lead up the path (threat 6.19)', async () => {
    const service = await fakeUpstream({});
    const { url } = await testConsole({ upstreamUrl: service.url });
    const { host } = new URL(url);
    for (const dots of ['%2E', '%2e%2E']) {
      const head = `GET /api/providers/${dots} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await raw(url, head)).toMatch(/^HTTP\/1.1 400 /);
    }
    expect(service.asked).toEqual([]);
  });
});
