import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { Webhook as Verifier } from 'standardwebhooks';
import { Failure } from '#server/failure.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import { isInNetwork } from '#server/http/networks.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();
const equal = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

/** Returns the reason for which the verifier refused a webhook, from the verifier's message. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : '';
  if (reason.startsWith('Message timestamp'))
    return 'The webhook was signed more than five minutes before or after the console’s time: compare the clocks of both.';
  if (reason === 'Missing required headers')
    return 'The webhook lacks one of the headers webhook-id, webhook-timestamp and webhook-signature.';
  return 'The webhook’s signature is not valid for this secret.';
}

/**
 * Returns a function that authenticates webhooks by the agreed header, a Standard Webhooks signature, or both, as
 * configured, and by their source address. It returns the body's text or throws `forbidden`. Throws an Error if neither
 * header nor secret is configured.
 */
export function authenticity({ secret, header, sources }: UpstreamConfig['webhook']): (ctx: Context) => string {
  if (secret === undefined && header === undefined) throw new Error('Webhooks need a secret or an agreed header.');
  const verifier = secret === undefined ? undefined : new Verifier(secret);

  const isSource = sources && isInNetwork(sources);

  return (ctx) => {
    if (isSource?.(ctx.ip) === false)
      throw new Failure('forbidden', `Webhooks are not accepted from ${ctx.ip}: see WEBHOOK_SOURCES.`);
    if (header && !equal(ctx.get(header.name), header.value))
      throw new Failure('forbidden', 'The webhook lacks the agreed header.');
    try {
      verifier?.verify(ctx.request.rawBody, ctx.headers as Record<string, string>); // absent headers are refused
    } catch (error) {
      // A SyntaxError means that the webhook is authentic but not JSON: the verifier parses the text after verifying
      // it.
      if (!(error instanceof SyntaxError)) throw new Failure('forbidden', reasonOf(error));
    }
    return ctx.request.rawBody;
  };
}
