import { randomUUID } from 'node:crypto';
import type { PaymentFile } from '#contract/batch.ts';
import { nameOffered } from '#contract/disposition.ts';
import { calls, type CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import type { Answer, Body, Params, Query } from '#contract/shapes.ts';

export interface Request<C extends CallName> {
  params?: Params<C>;
  query?: Query<C>;
  body?: Body<C>;
  /** Idempotency key; by default writes get a new one. */
  key?: string;
  headers?: Record<string, string>;
}
export type Reply<C extends CallName> = { status: number; headers: Headers } & (
  { ok: true; answer: Answer<C> } | { ok: false; problem: Problem }
);

/** A payment file as the console sends it. */
const fileOf = async (response: Response): Promise<PaymentFile> => ({
  bytes: new Uint8Array(await response.arrayBuffer()),
  type: response.headers.get('content-type') ?? '',
  name: nameOffered(response.headers.get('content-disposition') ?? ''),
});

/** The text of a file in UTF-8. */
export const textOf = ({ bytes }: PaymentFile): string => new TextDecoder().decode(bytes);

/**
 * A client of the console's own API at a base URL, in this process or another; every call sends the `common` headers, by `send`.
 */
export function apiAt(url: string, common: () => Record<string, string> = () => ({}), send: typeof fetch = fetch) {
  async function call<C extends CallName>(name: C, request: Request<C> = {}): Promise<Reply<C>> {
    const { method, path } = calls[name];
    const params: Record<string, unknown> = request.params ?? {};
    const query = new URLSearchParams(request.query ?? {});
    const response = await send(
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
    const body: unknown =
      ok && 'file' in calls[name] ? await fileOf(response) : isJson ? await response.json() : await response.text();
    return ok ? { ok, status, headers, answer: body as Answer<C> } : { ok, status, headers, problem: body as Problem }; // the server's own promise
  }

  /** Makes a call and returns its answer; throws if the call fails. */
  async function done<C extends CallName>(name: C, request: Request<C> = {}): Promise<Answer<C>> {
    const reply = await call(name, request);
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.problem)}`);
    return reply.answer;
  }

  /** Makes a call and returns its problem; throws if the call succeeds. */
  async function refused<C extends CallName>(name: C, request: Request<C> = {}): Promise<Problem> {
    const reply = await call(name, request);
    if (reply.ok) throw new Error(`${name} was expected to fail, but gave ${JSON.stringify(reply.answer)}`);
    return reply.problem;
  }

  return { call, done, refused };
}
