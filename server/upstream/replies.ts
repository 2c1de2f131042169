import type { z } from 'zod';
import type { FailureCode } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';
import { fitting } from '#server/fitting.ts';
import { bounds, JsonError, readJson } from '#server/json.ts';
import type { Bounds } from '#server/json.ts';
import { visible, visibleText } from '#server/visible.ts';
import type { Reply } from './http.ts';
import { wire } from './wire.ts';

/** Characters of a refusal's body that are passed on. */
const shown = 10_000;
const shownErrors = 100;

/** Characters of a sentence or a name that is passed on. */
const shownOfPart = 500;

/** The value of the text, of which everything can be kept; JsonError if there is none. */
function json(text: string, within: Bounds): unknown {
  try {
    return visible(readJson(text, within));
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
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
      upstream: { status, body: evidence(text) },
      interactionId,
    });
  const { data: problem } = fitting(wire.problem, json(text, bounds.answer));
  const detail = problem?.detail ?? problem?.title ?? `The payments service answered with status ${status}.`;
  throw new Failure(
    meanings[status] ?? (status < 500 ? 'upstream-refused' : 'upstream-failed'),
    detail.slice(0, shown),
    {
      ...((status < 500 || status === 503) && { status }),
      upstream: { status, body: evidence(text) },
      interactionId,
      ...(retryAfter > 0 && { retryAfter }),
      ...(problem?.errors && {
        errors: problem.errors.slice(0, shownErrors).map(({ path, message }) => ({
          path: path.slice(0, shownOfPart),
          message: message.slice(0, shownOfPart),
        })),
      }),
    },
  );
}

/** The beginning of a body, as it can be shown. */
export const evidence = (text: string): string => visibleText(text.slice(0, shown));

/** The answer's JSON in the shape that wire.ts gives it. Throws `upstream-invalid` without the body: it may hold a key. */
export function answerOf<Schema extends z.ZodType>(
  reply: Reply,
  schema: Schema,
  within: Bounds = bounds.answer,
): z.output<Schema> {
  insistOnSuccess(reply);
  const { interactionId, contentType } = reply;
  const value = json(reply.text, within);
  if (value instanceof JsonError)
    throw new Failure(
      'upstream-invalid',
      value.isNoJson
        ? `Expected JSON, received ${contentType || 'text without a type'}.`
        : `The answer of the payments service ${value.message}.`,
      { interactionId },
    );
  const { data, faults } = fitting(schema, value);
  if (faults)
    throw new Failure('upstream-invalid', 'The answer of the payments service lacks what its protocol promises.', {
      interactionId,
      errors: faults,
    });
  return data;
}
