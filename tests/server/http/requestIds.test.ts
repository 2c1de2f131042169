import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { health } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask, integratorAt } from '#tests/support/integrator.ts';
import { listening } from '#tests/support/listen.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;
const uuid = /^[\da-f]{8}-[\da-f-]{27}$/;
const anyTraceparent = /^00-([\da-f]{32})-([\da-f]{16})-0[01]$/;

const healthy = { [endpoints.consumerStatus]: answering(health) };

async function served() {
  const service = await fakeUpstream(healthy);
  return { service, ...(await testConsole({ upstreamUrl: service.url, limits: { backOff: 1 } })) };
}

/** The header of an answer, which has one value. */
const one = (value: string | string[] | undefined) => String(value);

describe('The request id', () => {
  it.each(['a', 'req-1', '7f3b2c1e9d8a4b5c6d7e8f9012345678', 'Root=1-67891233:abc/def+x@y.z', 'x'.repeat(128)])(
    'of a caller is returned and passed to the service: %s (behaviour 7.24)',
    async (id) => {
      const { url, service } = await served();
      const answer = await ask(url, 'GET', '/api/consumerapistatus', { 'x-request-id': id });
      expect(answer.headers['x-request-id']).toBe(id);
      expect(service.asked.at(-1)!.headers['x-request-id']).toBe(id);
    },
  );

  it.each([
    ['missing', {}],
    ['empty', { 'x-request-id': '' }],
    ['too long', { 'x-request-id': 'x'.repeat(129) }],
    ['with a blank', { 'x-request-id': 'a b' }],
    ['with quotes', { 'x-request-id': '"},{"level":"fatal' }],
    ['not ASCII', { 'x-request-id': 'caf\u00e9' }],
    ['sent twice', { 'x-request-id': ['one', 'two'] }],
  ])('that is %s is replaced by a new one (behaviour 7.24)', async (_, headers) => {
    const { url, service } = await served();
    const answer = await ask(url, 'GET', '/api/consumerapistatus', headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toMatch(uuid);
    expect(service.asked.at(-1)!.headers['x-request-id']).toBe(answer.headers['x-request-id']);
  });

  it('is in every problem, with traceparent (behaviour 7.24)', async () => {
    const { url } = await served();
    const json = { 'content-type': 'application/json', 'x-request-id': 'req-7', traceparent };
    for (const [method, path, body, more] of [
      ['GET', '/api/nothing', ''],
      ['POST', '/api/settings', '{"a":'],
      ['POST', '/api/settings', '{}'],
      ['POST', '/api/batchpayments', `"${'x'.repeat(6 * 1024 * 1024)}"`],
      ['POST', '/notifications', '{}'],
      ['GET', '/program/v3/providers', ''],
      ['GET', `/api/settings?${'x'.repeat(9000)}`, ''],
      ['GET', '/api/settings', '', { host: 'rebound.example' }],
      ['POST', '/api/settings', '{}', { origin: 'https://elsewhere.example' }],
      ['POST', '/api/account', '{}', { 'idempotency-key': ['one', 'two'] }],
    ] as [string, string, string, Record<string, string | string[]>?][]) {
      const { headers, answer } = await ask(url, method, path, { ...json, ...more }, body);
      expect(JSON.parse(answer), path).toMatchObject({ requestId: 'req-7', traceparent: headers['traceparent'] });
      expect(headers['x-request-id']).toBe('req-7');
    }
  });

  it('is in the problem of somebody who has not signed in (behaviour 7.24)', async () => {
    const { url } = await sharedUse();
    const { status, answer } = await ask(url, 'GET', '/api/settings', { 'x-request-id': 'req-8' });
    expect(status).toBe(401);
    expect(JSON.parse(answer)).toMatchObject({ code: 'signed-out', requestId: 'req-8' });
  });

  it('is new in the problem of what is not valid HTTP (behaviour 7.24)', async () => {
    const url = new URL(await listening((_, response) => response.end(), createHttpServer));
    const socket = connect(Number(url.port), url.hostname);
    socket.end('NOT HTTP\r\n\r\n');
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const { requestId } = JSON.parse(body) as { requestId: string };
    expect(requestId).toMatch(uuid);
    expect(head).toContain(`X-Request-Id: ${requestId}`);
  });
});

describe('The trace', () => {
  it('of a caller continues at the service, each call of it in a span of its own (behaviour 7.24)', async () => {
    const { url, service } = await served();
    service.scripts[endpoints.consumerStatus] = answering({}, 503);
    const answer = await ask(url, 'GET', '/api/consumerapistatus', { traceparent, tracestate: 'a=1, b@c=x y' });
    const [, answeredTrace, ownSpan] = anyTraceparent.exec(one(answer.headers['traceparent']))!;
    expect(answeredTrace).toBe(traceId);
    const sent = service.askedFor(endpoints.consumerStatus).map(({ headers }) => one(headers['traceparent']));
    expect(sent.length).toBeGreaterThan(1);
    const spans = sent.map((each) => anyTraceparent.exec(each)!);
    expect(new Set(spans.map(([, id]) => id))).toEqual(new Set([traceId]));
    expect(new Set([...spans.map(([, , span]) => span), ownSpan, parentId]).size).toBe(spans.length + 2);
    expect(sent.every((each) => each.endsWith('-01'))).toBe(true);
    expect(service.asked.at(-1)!.headers['tracestate']).toBe('a=1,b@c=x y');
  });

  it.each([
    ['unsampled', `00-${traceId}-${parentId}-00`, '-00'],
    ['of a later version', `cc-${traceId}-${parentId}-01-what-comes-next`, '-01'],
    ['with unknown flags', `00-${traceId}-${parentId}-ff`, '-01'],
  ])('that is %s continues (behaviour 7.24)', async (_, given, flags) => {
    const { url } = await served();
    const { headers } = await ask(url, 'GET', '/healthz', { traceparent: given });
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[\\da-f]{16}${flags}$`));
  });

  it.each([
    ['missing', undefined],
    ['no traceparent', 'garbage'],
    ['in upper case', traceparent.toUpperCase()],
    ['of version ff', `ff-${traceId}-${parentId}-01`],
    ['longer than its version allows', `${traceparent}-01`],
    ['of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['without parent', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['cut short', traceparent.slice(0, -1)],
    ['sent twice', [traceparent, traceparent]],
  ])('is a new one, without tracestate, in place of one that is %s (behaviour 7.24)', async (_, given) => {
    const { url, service } = await served();
    const headers = { tracestate: 'a=1', ...(given !== undefined && { traceparent: given }) };
    const answer = await ask(url, 'GET', '/api/consumerapistatus', headers);
    const [, begun] = anyTraceparent.exec(one(answer.headers['traceparent']))!;
    expect(begun).not.toBe(traceId);
    const { headers: passed } = service.asked.at(-1)!;
    expect(one(passed['traceparent'])).toContain(begun);
    expect(passed['tracestate']).toBeUndefined();
  });

  it.each([
    'a',
    'A=1',
    'a=1,a=2',
    `a=${'x'.repeat(257)}`,
    'a=b=c',
    Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(),
  ])('continues without a tracestate that is invalid: %s (behaviour 7.24)', async (tracestate) => {
    const { url, service } = await served();
    await ask(url, 'GET', '/api/consumerapistatus', { traceparent, tracestate });
    expect(one(service.asked.at(-1)!.headers['traceparent'])).toContain(traceId);
    expect(service.asked.at(-1)!.headers['tracestate']).toBeUndefined();
  });
});

it('A program’s call passes with its own ids unchanged, and gets some if they are missing or invalid; those of the answer stay (behaviour 7.10, 7.24)', async () => {
  const service = await fakeUpstream({ [endpoints.providers]: answering({ data: [] }) });
  const program = await integratorAt((await testConsole({ upstreamUrl: service.url })).url);
  const called = async (given: Record<string, string>) => {
    const answer = await program.called('GET', endpoints.providers, given);
    return [service.asked.at(-1)!.headers, answer.headers['x-request-id']] as const;
  };
  const own = { 'x-request-id': 'own-1', traceparent, tracestate: 'a=1' };
  expect(await called(own)).toMatchObject([own, 'own-1']);

  const [passed, id] = await called({ 'x-request-id': 'a b', traceparent: 'x', tracestate: 'a=1' });
  expect(passed['x-request-id']).toMatch(uuid);
  expect(id).toBe(passed['x-request-id']);
  expect(passed['traceparent']).toMatch(anyTraceparent);
  expect(passed['tracestate']).toBeUndefined();

  service.scripts[endpoints.providers] = (response) =>
    void response.writeHead(200, { 'X-Request-ID': 'theirs' }).end('{}');
  expect((await called({}))[1]).toBe('theirs');
});
