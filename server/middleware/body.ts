import { bodyParser } from '@koa/bodyparser';
import type { Middleware } from 'koa';
import { calls } from '#contract/calls.ts';
import { Failure } from '#server/failure.ts';
import { bounds, JsonError, readJson } from '#server/json.ts';
import type { Bounds } from '#server/json.ts';
import { notificationsPath } from '#server/upstream/config.ts';
import { oddPlaceIn } from '#server/visible.ts';

/** As text: what a body holds is counted before it is parsed. */
const textWithin = ({ bytes }: Bounds): Middleware =>
  bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['application/json', 'application/*+json'] },
    textLimit: String(bytes),
  });

const texts = { usual: textWithin(bounds.body), batch: textWithin(bounds.batch), webhook: textWithin(bounds.webhook) };

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Reads a JSON body within the bounds of its call. Refuses (400) what is too much, no JSON, or holds what cannot be kept
 * as it is. A webhook stays a text: whoever sent it has to be known before it is read.
 */
export const body: Middleware = async (ctx, next) => {
  if (ctx.path === notificationsPath) {
    await texts.webhook(ctx, next);
    return;
  }
  const [text, within] = ctx.path === calls.createBatch.path ? [texts.batch, bounds.batch] : [texts.usual, bounds.body];
  await text(ctx, async () => {
    ctx.request.body = isText(ctx.request.body) ? bodyOf(ctx.request.body, within) : {};
    await next();
  });
};

function bodyOf(text: string, within: Bounds): unknown {
  const value = jsonOf(text, within);
  if (typeof value !== 'object' || value === null)
    throw new Failure('invalid-request', 'The body is neither an object nor a list.');
  const place = oddPlaceIn(value);
  if (place === undefined) return value;
  throw new Failure('invalid-request', 'The body holds a control character, half a character or a reserved name.', {
    errors: [{ path: place, message: 'give text without control characters, under a name of its own' }],
  });
}

/** Throws `invalid-request`. */
export function jsonOf(text: string, within: Bounds): unknown {
  try {
    return readJson(text, within);
  } catch (error) {
    if (error instanceof JsonError) throw new Failure('invalid-request', `The body ${error.message}.`);
    throw error;
  }
}
