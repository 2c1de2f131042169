import type { z } from 'zod';
import type { CallName } from '#contract/calls.ts';
import { subjectHeader } from '#contract/constants.ts';
import { shapes } from '#contract/shapes.ts';
import { escapeId, visibleText } from '#server/escapeId.ts';
import { Failure } from '#server/failure.ts';
import { isIdempotencyKey } from '#server/http/singleHeaders.ts';
import { validate } from '#server/http/validate.ts';

/** The parts of a call's declaration in the contract; absent parts are not checked. */
export interface Shape {
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer: z.ZodType;
}

function validInput(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined;
  const { data, faults } = validate(schema, value);
  if (!faults) return data;
  const errors = faults.map(({ path, message }) => ({ path: path || where, message }));
  const sentence = errors.slice(0, 3).map(({ path, message }) => `${path}: ${message}`);
  throw new Failure('invalid-request', `The ${where} is not valid. ${sentence.join('; ')}`, { errors });
}

/**
 * Returns the values. Throws `invalid-request` if a path or query parameter contains a control character or lone
 * surrogate.
 */
function requirePlainText<Values>(values: Values, where: string): Values {
  for (const [path, value] of Object.entries(values ?? {}))
    if (typeof value === 'string' && escapeId(value) !== value)
      throw new Failure('invalid-request', `The ${where} holds a control character.`, {
        errors: [{ path, message: 'give text without control characters' }],
      });
  return values;
}

/**
 * Returns a query. Throws `invalid-request` if it has a parameter that is not declared, because the answer without it would be to
 * another question; the page's user may be named in any (`subjectHeader`).
 */
export function requireKnownParameters<Query>(query: Query, declared?: z.ZodObject): Query {
  const known = Object.keys(declared?.shape ?? {});
  const unknown = Object.keys(query ?? {}).filter((name) => name !== subjectHeader && !known.includes(name));
  if (unknown.length === 0) return query;
  const message = known.length > 0 ? `is none of its parameters: ${known.join(', ')}` : 'it has no parameters';
  const errors = unknown.slice(0, 20).map((name) => ({ path: visibleText(name).slice(0, 200), message }));
  throw new Failure('invalid-request', `The query is not valid. ${errors[0]?.path}: ${message}`, { errors });
}

/** Returns what a call is given as its declaration reads it. Throws `invalid-request`, with each place that is not as declared. */
export function declaredInput(name: CallName, given: { params: unknown; query: unknown; body: unknown }) {
  const { params, query, body }: Shape = shapes[name];
  return {
    params: requirePlainText(validInput(params, given.params, 'path'), 'path'),
    query: requirePlainText(validInput(query, requireKnownParameters(given.query, query), 'query'), 'query'),
    body: validInput(body, given.body, 'body'),
  };
}

/** Checks a handler's answer. Throws an Error if it does not fit the call's declaration. */
export function declaredAnswer(name: CallName, value: unknown): unknown {
  const { answer }: Shape = shapes[name];
  const { data, faults } = validate(answer, value);
  if (!faults) return data;
  throw new Error(`The answer of ${name} is not as declared: ${JSON.stringify(faults)}`);
}

/** Returns an idempotency key. Throws `invalid-request` if it is none. */
export function requireIdempotencyKey(key: string): string {
  if (isIdempotencyKey(key)) return key;
  throw new Failure(
    'invalid-request',
    'The header Idempotency-Key holds 1 to 200 visible ASCII characters, such as a UUID.',
    { errors: [{ path: 'Idempotency-Key', message: 'give a key such as a UUID, or none' }] },
  );
}
