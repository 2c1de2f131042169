import { expect, it, vi, onTestFinished } from 'vitest';
import { pino } from 'pino';
import { text } from 'node:stream/consumers';
import { systemClock } from '#server/clock.ts';
import { createReadiness, healthRoutes } from '#server/ops/readiness.ts';
import { createKoa } from '#server/http/koa.ts';
import { routerOf, routesOf } from '#server/http/routes.ts';
import { silent, testConsole } from '#tests/support/console.ts';
import { listening } from '#tests/support/listen.ts';
import { storageIn, temporaryFolder } from '#tests/support/store.ts';
import { logThrottle } from '#server/ops/logThrottle.ts';
import { DatabaseError, ownCodes, postgresError } from '#server/storage/errors.ts';
import { createTraces } from '#server/ops/traces.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { health } from '#tests/support/client.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask, integratorAt } from '#tests/support/integrator.ts';
import { keptLog } from '#tests/support/logLines.ts';

const up = () => Promise.resolve({ status: 'UP', httpStatus: 200 } as never);
const never = () => new Promise<never>(() => undefined);
const fails = () => Promise.reject(new Error('connect ECONNREFUSED'));
const says503 = () => Promise.resolve({ status: 'DOWN', httpStatus: 503 } as never);

/** Readiness of a console whose store works, by what other services do; time passes by `pass`. */
async function readinessWith(health: () => Promise<never>, askSignIn?: () => Promise<unknown>) {
  let passed = 0;
  const clock = {
    ...systemClock,
    steady: () => systemClock.steady() + passed,
    setTimeout: (run: () => void, ms: number) => systemClock.setTimeout(run, ms / 50),
  };
  const storage = await storageIn(temporaryFolder());
  const readiness = createReadiness({ storage, upstream: { health }, askSignIn, clock, log: silent });
  return { readiness, storage, pass: (ms: number) => (passed += ms) };
}

it.each([
  ['refuses connections', fails],
  ['answers 503', says503],
])('Readiness is 200 with the field upstream false while the service %s (behaviour 7.26)', async (_, health) => {
  const { readiness } = await readinessWith(health);
  const app = createKoa(silent);
  app.use(routesOf(routerOf(healthRoutes(readiness))));
  const handle = app.callback();
  const answer = await fetch(`${await listening((...exchange) => void handle(...exchange))}/readyz`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ store: true, upstream: false });
});

it('Readiness does not wait for a service that does not answer, and reports it once it is overdue', async () => {
  const { readiness, pass } = await readinessWith(never, never);
  expect(await readiness()).toEqual({ store: true });
  await expect.poll(() => (pass(1000), readiness())).toEqual({ store: true, upstream: false, signIn: false });
});

it('Readiness reports the sign-in service, which is asked once in 15 seconds', async () => {
  const ask = vi.fn<() => Promise<unknown>>(fails);
  const { readiness, pass } = await readinessWith(up, ask);
  for (let look = 0; look < 14; look += 1) {
    expect(await readiness()).toEqual({ store: true, upstream: true, signIn: false });
    pass(1000);
  }
  expect(ask).toHaveBeenCalledTimes(1);
  ask.mockResolvedValue(undefined);
  pass(1000);
  expect(await readiness()).toEqual({ store: true, upstream: true, signIn: true });
});

it('Readiness is 503 while the store cannot be written, whatever other services do (behaviour 7.26)', async () => {
  const { readiness, storage } = await readinessWith(up);
  vi.spyOn(storage, 'assertWritable').mockRejectedValue(new Error('disk full'));
  const app = createKoa(silent);
  app.use(routesOf(routerOf(healthRoutes(readiness))));
  const handle = app.callback();
  expect((await fetch(`${await listening((...exchange) => void handle(...exchange))}/readyz`)).status).toBe(503);
});

const refused = () =>
  postgresError(
    'the database',
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
  );
const starting = () => postgresError('the database', Object.assign(new Error('starting up'), { code: '57P03' }));

/** A log, and the lines that it has printed. */
function printing() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: { msg: string; err?: { message: string }; alike?: number; route?: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]); // as pino writes it
  return { log: pino({ hooks: { logMethod: logThrottle(systemClock) } }, { write }), lines };
}

it('The log prints the first of equal database failures, then the latest every ten seconds with a count', () => {
  const { log, lines } = printing();
  for (let second = 0; second < 25; second += 1) {
    log.error({ err: refused(), route: `/${second}` }, 'a request failed');
    vi.advanceTimersByTime(1000);
  }
  vi.advanceTimersByTime(60_000);
  expect(lines.map(({ route, alike }) => [route, alike])).toEqual([
    ['/0', undefined],
    ['/9', 8],
    ['/19', 9],
    ['/24', 4],
  ]);

  log.error({ err: refused() }, 'a request failed');
  expect(lines, 'the next outage is told at once').toHaveLength(5);
});

it('The log prints immediately lines with another message, another error or no database failure', () => {
  const { log, lines } = printing();
  const kinds = [
    () => log.error({ err: refused() }, 'a request failed'),
    () => log.error({ err: refused() }, 'the timeline could not be read'),
    () => log.error({ err: starting() }, 'a request failed'),
    () =>
      log.error(
        { err: new DatabaseError('host/sandbox', ownCodes.unfit, 'another sandbox works on it') },
        'the sandbox cannot read its jobs',
      ),
  ];
  for (const print of [...kinds, ...kinds]) print();
  expect(lines).toHaveLength(kinds.length);

  lines.length = 0;
  for (let count = 0; count < 3; count += 1) {
    log.error({ err: new TypeError('nothing is there') }, 'a request failed');
    log.info('a line without values');
  }
  expect(lines).toHaveLength(6);
});

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
