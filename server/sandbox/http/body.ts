import { parse as parseForm } from 'node:querystring';
import { Readable } from 'node:stream';
import type { Context, Middleware, Next } from 'koa';
import { maximumBatchBytes } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { jsonLimits, JsonError, readJson } from '#server/http/json.ts';
import { BodyError, decodedText, isJsonType, mayHaveBody, mediaType, receiveBytes } from '#server/http/receivedBody.ts';
import { disallowedPathIn } from '#server/escapeId.ts';
import { Problem } from './problem.ts';

const limits = { ...jsonLimits.batch, bytes: maximumBatchBytes };
const formType = 'application/x-www-form-urlencoded';

async function receive({ req, request, headers }: Context): Promise<void> {
  try {
    request.bytes = await receiveBytes(req, limits.bytes);
    request.text = await decodedText(request.bytes, headers, limits.bytes);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    throw new Problem(error.status, `The request body cannot be read: ${error.message}`, [], error.headers);
  }
}

/** Reads and decodes a body, so that its values can be counted before it is parsed. Does nothing if it was read already. */
export async function readText(ctx: Context, next: Next): Promise<void> {
  if (mayHaveBody(ctx.method) && ctx.request.text === undefined) await receive(ctx);
  await next();
}

/**
 * Parses a body. Throws a 400 problem if it exceeds the limits, is not JSON, or contains characters that cannot be
 * stored.
 */
function parseJsonBody(text: string): unknown {
  try {
    const value = readJson(text, limits);
    const place = disallowedPathIn(value);
    if (place === undefined) return value;
    const message = 'give text without control characters, under a name of its own';
    throw new Problem(400, `The request is not valid: ${place || 'body'}: ${message}`, [{ path: place, message }]);
  } catch (error) {
    if (error instanceof JsonError) throw new Problem(400, `The request body cannot be read: it ${error.message}`);
    throw error;
  }
}

/** Parses the text of a body by its type. */
function parsed(text: string, contentType: string): unknown {
  const type = mediaType(contentType);
  if (text === '') return {};
  if (isJsonType(type) || type === 'text/plain') return parseJsonBody(text);
  if (type !== formType)
    throw new Problem(415, `The request body is ${type || 'of no type'}: send application/json`, [], {
      accept: `application/json, ${formType}`,
    });
  const form = { ...parseForm(text) };
  if (disallowedPathIn(form) !== undefined)
    throw new Problem(400, 'The form holds a control character, a lone surrogate or a reserved name');
  return form;
}

/** Parses forms, and JSON within limits. Numbers in requests and answers keep their digits. */
export const parseBody: Middleware = (ctx, next) =>
  readText(ctx, async () => {
    ctx.request.body = parsed(ctx.request.text ?? '', ctx.get('content-type'));
    await next();
    // A streamed body is already serialised.
    if (typeof ctx.body !== 'object' || ctx.body === null || ctx.body instanceof Readable) return;
    // Koa's own serialiser would change the digits of numbers.
    ctx.body = stringify(ctx.body);
    ctx.type = 'json';
  });
