import type { z } from 'zod';
import { Failure } from '#server/failure.ts';
import type { Reply } from './http.ts';
import { wire } from './wire.ts';

/** Characters of a refusal's body that are passed on. */
const shown = 10_000;

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Throws if the service refused: 401 and 403 as `key-rejected`, other 4xx as `upstream-refused`, both under the
 * service's status; its own failures (5xx) and redirects as 502. The body goes along as evidence.
 */
export function insistOnSuccess({ status, text, interactionId }: Reply): void {
  if (status >= 200 && status < 300) return;
  const { data: problem } = wire.problem.safeParse(json(text));
  const detail = problem?.detail ?? problem?.title ?? `The payments service answered with status ${status}.`;
  throw new Failure(status === 401 || status === 403 ? 'key-rejected' : 'upstream-refused', detail, {
    status: status >= 400 && status < 500 ? status : 502,
    upstream: { status, body: text.slice(0, shown) },
    interactionId,
    ...(problem?.errors && { errors: problem.errors.map(({ path, message }) => ({ path, message })) }),
  });
}

/** The answer's JSON in the shape that wire.ts gives it. Throws `upstream-invalid` without the body: it may hold a key. */
export function answerOf<Schema extends z.ZodType>(reply: Reply, schema: Schema): z.output<Schema> {
  insistOnSuccess(reply);
  const { interactionId, contentType } = reply;
  const value = json(reply.text);
  if (value === undefined)
    throw new Failure('upstream-invalid', `Expected JSON, received ${contentType || 'text without a type'}.`, {
      interactionId,
    });
  const { data, error } = schema.safeParse(value);
  if (error)
    throw new Failure('upstream-invalid', 'The answer of the payments service lacks what its protocol promises.', {
      interactionId,
      errors: error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    });
  return data;
}
