import type { z } from 'zod';
import { parse } from '#contract/json.ts';
import type { FailureCode } from '#contract/problem.ts';
import { isTooDeep } from '#server/depth.ts';
import { Failure } from '#server/failure.ts';
import type { Reply } from './http.ts';
import { wire } from './wire.ts';

/** Characters of a refusal's body that are passed on. */
const shown = 10_000;
const shownErrors = 100;

function json(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** What a status of the service means; any other refusal is `upstream-refused`, any other failure `upstream-failed`. */
const meanings: Partial<Record<number, FailureCode>> = {
  401: 'key-rejected',
  403: 'upstream-forbidden',
  404: 'not-found',
  409: 'upstream-conflict',
  429: 'upstream-busy',
  503: 'upstream-busy',
};

/**
 * Throws unless the service succeeded: a refusal (4xx) and 503 under the service's own status, its other failures and
 * redirects, which are not followed, as 502. The body goes along as evidence.
 */
export function insistOnSuccess({ status, text, interactionId, retryAfter }: Reply): void {
  if (status >= 200 && status < 300) return;
  if (status < 400)
    throw new Failure('upstream-invalid', `The answer is a redirect (status ${status}), which is not followed.`, {
      upstream: { status, body: text.slice(0, shown) },
      interactionId,
    });
  const { data: problem } = wire.problem.safeParse(json(text));
  const detail = problem?.detail ?? problem?.title ?? `The payments service answered with status ${status}.`;
  throw new Failure(
    meanings[status] ?? (status < 500 ? 'upstream-refused' : 'upstream-failed'),
    detail.slice(0, shown),
    {
      ...((status < 500 || status === 503) && { status }),
      upstream: { status, body: text.slice(0, shown) },
      interactionId,
      ...(retryAfter > 0 && { retryAfter }),
      ...(problem?.errors && {
        errors: problem.errors.slice(0, shownErrors).map(({ path, message }) => ({ path, message })),
      }),
    },
  );
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
  if (isTooDeep(value))
    throw new Failure('upstream-invalid', 'The answer of the payments service is nested too deeply.', {
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
