import { bodyParser } from '@koa/bodyparser';
import type { Context, Middleware, Next } from 'koa';
import { calls } from '#contract/calls.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits, JsonError, readJson } from './json.ts';
import type { JsonLimits } from './json.ts';
import { notificationsPath } from './paths.ts';
import { disallowedPathIn } from '#server/escapeId.ts';

/** Reads a body as text, so that its values can be counted before it is parsed. */
const textWithin = ({ bytes }: JsonLimits): Middleware =>
  bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['application/json', 'application/*+json'] },
    textLimit: String(bytes),
    // zlib's errors have no HTTP status.
    onError: (error) => {
      throw 'status' in error
        ? error
        : new Failure('invalid-request', 'The body is not compressed as Content-Encoding says.');
    },
  });

const texts = {
  usual: textWithin(jsonLimits.body),
  batch: textWithin(jsonLimits.batch),
  webhook: textWithin(jsonLimits.webhook),
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Parses a JSON body within the limits of its call. Refuses (400) bodies that exceed them, are not JSON, or contain
 * characters that cannot be stored. A webhook's body stays text, because its sender must be authenticated first.
 */
const parsed = async (ctx: Context, next: Next): Promise<void> => {
  if (ctx.path === notificationsPath) {
    await texts.webhook(ctx, next);
    return;
  }
  const [text, within] =
    ctx.path === calls.createBatch.path ? [texts.batch, jsonLimits.batch] : [texts.usual, jsonLimits.body];
  await text(ctx, async () => {
    ctx.request.body = isText(ctx.request.body) ? bodyOf(ctx.request.body, within) : {};
    await next();
  });
};

/** Parses the bodies of all requests that may have one (see `parsed`). */
export const body = (ctx: Context, next: Next): Promise<void> => {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return parsed(ctx, next);
  ctx.request.body = {};
  return next();
};

/**
 * Parses a call's JSON body. Throws `invalid-request` if it exceeds the limits, is not JSON, or contains characters
 * that cannot be stored.
 */
export function bodyOf(text: string, within: JsonLimits): unknown {
  const value = jsonOf(text, within);
  if (typeof value !== 'object' || value === null)
    throw new Failure('invalid-request', 'The body is neither an object nor a list.');
  const place = disallowedPathIn(value, text);
  if (place === undefined) return value;
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
