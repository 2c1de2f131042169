import { parse as parseForm } from 'node:querystring';
import { Readable } from 'node:stream';
import type { Context, Middleware, Next } from 'koa';
import { stringify } from '#contract/json.ts';
import { parseJsonBody, receiveText, refuseDisallowed } from '#server/http/body.ts';
import { jsonLimits } from '#server/http/json.ts';
import { isJsonType, mediaType } from '#server/http/receivedBody.ts';
import { Problem } from './problem.ts';

const formType = 'application/x-www-form-urlencoded';

/** Reads and decodes a body, so that a call is recorded with it whatever refuses the call. */
export async function readText(ctx: Context, next: Next): Promise<void> {
  await receiveText(ctx, jsonLimits.batch.bytes);
  await next();
}

/** Parses the text of a body by its type. */
function parsed(text: string, contentType: string): unknown {
  const type = mediaType(contentType);
  if (text === '') return {};
  if (isJsonType(type) || type === 'text/plain') return parseJsonBody(text, jsonLimits.batch);
  if (type !== formType)
    throw new Problem(415, `The request body is ${type || 'of no type'}: send application/json`, [], {
      accept: `application/json, ${formType}`,
    });
  const form = { ...parseForm(text) };
  refuseDisallowed(form);
  return form;
}

/** Parses forms, and JSON within limits. Numbers in requests and answers keep their digits. */
export const parseBody: Middleware = async (ctx, next) => {
  ctx.request.body = parsed(ctx.request.text ?? '', ctx.get('content-type'));
  await next();
  // A streamed body is already serialised.
  if (typeof ctx.body !== 'object' || ctx.body === null || ctx.body instanceof Readable) return;
  // Koa's own serialiser would change the digits of numbers.
  ctx.body = stringify(ctx.body);
  ctx.type = 'json';
};
