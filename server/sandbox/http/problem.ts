import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { z } from 'zod';
import { fitting } from '#server/http/fitting.ts';
import { html } from '#server/http/html.ts';
import { sendPage } from '../pages/html.ts';
import { noteUnknown } from './observedCalls.ts';
import type { Log } from '../services.ts';
import { StoreFailure } from '../store/store.ts';

export interface FieldProblem {
  path: string;
  message: string;
}

/** Thrown to refuse a call; sent as problem+json (RFC 9457). `errors` name the faulty fields or headers. */
export class Problem extends Error {
  readonly status: number;
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    errors: readonly FieldProblem[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** Returns a 400 problem about one header. */
export const headerProblem = (name: string, message: string): Problem =>
  new Problem(400, `Header ${name}: ${message}`, [{ path: name, message }]);

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof StoreFailure)) return new Problem(500, 'The sandbox failed; see its log');
  return new Problem(503, 'The sandbox cannot use its store at present; try again', [], { 'retry-after': '1' });
}

/** Sends a problem or an unexpected error as problem+json, or as a page to a browser that asks for one. */
export const refusing =
  (log: Log) =>
  (ctx: Context, error: unknown): void => {
    const problem = problemOf(error);
    if (problem !== error) log.error({ err: error, method: ctx.method, path: ctx.path }, 'a sandbox call failed');
    const { status, message, errors, headers } = problem;
    ctx.status = status;
    ctx.set(headers);
    if (ctx.accepts('json', 'html') === 'html') {
      sendPage(ctx, status, STATUS_CODES[status] ?? 'Refused', html`<p role="status">${message}</p>`);
      return;
    }
    ctx.body = {
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      ...(errors.length > 0 && { errors }),
    };
    ctx.type = 'application/problem+json';
  };

/** Sends problems, unknown paths and unexpected errors as problem+json. */
export const problems = (log: Log): Middleware => {
  const refuse = refusing(log);
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new Problem(404, `There is no ${ctx.method} ${ctx.path}`);
    } catch (error) {
      refuse(ctx, error);
    }
  };
};

/** Parses a value by the schema. Throws a 400 problem that lists the first faults. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, faults } = fitting(schema, value);
  if (!faults) {
    noteUnknown(value, data);
    return data;
  }
  const first = faults[0];
  throw new Problem(400, `The request is not valid: ${first?.path || 'body'}: ${first?.message}`, faults);
}
