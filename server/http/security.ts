import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Context, Middleware } from 'koa';

/** Seconds. */
const year = 365 * 24 * 60 * 60;

/** Placeholder for the nonce in the built page (vite.config.ts). */
export const noncePlaceholder = '__CSP_NONCE__';

const policy = 'Content-Security-Policy';
/** The style directive of every answer. */
const styles = "style-src 'self'";

/**
 * Allows run-time styles in this answer, a page; returns their nonce. Other answers have no nonce, because making one
 * takes longer than all their other headers.
 */
export function allowStyles(ctx: Context): string {
  const nonce = randomBytes(16).toString('base64');
  ctx.set(policy, ctx.response.get(policy).replace(styles, `${styles} 'nonce-${nonce}'`));
  return nonce;
}

/** Returns the headers that a helmet middleware sets on an answer. */
function headersSetBy(set: ReturnType<typeof helmet>): [name: string, value: string][] {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  // helmet only sets headers and calls back synchronously.
  set(answer.req, answer, () => undefined);
  return Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/** Where pages may lead. */
interface Destinations {
  providerOrigins: readonly string[];
  transferUrl: string;
  authorizeUrl: string;
}

/**
 * Sets security headers, computed once by helmet. Frames may show pages of providers and the transfer page; the login
 * form may post to the identity provider. Requests that are `forwarded` get an answer with headers of its own; only their
 * refusals get these.
 */
export function security(
  { providerOrigins, transferUrl, authorizeUrl }: Destinations,
  access: { issuer: string; publicUrl: string } | undefined,
  forwarded: (path: string) => boolean = () => false,
): Middleware {
  const [transfer, identity] = [transferUrl, authorizeUrl].map((url) => new URL(url).origin);
  const headers = headersSetBy(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          // Logos of banks and providers may be on any host.
          imgSrc: ["'self'", 'data:', 'https:'],
          frameSrc: [...new Set([...providerOrigins, transfer!])],
          formAction: ["'self'", identity!],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      // Without a public URL the console is reached over plain HTTP on this machine.
      strictTransportSecurity: access?.publicUrl.startsWith('https:')
        ? { maxAge: year, includeSubDomains: false }
        : false,
    }),
  );
  const set = ({ res }: Context) => headers.forEach(([name, value]) => res.setHeader(name, value));
  return (ctx, next) => {
    if (forwarded(ctx.path))
      return next().catch((error: unknown) => {
        set(ctx);
        throw error;
      });
    set(ctx);
    return next();
  };
}
