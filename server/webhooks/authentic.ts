import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { Clock } from '#server/clock.ts';
import { isInNetwork } from '#server/http/networks.ts';
import { readableText } from '#server/http/receivedBody.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import { checkWebhook } from '#server/upstream/webhookSignature.ts';
import { longestExplained } from '#server/upstream/wrongSignature.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();
const equal = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

/** Names of the headers by other senders of Standard Webhooks, which are not read. */
const otherNames = /^(svix|x-webhook|x)-(id|timestamp|signature)$/;

/** Returns the reason for which a webhook with these problems is refused; '' without problems. */
function reasonOf(problems: readonly string[], ctx: Context): string {
  if (problems.length === 0) return '';
  const others = Object.keys(ctx.headers).filter((name) => otherNames.test(name));
  const isMissing = problems.some((each) => each.endsWith('is missing'));
  return [
    `The webhook is refused: ${problems.join('. ')}.`,
    ...(isMissing && others.length > 0 ? [`It has ${others.join(', ')} instead, which are not read.`] : []),
  ].join(' ');
}

/** The result of a check: `reason` is '' for an authentic webhook. */
export interface Authenticity {
  reason: string;
  /** Whether the signature itself is right; '' if none was checked. */
  signature: 'valid' | 'invalid' | '';
}

/**
 * Returns a function that checks webhooks by the agreed header, a Standard Webhooks signature, or both, as configured,
 * and by their source address. The signature is checked over the bytes as received. Throws an Error if neither header
 * nor secret is configured.
 */
export function authenticity(
  { secret, header, sources }: UpstreamConfig['webhook'],
  clock: Pick<Clock, 'now'>,
): (ctx: Context) => Promise<Authenticity> {
  if (secret === undefined && header === undefined) throw new Error('Webhooks need a secret or an agreed header.');
  const isSource = sources && isInNetwork(sources);

  /** Returns what is wrong with the agreed header. */
  const wrongHeader = (ctx: Context): string[] => {
    if (!header || equal(ctx.get(header.name), header.value)) return [];
    const what = ctx.get(header.name) === '' ? 'is missing' : 'has another value';
    return [`the agreed header ${header.name} ${what}`];
  };

  return async (ctx) => {
    if (isSource?.(ctx.ip) === false)
      return { reason: `Webhooks are not accepted from ${ctx.ip}: see WEBHOOK_SOURCES.`, signature: '' };
    const agreed = wrongHeader(ctx);
    if (secret === undefined) return { reason: reasonOf(agreed, ctx), signature: '' };
    const { bytes: body = Buffer.alloc(0) } = ctx.request;
    const parts = {
      id: ctx.get('webhook-id'),
      timestamp: ctx.get('webhook-timestamp'),
      signature: ctx.get('webhook-signature'),
    };
    const content = () => readableText(body, ctx.headers, longestExplained);
    const { isSigned, problems } = await checkWebhook({ ...parts, body, content }, secret, clock.now());
    return { reason: reasonOf([...agreed, ...problems], ctx), signature: isSigned ? 'valid' : 'invalid' };
  };
}
