import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from 'koa';
import type { AccessConfig } from '#server/access/config.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';

/** In seconds. */
const year = 365 * 24 * 60 * 60;

/** Placeholder for the nonce in the built page (vite.config.ts). */
export const noncePlaceholder = '__CSP_NONCE__';

/** Length of a nonce in bytes. */
const length = 16;
/** Random bytes for the next nonces: asking for them takes longer than any other part of a request's headers. */
let [random, used] = [Buffer.alloc(0), 0];
function newNonce(): string {
  if (used >= random.length) [random, used] = [randomBytes(64 * length), 0];
  used += length;
  return random.toString('base64', used - length, used);
}

/** The headers that a middleware sets on an answer. */
function headersSetBy(set: ReturnType<typeof helmet>): [name: string, value: string][] {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  // It only sets headers, and calls back at once.
  set(answer.req, answer, () => undefined);
  return Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/**
 * Sets security headers. Styles created at run time need the request's nonce, which is stored in `ctx.state.nonce`.
 * Frames may show pages of providers and the transfer page; the login form may post to the identity provider. Helmet
 * makes the headers once, as they differ in the nonce only.
 */
export function security(
  { providerOrigins, transferUrl, authorizeUrl }: UpstreamConfig,
  access: AccessConfig | undefined,
): Middleware {
  const [transfer, identity] = [transferUrl, authorizeUrl].map((url) => new URL(url).origin);
  const headers = headersSetBy(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", `'nonce-${noncePlaceholder}'`],
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
  return (ctx, next) => {
    const nonce = newNonce();
    ctx.state['nonce'] = nonce;
    for (const [name, value] of headers) ctx.res.setHeader(name, value.replace(noncePlaceholder, nonce));
    return next();
  };
}
