import { STATUS_CODES } from 'node:http';
import type { Middleware } from 'koa';
import type { z } from 'zod';
import { fitting } from '#server/fitting.ts';
import { noteUnknown } from './programs.ts';
import type { Log } from './services.ts';

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

/** A 400 problem about one header. */
export const headerProblem = (name: string, message: string): Problem =>
  new Problem(400, `Header ${name}: ${message}`, [{ path: name, message }]);

/** Sends problems, unknown paths and unexpected errors as problem+json. */
export const problems =
  (log: Log): Middleware =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new Problem(404, `There is no ${ctx.method} ${ctx.path}`);
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem(500, 'The sandbox failed; see its log');
      if (problem !== error) log.error({ err: error, method: ctx.method, path: ctx.path }, 'a sandbox call failed');
      const { status, message, errors, headers } = problem;
      ctx.status = status;
      ctx.set(headers);
      ctx.body = {
        type: 'about:blank',
        title: STATUS_CODES[status],
        status,
        detail: message,
        ...(errors.length > 0 && { errors }),
      };
      ctx.type = 'application/problem+json';
    }
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
