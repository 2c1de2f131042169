import type { z } from 'zod';
import type { BatchError } from '#contract/batch.ts';
import type { FailureCode } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';
import { bounds, JsonError, readJson } from '#server/json.ts';
import type { Bounds } from '#server/json.ts';
import { visible, visibleText } from '#server/visible.ts';
import type { Reply } from './http.ts';
import type { wire } from './wire.ts';
import { refusalOf } from './refusal.ts';
import { readTolerantly } from './tolerant.ts';
import type { Skipped } from './tolerant.ts';

/** Maximum characters of a refusal's body passed on. */
const shown = 10_000;

/** Maximum characters of a sentence or a name passed on. */
const shownOfPart = 500;

/** The parsed text, safe to store; a JsonError if it cannot be read. */
function json(text: string, within: Bounds): unknown {
  try {
    return visible(readJson(text, within));
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}

/** Failure codes by status of the service; otherwise `upstream-refused` (4xx) or `upstream-failed`. */
const meanings: Partial<Record<number, FailureCode>> = {
  401: 'key-rejected',
  403: 'upstream-forbidden',
  404: 'not-found',
  409: 'upstream-conflict',
  429: 'upstream-busy',
  503: 'upstream-busy',
};

/**
 * Throws unless the service succeeded: refusals (4xx) and 503 with the service's status, other failures and redirects,
 * which are not followed, as 502. The body goes along as evidence.
 */
export function insistOnSuccess({ status, text, interactionId, retryAfter }: Reply): void {
  if (status >= 200 && status < 300) return;
  if (status < 400)
    throw new Failure('upstream-invalid', `The answer is a redirect (status ${status}), which is not followed.`, {
      upstream: { status, body: evidence(text) },
      interactionId,
    });
  const body = json(text, bounds.answer);
  const { detail = `The payments service answered with status ${status}.`, errors } = refusalOf(
    body instanceof JsonError ? undefined : body,
  );
  throw new Failure(
    meanings[status] ?? (status < 500 ? 'upstream-refused' : 'upstream-failed'),
    detail.slice(0, shown),
    {
      ...((status < 500 || status === 503) && { status }),
      upstream: { status, body: evidence(text) },
      interactionId,
      ...(retryAfter > 0 && { retryAfter }),
      ...(errors.length > 0 && {
        errors: errors.map(({ path, message }) => ({
          path: path.slice(0, shownOfPart),
          message: message.slice(0, shownOfPart),
        })),
      }),
    },
  );
}

/** The beginning of a body, safe to show. */
export const evidence = (text: string): string => visibleText(text.slice(0, shown));

/** An answer, and what of it was not understood, if anything. */
export type Answered<Schema extends z.ZodType> = z.output<Schema> & { skipped?: Skipped[] | undefined };

/**
 * Reads the answer's JSON, or a part of it, tolerantly by a schema of wire.ts. Throws `upstream-invalid` without the
 * body, which may contain a key.
 */
export function answerOf<Schema extends z.ZodObject>(
  reply: Reply,
  schema: Schema,
  within: Bounds = bounds.answer,
  part: (body: unknown) => unknown = (body) => body,
): Answered<Schema> {
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
  const reading = readTolerantly(schema, part(value));
  if ('fault' in reading)
    throw new Failure('upstream-invalid', 'The answer of the payments service lacks what its protocol promises.', {
      interactionId,
      errors: [reading.fault],
    });
  // A member `skipped` of the service's own is replaced.
  return { ...reading.value, skipped: reading.skipped.length > 0 ? reading.skipped : undefined };
}

/** The body of an answer, which the service may wrap in `data`. */
export const unwrapped = (body: unknown): unknown => {
  const { data } = (body ?? {}) as { data?: unknown }; // any value but null and undefined has members to ask for
  return typeof data === 'object' && data !== null ? data : body;
};

/**
 * Requires a member that has one of several names. Throws `upstream-invalid` without the body, which may contain a key.
 */
export function insistOn<T>(value: T | undefined, what: string, { interactionId }: Reply): T {
  if (value !== undefined) return value;
  throw new Failure('upstream-invalid', `The answer of the payments service has no ${what}.`, { interactionId });
}

/** Merges the links beside the data with those in it. */
export function withLinks<
  Links extends object,
  T extends { data: { links?: Links | undefined }; links?: Links | undefined },
>(answer: T): T {
  const links = { ...answer.data.links, ...answer.links };
  return Object.keys(links).length === 0 ? answer : { ...answer, links };
}

type ReadBatch = Answered<typeof wire.batch>;
export type BatchAnswer = Pick<ReadBatch, 'data' | 'links' | 'skipped'> & { error?: { detail: BatchError[] } };

/** Likewise for errors; an error without details becomes its own detail. */
export function withErrors({ error: beside, ...answer }: ReadBatch): BatchAnswer {
  const error = beside ?? answer.data.error;
  if (!error) return answer;
  const { code = '', message = '', detail = [{ target: '', code, message }] } = error;
  return { ...answer, error: { ...error, detail } };
}
