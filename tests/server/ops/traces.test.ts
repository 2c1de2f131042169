import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createTraces } from '#server/ops/traces.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { health } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask, integratorAt } from '#tests/support/integrator.ts';
import { listening } from '#tests/support/listen.ts';
import { keptLog } from '#tests/support/logLines.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

/** A span as OTLP's JSON has it. */
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}
interface Sent {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
}

/** A collector, and a console that sends its traces there. */
async function traced(status = 200) {
  const received: { path: string; authorization: string | undefined; body: Sent }[] = [];
  const collector = await listening((request, response) => {
    void text(request).then((body) => {
      const { url: path = '', headers } = request;
      received.push({ path, authorization: headers.authorization, body: JSON.parse(body) as Sent });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const kept = keptLog();
  const traces = createTraces(
    { url: `${collector}/v1/traces?key=of-collector`, headers: { authorization: 'Bearer of-collector' } },
    kept.log,
  );
  onTestFinished(() => traces.close());
  const service = await fakeUpstream({
    [endpoints.consumerStatus]: answering(health),
    [endpoints.batches]: answering({}, 500),
  });
  const server = await testConsole({ upstreamUrl: service.url, onSpan: traces.onSpan });
  const spans = async () => {
    await traces.close();
    return received.flatMap(({ body }) =>
      body.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)),
    );
  };
  return { ...server, ...kept, collector, service, received, spans };
}

it('A request and its call of the service are spans of the caller’s trace (behaviour 7.30)', async () => {
  const { url, service, spans, received } = await traced();
  await ask(url, 'GET', '/api/consumerapistatus', { traceparent: `00-${traceId}-${parentId}-01` });
  const [call, request, ...others] = await spans();
  expect(others).toEqual([]);
  expect(request).toMatchObject({ traceId, parentSpanId: parentId, name: 'GET /api/consumerapistatus', kind: 2 });
  expect(call).toMatchObject({ traceId, parentSpanId: request!.spanId, name: 'GET consumerStatus', kind: 3 });
  expect(service.asked.at(-1)!.headers['traceparent']).toBe(`00-${traceId}-${call!.spanId}-01`);
  expect(BigInt(call!.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call!.startTimeUnixNano));
  expect(received[0]).toMatchObject({ path: '/v1/traces?key=of-collector', authorization: 'Bearer of-collector' });
  const { attributes } = received[0]!.body.resourceSpans[0]!.resource;
  expect(attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'payments-out-console' } });
});

it('A request without a trace begins one, which is recorded (behaviour 7.30)', async () => {
  const { url, spans } = await traced();
  const { headers } = await ask(url, 'GET', '/healthz');
  const [request, ...others] = await spans();
  expect(others).toEqual([]);
  expect(headers['traceparent']).toBe(`00-${request!.traceId}-${request!.spanId}-01`);
  expect(request!.parentSpanId).toBeUndefined();
});

it('A trace that its caller does not record is not recorded (behaviour 7.30)', async () => {
  const { url, spans } = await traced();
  await ask(url, 'GET', '/api/consumerapistatus', { traceparent: `00-${traceId}-${parentId}-00` });
  expect(await spans()).toEqual([]);
});

it('A program’s call and a failure of the service are spans too, with an error (behaviour 7.30)', async () => {
  const { url, spans } = await traced();
  const program = await integratorAt(url);
  await program.called('POST', endpoints.batches, { traceparent: `00-${traceId}-${parentId}-01` }, '{}');
  const ofProgram = (await spans()).filter((span) => span.traceId === traceId);
  expect(ofProgram.map(({ name, kind, status }) => [name, kind, status.code])).toEqual([
    ['POST createBatch', 3, 2],
    ['POST /program/*', 2, 2],
  ]);
  expect(JSON.stringify(ofProgram)).not.toContain('pocp_');
});

it('A collector that refuses costs a line of the log, with its address and status, and no request (behaviour 7.30)', async () => {
  const { url, collector, spans, lines, received } = await traced(400);
  expect((await ask(url, 'GET', '/healthz')).status).toBe(200);
  await spans();
  expect(received).toHaveLength(1);
  expect(lines('traces could not be sent')).toEqual([
    expect.objectContaining({ collector: `${collector}/v1/traces`, reason: 'HTTP 400 Bad Request {}' }),
  ]);
});

it('A collector that is busy, or cannot be reached at the end, is logged with its address and the cause (behaviour 7.30)', async () => {
  const busy = await listening((_, response) => void response.writeHead(503, { 'retry-after': '60' }).end());
  for (const [origin, reason] of [
    [busy, 'HTTP 429, 502, 503 or 504 until the time-out'],
    ['http://127.0.0.1:1', 'the last spans were not taken within 2000 ms'],
  ] as const) {
    const kept = keptLog();
    const traces = createTraces({ url: `${origin}/v1/traces`, headers: {} }, kept.log);
    traces.onSpan({
      name: 'GET /healthz',
      kind: 'server',
      traceId,
      spanId: parentId,
      parentId: '',
      state: '',
      startedAt: 0,
      ms: 1,
      attributes: {},
      isFailed: false,
    });
    await traces.close();
    expect(kept.lines('traces could not be sent')).toEqual([
      expect.objectContaining({ collector: `${origin}/v1/traces`, reason }),
    ]);
  }
});
