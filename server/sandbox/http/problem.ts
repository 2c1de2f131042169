import type { z } from 'zod';
import { validate } from '#server/http/validate.ts';
import type { Context } from 'koa';
import { noteUnknown } from '../records/call.ts';

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

/**
 * Parses a part of a request by the schema, and notes its unknown members. Throws a 400 problem that lists the first
 * faults.
 */
export function parse<S extends z.ZodType>(ctx: Context, schema: S, value: unknown): z.output<S> {
  const { data, faults } = validate(schema, value);
  if (!faults) {
    noteUnknown(ctx, value, data);
    return data;
  }
  const errors = faults.map(({ path, message }) => ({ path: path || 'body', message }));
  const [first] = errors;
  throw new Problem(400, `The request is not valid: ${first?.path}: ${first?.message}`, errors);
}
