import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Context, Middleware } from 'koa';
import pino from 'pino';
import { faultRuleSchema, type Fault } from '#contract/controlShapes.ts';
import { systemClock } from '#server/clock.ts';
import { answerErrors } from '#server/http/errors.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { createKoa } from '#server/http/koa.ts';
import { forwardedHeaders, pairsOf, returnedHeaders } from '#server/programs/headers.ts';
import type { Exercise } from '#server/programs/checks/evidence.ts';
import { readText } from '#server/sandbox/http/body.ts';
import { Problem } from '#server/sandbox/http/problem.ts';
import { createCallFaults } from '#server/sandbox/faults/callFaults.ts';
import { problemSender } from '#server/sandbox/pages/problemResponse.ts';
import { createRecordBudget } from '#server/sandbox/records/budget.ts';
import { notesOf } from '#server/sandbox/records/call.ts';
import { createRecorder } from '#server/sandbox/records/recorder.ts';
import { createTransport } from '#server/upstream/transport.ts';

/** Maximum number of recorded calls, and of bytes of all of them. */
const [mostCalls, mostMemory] = [10_000, 64 * 1024 * 1024];
/** How long (ms) the service may take, and the most bytes of an answer. */
const limits = { timeouts: { headers: 100_000, body: 100_000, total: 120_000 }, maxBytes: 8 * 1024 * 1024 };

/** A call that the service has accepted: its answer, whether or not the program received it. */
export interface Accepted {
  ctx: Context;
  answer: string;
  /** ms since the epoch. */
  at: number;
}

/** A rule that has not happened often enough yet. */
interface Left {
  of: string;
  fault: Fault<'call'>;
  times: number;
}

/**
 * Opens a proxy in front of a service, on a free port of this machine: it records the calls of a program, and affects
 * them by faults. Addresses of the service in its answers are replaced by the proxy's own.
 */
export async function openFaultProxy({
  target,
  operationOf,
  accepted,
}: {
  /** The service's address, without a slash at the end. */
  target: string;
  operationOf: (method: string, path: string) => string | undefined;
  /** Called with each call that the service has accepted. */
  accepted: (call: Accepted) => void;
}) {
  const log = pino({ level: 'silent' });
  const { origin, pathname } = new URL(target);
  const base = pathname.replace(/\/$/, '');
  const transport = createTransport();
  const rules: Left[] = [];
  /** Why the service could not be reached, of the latest call. */
  let failure = '';

  const take = (name: string) => {
    const rule = rules.find(({ of, times }) => times > 0 && [name, 'any'].includes(of));
    if (!rule) return undefined;
    rule.times -= 1;
    return { fault: rule.fault, injected: { kind: rule.fault.kind, ruleId: 'verify' } };
  };

  const server = createHttpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port

  /** Sends a call to the service, and answers what it answered. A program that hangs up does not end it. */
  const forward: Middleware = async (ctx) => {
    const { bytes } = ctx.request;
    const headers = pairsOf(forwardedHeaders(ctx.req.rawHeaders, false)).filter(
      ([name]) => !/^accept-encoding$/i.test(name),
    );
    const {
      status,
      headers: raw,
      body,
    } = await transport(
      {
        origin,
        path: base + (ctx.req.url ?? '/'),
        method: ctx.method,
        headers: headers.flat(),
        ownConnection: true,
        ...(bytes && bytes.length > 0 && { body: bytes }),
      },
      limits,
    ).catch((error: unknown) => {
      failure = (error as Error).message; // a TransportError
      throw new Problem(502, `The service cannot be reached: ${failure}`);
    });
    for (const [name, value] of pairsOf(returnedHeaders(raw, false)))
      if (!/^(content-length|connection|date)$/i.test(name)) ctx.append(name, value.replaceAll(target, url));
    const answer = body.toString().replaceAll(target, url);
    ctx.body = body.length === 0 ? null : isUtf8(body) ? answer : body;
    ctx.status = status;
    const isDone = status >= 200 && status < 300;
    notesOf(ctx).isDone = isDone;
    if (isDone) accepted({ ctx, answer, at: Date.now() });
  };

  const problems = answerErrors(problemSender(log), ({ method, path }) => new Problem(404, `No ${method} ${path}`));
  const callFaults = createCallFaults({
    faults: { take: (_, name) => Promise.resolve(take(name)) },
    clock: systemClock,
    problems,
    nameOf: operationOf,
  });
  const recorder = createRecorder({
    maximum: mostCalls,
    budget: createRecordBudget(mostMemory),
    unrecorded: randomUUID(),
    url,
    isOwn: () => false,
    addressesOf: () => undefined,
    onCall: () => undefined,
    clock: systemClock,
    paths: { operationOf, isApi: () => true, isOwnPage: () => false },
  });

  const app = createKoa(log);
  app.use(recorder.record);
  app.use(problems);
  app.use(readText);
  app.use(callFaults.rules);
  app.use(forward);
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));

  return {
    url,
    calls: recorder.calls,
    /** Why the service could not be reached; '' if it could. */
    failure: () => failure,
    addFault(rule: Exercise): void {
      const { on, of, fault } = faultRuleSchema.parse(rule);
      if (on === 'call') rules.push({ of, fault, times: rule.times });
    },
    /** Stops all faults, which sends delayed answers. */
    clearFaults(): void {
      rules.length = 0;
      callFaults.release();
    },
    async close(): Promise<void> {
      callFaults.release();
      const ended = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([ended, transport.close()]);
    },
  };
}
