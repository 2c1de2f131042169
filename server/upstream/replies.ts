import type { z } from 'zod';
import type { BatchError } from '#contract/batch.ts';
import type { Health } from '#contract/lookup.ts';
import type { FailureCode } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';
import { isObject, parseAsWritten, stringify } from '#contract/json.ts';
import { jsonLimits, JsonError, readJson } from '#server/http/json.ts';
import type { JsonLimits } from '#server/http/json.ts';
import { escapeText, visibleText } from '#server/escapeId.ts';
import type { Reply } from './http.ts';
import { readingOf, type ReadName, type Reads } from './operations.ts';
import { parseRefusal } from './refusal.ts';
import { lenientParse } from './lenientParse.ts';
import type { Skipped } from './lenientParse.ts';
import { verdictOfStatus } from './verdict.ts';

/** Maximum number of characters returned of a refusal's body. */
const shown = 10_000;

/** Maximum number of characters returned of a field's name, a content type or a message. */
const shownOfPart = 500;

/** Parses a text and replaces characters that cannot be stored. Returns a JsonError if the text cannot be parsed. */
function json(text: string, within: JsonLimits): unknown {
  try {
    return escapeText(readJson(text, within));
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}

/** Failure codes of statuses that say nothing of what was asked for, whoever sends them. */
const meanings: Partial<Record<number, FailureCode>> = {
  401: 'key-rejected',
  403: 'upstream-forbidden',
  409: 'upstream-conflict',
  429: 'upstream-busy',
  503: 'upstream-busy',
};

/**
 * Refusals that a browser or a proxy before the console would take for its own: about a proxy's login, and those after
 * which it sends the request again.
 */
export const ofConnections: Partial<Record<number, string>> = {
  407: 'asks for the login of a proxy (status 407). Perhaps a proxy between console and service answered.',
  408: 'did not receive the request in time (status 408).',
  421: 'says that it is not the server for this address (status 421).',
  425: 'does not take the request so early (status 425).',
};

const bodyOf = ({ text }: Reply): unknown => {
  const body = json(text, jsonLimits.answer);
  return body instanceof JsonError ? undefined : body;
};

/** Whether a refusal (4xx) is the service's, not a proxy's: something may be concluded of what was asked for (wire 4.9). */
export const isOwnWord = (reply: Reply): boolean =>
  verdictOfStatus(reply.status) === 'refused' && isObject(bodyOf(reply));

/** Returns the service's own sentence about a failure, and the errors that it lists. */
export const describedIn = (reply: Reply): ReturnType<typeof parseRefusal> => parseRefusal(bodyOf(reply));

/** Returns the members of a problem that show what the service answered. The body is included as evidence. */
export const evidenceOf = (
  { status, text, interactionId, retryAfter }: Reply,
  errors: readonly { path: string; message: string }[],
) => ({
  upstream: { status, body: evidence(text) },
  interactionId,
  ...(retryAfter > 0 && { retryAfter }),
  ...(errors.length > 0 && {
    errors: errors.map(({ path, message }) => ({
      path: path.slice(0, shownOfPart),
      message: message.slice(0, shownOfPart),
    })),
  }),
});

/**
 * Throws a Failure unless the status is 2xx: `not-found` and `upstream-refused` only after the service's own word. It and what
 * `meanings` has keep their status; others, and redirects, which are not followed, become 502.
 */
export function requireSuccess(reply: Reply): void {
  const { status } = reply;
  if (status >= 200 && status < 300) return;
  if (status < 400)
    throw new Failure(
      'upstream-invalid',
      `The answer is a redirect (status ${status}), which is not followed.`,
      evidenceOf(reply, []),
    );
  const { detail = `The payments service ${ofConnections[status] ?? `answered with status ${status}.`}`, errors } =
    describedIn(reply);
  const ownWord = status === 404 ? 'not-found' : 'upstream-refused';
  const code = meanings[status] ?? (isOwnWord(reply) ? ownWord : undefined);
  throw new Failure(code ?? 'upstream-failed', detail.slice(0, shown), {
    ...(code && { status }),
    ...evidenceOf(reply, errors),
  });
}

/** Returns the beginning of a body, with invisible characters escaped. */
export const evidence = (text: string): string => visibleText(text.slice(0, shown));

/** Throws `upstream-invalid` if an answer is about another resource than the requested one; letter case counts as little as in UUIDs. */
export function requireId({ interactionId }: Reply, expected: string, answered: string): void {
  if (expected.toLowerCase() === answered.toLowerCase()) return;
  const detail = `The answer is about ${answered.slice(0, shownOfPart)}, although ${expected.slice(0, shownOfPart)} was asked for.`;
  throw new Failure('upstream-invalid', detail, { interactionId });
}

/** Describes an answer that is not JSON. */
function receivedIn({ status, text, headers }: Reply): string {
  if (text.trim() === '') return `no body (status ${status})`;
  const type = (headers['content-type'] ?? '').slice(0, shownOfPart);
  return /\bjson\b/i.test(type) ? `${type} that is incomplete or wrong` : type || 'text without a type';
}

/** The data of an answer, and the parts of it that were skipped, if any. */
export type Answered<Name extends ReadName> = z.output<Reads<Name>> & { skipped?: Skipped[] | undefined };

/**
 * Reads the answer to an operation tolerantly (`operations`). Throws as `requireSuccess` does, and `upstream-invalid`
 * without the body, which may contain a key.
 */
export function answerOf<Name extends ReadName>(reply: Reply, name: Name): Answered<Name> {
  requireSuccess(reply);
  return parsedAnswer(reply, name);
}

/** Like `answerOf`, whatever the status. */
function parsedAnswer<Name extends ReadName>(reply: Reply, name: Name): Answered<Name> {
  const { interactionId } = reply;
  const { reads, unwraps, isLarge } = readingOf(name);
  const value = json(reply.text, isLarge ? jsonLimits.largeAnswer : jsonLimits.answer);
  if (value instanceof JsonError)
    throw new Failure(
      'upstream-invalid',
      value.isNoJson
        ? `Expected JSON, received ${receivedIn(reply)}.`
        : `The answer of the payments service ${value.message}.`,
      { interactionId },
    );
  const reading = lenientParse(reads, unwraps ? unwrapped(value) : value);
  if ('fault' in reading)
    throw new Failure('upstream-invalid', 'The answer of the payments service lacks what its protocol promises.', {
      interactionId,
      errors: [reading.fault],
    });
  // Overrides a member `skipped` in the service's answer.
  const skipped = reading.skipped.length > 0 ? reading.skipped : undefined;
  return { ...(reading.value as z.output<Reads<Name>>), skipped };
}

/**
 * Returns the health that the service states, also with 5xx. Throws as `answerOf` does if the answer states none, such
 * as a problem.
 */
export function healthOf(reply: Reply, name: 'consumerStatus' | 'messagingStatus'): Health {
  const isSuccess = reply.status < 500;
  if (isSuccess) requireSuccess(reply);
  try {
    const { status, ...body } = parsedAnswer(reply, name);
    // A problem has its HTTP status under the same name.
    const word = status === String(reply.status) ? '' : status;
    if (word === '' && body.version === '')
      throw new Failure('upstream-invalid', 'The answer of the payments service states neither status nor version.', {
        interactionId: reply.interactionId,
      });
    const code = `HTTP ${reply.status}`;
    return { ...body, status: isSuccess ? word || 'Up' : word ? `${word} (${code})` : code, httpStatus: reply.status };
  } catch (error) {
    requireSuccess(reply);
    throw error;
  }
}

/** Returns an answer's JSON text for display: uniform in blanks and escapes, with invisible characters escaped. */
export const rawOf = (text: string): string => visibleText(stringify(parseAsWritten(text)));

/** Returns the contents of a body, which the service may wrap in `data`. */
export const unwrapped = (body: unknown): unknown => {
  const { data } = (body ?? {}) as { data?: unknown }; // not null or undefined
  return typeof data === 'object' && data !== null ? data : body;
};

/** Returns the value. Throws `upstream-invalid` if it is undefined, without the body, which may contain a key. */
export function requireShape<T>(value: T | undefined, what: string, { interactionId }: Reply): T {
  if (value !== undefined) return value;
  throw new Failure('upstream-invalid', `The answer of the payments service has no ${what}.`, { interactionId });
}

/** Merges the links beside `data` with those in `data`; the former take precedence. */
export function withLinks<
  Links extends object,
  T extends { data: { links?: Links | undefined }; links?: Links | undefined },
>(answer: T): T {
  const links = { ...answer.data.links, ...answer.links };
  return Object.keys(links).length === 0 ? answer : { ...answer, links };
}

type ReadBatch = Answered<'batch'> & { reply: Reply };
export type BatchAnswer = Pick<ReadBatch, 'data' | 'links' | 'skipped' | 'reply'> & {
  error?: { detail: BatchError[] };
};

/**
 * Moves an error from `data` to the answer, as `withLinks` does with links; an error without details is repeated as its
 * only detail.
 */
export function withErrors({ error: beside, ...answer }: ReadBatch): BatchAnswer {
  const error = beside ?? answer.data.error;
  if (!error) return answer;
  const { code = '', message = '', detail = [{ target: '', code, message }] } = error;
  return { ...answer, error: { ...error, detail } };
}
