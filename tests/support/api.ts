import { randomUUID } from 'node:crypto';
import { calls, type CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import type { Answer, Body, Params, Query } from '#contract/shapes.ts';

export interface Request<C extends CallName> {
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

/** The console's own API at a base address, in this process or another; `common` headers go with every call. */
export function apiAt(url: string, common: () => Record<string, string> = () => ({})) {
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
          ...common(),
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

  return { call, done, refused };
}
