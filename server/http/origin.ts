import type { Context } from 'koa';
import { Failure } from '#server/failure.ts';
import type { Guard } from './guards.ts';
import { isLoopback } from './networks.ts';
import { isJsonType, mediaType } from './receivedBody.ts';

const reading = ['GET', 'HEAD'];

/** The application as it names itself in refusals. */
type Application = 'console' | 'sandbox';

/** Refuses requests for a foreign host name (DNS rebinding); those of this machine are always accepted. */
export const hostCheck = (allowedHosts: readonly string[], application: Application = 'console'): Guard => {
  const allowed = new Set(allowedHosts);
  return (ctx) => {
    if (!isLoopback(ctx.hostname) && !allowed.has(ctx.hostname.toLowerCase()))
      throw new Failure(
        'forbidden',
        `The ${application} is not known as ${ctx.hostname || 'a nameless host'}: see ALLOWED_HOSTS.`,
      );
  };
};

interface OwnPages {
  application?: Application;
  /** A path that is exempt, because its calls are authenticated in another way. */
  except?: string;
  /** The URL at which browsers reach the application, if a proxy may replace its host name. */
  publicUrl?: string;
}

/** Refuses writes from pages of other origins. */
export function originCheck({ application = 'console', except, publicUrl }: OwnPages): Guard {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return (ctx) => {
    const site = ctx.get('Sec-Fetch-Site');
    const origin = ctx.get('Origin');
    const foreign = site
      ? !['same-origin', 'none'].includes(site)
      : origin !== '' && origin !== publicOrigin && !isOwn(origin, ctx);
    if (foreign && !reading.includes(ctx.method) && ctx.path !== except)
      throw new Failure('forbidden', `Changes are accepted only from the ${application}’s own pages.`);
  };
}

/** Refuses bodies that are not JSON, because a page of another origin can send those without a CORS preflight. */
export const jsonOnly: Guard = (ctx) => {
  // `is` answers null for a request without a body.
  if (ctx.get('Content-Length') !== '0' && ctx.is('json') !== null && !isJsonType(mediaType(ctx.get('Content-Type'))))
    throw new Failure('invalid-request', `The body is ${ctx.request.type || 'of no type'}: send application/json.`, {
      status: 415,
    });
};

/**
 * Whether an origin is the application's own. HTTPS is always accepted, because behind an untrusted proxy a request counts
 * as plain HTTP even if the browser used TLS.
 */
function isOwn(origin: string, { host, secure }: Context): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: itsHost, protocol } = new URL(origin);
  return itsHost === host && (protocol === 'https:' || !secure);
}
