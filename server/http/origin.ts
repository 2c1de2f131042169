import type { Context, Middleware } from 'koa';
import { Failure } from '#server/failure.ts';
import { isJsonType, mediaType } from './receivedBody.ts';

const ownNames = ['localhost', '127.0.0.1', '[::1]'];
const reading = ['GET', 'HEAD'];

/** Refuses requests for a foreign host name (DNS rebinding). */
export const hostCheck = (allowedHosts: readonly string[]): Middleware => {
  const allowed = new Set([...ownNames, ...allowedHosts]);
  return (ctx, next) => {
    if (!allowed.has(ctx.hostname.toLowerCase()))
      throw new Failure(
        'forbidden',
        `The console is not known as ${ctx.hostname || 'a nameless host'}: see ALLOWED_HOSTS.`,
      );
    return next();
  };
};

/**
 * Refuses writes from pages of other origins. Webhooks are exempt, because they are authenticated by their signature.
 */
export const originCheck =
  (except: string): Middleware =>
  (ctx, next) => {
    const site = ctx.get('Sec-Fetch-Site');
    const origin = ctx.get('Origin');
    const foreign = site ? !['same-origin', 'none'].includes(site) : origin !== '' && !isOwn(origin, ctx);
    if (foreign && !reading.includes(ctx.method) && ctx.path !== except)
      throw new Failure('forbidden', 'Changes are accepted only from the console’s own pages.');
    return next();
  };

/** Refuses bodies that are not JSON, because a page of another origin can send those without a CORS preflight. */
export const jsonOnly: Middleware = (ctx, next) => {
  // `is` answers null for a request without a body.
  if (ctx.get('Content-Length') !== '0' && ctx.is('json') !== null && !isJsonType(mediaType(ctx.get('Content-Type'))))
    throw new Failure('invalid-request', `The body is ${ctx.request.type || 'of no type'}: send application/json.`, {
      status: 415,
    });
  return next();
};

/**
 * Whether an origin is the console's own. HTTPS is always accepted, because behind an untrusted proxy a request counts
 * as plain HTTP even if the browser used TLS.
 */
function isOwn(origin: string, { host, secure }: Context): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: itsHost, protocol } = new URL(origin);
  return itsHost === host && (protocol === 'https:' || !secure);
}
