import type { Context } from 'koa';
import { calls } from '#contract/calls.ts';
import { othersTurn } from '#server/concurrency.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits, JsonError, readJson } from './json.ts';
import type { JsonLimits } from './json.ts';
import { notificationsPath } from './paths.ts';
import { decodedText, mayHaveBody, receiveBytes } from './receivedBody.ts';
import { disallowedPathIn } from '#server/escapeId.ts';

/** The limits of a call's body, by its path. */
const limitsOf = ({ path }: Context): JsonLimits => {
  if (path === notificationsPath) return jsonLimits.webhook;
  if (path === calls.openSituation.path || path === calls.checkSituation.path) return jsonLimits.largeAnswer;
  return path === calls.createBatch.path ? jsonLimits.batch : jsonLimits.body;
};

/**
 * Receives and decodes the body of a request that may have one, unless that was done before. Rejects with BodyError if
 * it cannot be decoded or is larger than `maximum` bytes.
 */
export async function receiveText({ req, request, headers, method }: Context, maximum: number): Promise<void> {
  if (!mayHaveBody(method) || request.text !== undefined) return;
  request.bytes = await receiveBytes(req, maximum);
  request.text = await decodedText(request.bytes, headers, maximum);
}

/**
 * Reads the body of a request that may have one, and parses it as JSON within the limits of its call. Refuses bodies
 * that exceed them, cannot be decoded, are not JSON, or contain characters that cannot be stored. The bytes of a webhook
 * are only read, because its sender must be authenticated first.
 */
export async function body(ctx: Context): Promise<void> {
  ctx.request.body = {};
  const within = limitsOf(ctx);
  if (ctx.path === notificationsPath) {
    if (mayHaveBody(ctx.method)) ctx.request.bytes = await receiveBytes(ctx.req, within.bytes);
  } else {
    await receiveText(ctx, within.bytes);
    // Several large bodies may have ended in this turn.
    if (ctx.request.text) await othersTurn();
    if (ctx.request.text) ctx.request.body = parseJsonBody(ctx.request.text, within);
  }
}

/**
 * Parses a call's JSON body. Throws `invalid-request` if it exceeds the limits, is not JSON, or contains characters
 * that cannot be stored.
 */
export function parseJsonBody(text: string, within: JsonLimits): unknown {
  const value = jsonOf(text, within);
  if (typeof value !== 'object' || value === null)
    throw new Failure('invalid-request', 'The body is neither an object nor a list.');
  refuseDisallowed(value, text);
  return value;
}

/** Throws `invalid-request` if a body contains characters that cannot be stored; `text`: its JSON text, if it has one. */
export function refuseDisallowed(value: unknown, text?: string): void {
  const place = disallowedPathIn(value, text);
  if (place === undefined) return;
  throw new Failure('invalid-request', 'The body holds a control character, a lone surrogate or a reserved name.', {
    errors: [{ path: place, message: 'give text without control characters, under a name of its own' }],
  });
}

/** Parses JSON within limits. Throws `invalid-request`. */
export function jsonOf(text: string, within: JsonLimits): unknown {
  try {
    return readJson(text, within);
  } catch (error) {
    if (error instanceof JsonError) throw new Failure('invalid-request', `The body ${error.message}.`);
    throw error;
  }
}
