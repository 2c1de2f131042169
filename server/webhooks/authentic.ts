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

/** Returns the reason for which a webhook is refused, and the mistake of its sender where it can be found. */
function reasonOf(problems: readonly string[], ctx: Context): string {
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

  return async (ctx) => {
    const unchecked = (reason: string): Authenticity => ({ reason, signature: '' });
    if (isSource?.(ctx.ip) === false)
      return unchecked(`Webhooks are not accepted from ${ctx.ip}: see WEBHOOK_SOURCES.`);
    if (header && !equal(ctx.get(header.name), header.value))
      return unchecked(
        ctx.get(header.name) === ''
          ? `The webhook lacks the agreed header ${header.name}.`
          : `The agreed header ${header.name} of the webhook has another value.`,
      );
    if (secret === undefined) return unchecked('');
    const { bytes: body = Buffer.alloc(0) } = ctx.request;
    const [id, timestamp, signature] = (['id', 'timestamp', 'signature'] as const).map((name) =>
      ctx.get(`webhook-${name}`),
    ) as [string, string, string];
    const content = () => readableText(body, ctx.headers, longestExplained);
    const { isSigned, problems } = await checkWebhook({ id, timestamp, signature, body, content }, secret, clock.now());
    return { reason: problems.length === 0 ? '' : reasonOf(problems, ctx), signature: isSigned ? 'valid' : 'invalid' };
  };
}
