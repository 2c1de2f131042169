import { Readable } from 'node:stream';
import { bodyParser } from '@koa/bodyparser';
import type { Middleware } from 'koa';
import { maximumBatchBytes } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { jsonLimits, JsonError, readJson } from '#server/http/json.ts';
import { disallowedPathIn } from '#server/escapeId.ts';
import { Problem } from './problem.ts';

const limits = { ...jsonLimits.batch, bytes: maximumBatchBytes };

/** Reads JSON as text, so that its values can be counted before it is parsed. Does nothing if the body was read already. */
export const readText = bodyParser({
  enableTypes: ['text', 'form'],
  extendTypes: { text: ['application/json', 'application/*+json'] },
  textLimit: String(maximumBatchBytes),
  onError(error) {
    if ('status' in error && error.status === 413)
      throw new Problem(413, `The request body is larger than ${'limit' in error ? Number(error.limit) : 0} bytes`);
    throw new Problem(400, `The request body cannot be read: ${error.message}`);
  },
});

/**
 * Parses a body. Throws a 400 problem if it exceeds the limits, is not JSON, or contains characters that cannot be
 * stored.
 */
function parseJsonBody(text: string): unknown {
  if (text === '') return {};
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

/** Parses forms, and JSON within limits. Numbers in requests and answers keep their digits. */
export const parseBody: Middleware = (ctx, next) =>
  readText(ctx, async () => {
    const { body: read } = ctx.request;
    if (typeof read === 'string') ctx.request.body = parseJsonBody(read);
    else if (disallowedPathIn(read) !== undefined)
      throw new Problem(400, 'The form holds a control character, a lone surrogate or a reserved name');
    await next();
    // A streamed body is already serialised.
    if (typeof ctx.body !== 'object' || ctx.body === null || ctx.body instanceof Readable) return;
    // Koa's own serialiser would change the digits of numbers.
    ctx.body = stringify(ctx.body);
    ctx.type = 'json';
  });
