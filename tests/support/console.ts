import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import type { Answer, Body, Params, Query } from '#contract/shapes.ts';
import { createApp } from '#server/app.ts';
import { systemClock } from '#server/clock.ts';
import { sandboxUpstream } from '#server/sandboxUpstream.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { openSandbox } from '#server/sandbox/open.ts';
import { createUpstream } from '#server/upstream/client.ts';
import type { Limits } from '#server/upstream/http.ts';
import { listening } from './listen.ts';
import { temporaryFolder, testStore } from './store.ts';

export const silent = pino({ level: 'silent' });

interface Request<C extends CallName> {
  params?: Params<C>;
  query?: Query<C>;
  body?: Body<C>;
  /** Idempotency key; a fresh one for writes unless given. */
  key?: string;
  headers?: Record<string, string>;
}
export type Reply<C extends CallName> = { status: number; headers: Headers } & (
  { ok: true; answer: Answer<C> } | { ok: false; problem: Problem }
);

/**
 * The console's server over a real port, speaking to the service at `upstreamUrl`, or to the one that is opened for the
 * console's own address; `folder` keeps its records.
 */
export async function testConsole({
  upstreamUrl,
  folder = temporaryFolder(),
  pageFolder = 'public',
  limits,
}: {
  upstreamUrl: string | ((consoleUrl: string) => Promise<string>);
  folder?: string;
  pageFolder?: string;
  limits?: Partial<Limits>;
}) {
  let handle: (...exchange: Parameters<RequestListener>) => unknown = (_request, response) =>
    response.writeHead(503).end();
  const url = await listening((request, response) => void handle(request, response));
  const serviceUrl = typeof upstreamUrl === 'string' ? upstreamUrl : await upstreamUrl(url);
  const config = { upstream: sandboxUpstream(serviceUrl), allowedHosts: ['console.example'], pageFolder };
  const deps = { clock: systemClock, newId: () => randomUUID(), log: silent };
  const upstream = createUpstream({ config: config.upstream, ...deps, ...(limits && { limits }) });
  onTestFinished(() => upstream.close());
  const store = testStore(folder);
  handle = createApp({ config, store, upstream, ...deps }).callback();

  async function call<C extends CallName>(name: C, request: Request<C> = {}): Promise<Reply<C>> {
    const { method, path } = calls[name];
    const params: Record<string, unknown> = request.params ?? {};
    const query = new URLSearchParams(request.query ?? {});
    const response = await fetch(
      `${url}${path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(params[part])))}?${query}`,
      {
        method,
        headers: {
          'content-type': 'application/json',
          ...('write' in calls[name] && { 'idempotency-key': request.key ?? randomUUID() }),
          ...request.headers,
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      },
    );
    const { status, headers, ok } = response;
    const isJson = headers.get('content-type')?.includes('json');
    const body: unknown = isJson ? await response.json() : await response.text();
    return ok ? { ok, status, headers, answer: body as Answer<C> } : { ok, status, headers, problem: body as Problem }; // the server's own promise
  }

  /** The same, for calls that have to succeed. */
  async function done<C extends CallName>(name: C, request: Request<C> = {}): Promise<Answer<C>> {
    const reply = await call(name, request);
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.problem)}`);
    return reply.answer;
  }

  /** The problem of calls that have to fail. */
  async function refused<C extends CallName>(name: C, request: Request<C> = {}): Promise<Problem> {
    const reply = await call(name, request);
    if (reply.ok) throw new Error(`${name} was expected to fail, but gave ${JSON.stringify(reply.answer)}`);
    return reply.problem;
  }

  return { url, store, config, call, done, refused };
}

/** A sandbox that works quickly and, if an address is given, sends its webhooks there. */
export async function testSandbox({ webhookUrl = '', dataDir = temporaryFolder() } = {}) {
  const sandbox = await openSandbox({
    catalogue,
    clock: systemClock,
    newId: () => randomUUID(),
    log: silent,
    dataDir,
    host: '127.0.0.1',
    port: 0,
    webhookUrl,
    config: { webhookDelay: 5, stepDelay: 5 },
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}
