import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import type { AccessConfig } from '#server/access/config.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';

/** In seconds. */
const year = 365 * 24 * 60 * 60;

/** Placeholder for the nonce in the built page (vite.config.ts). */
export const noncePlaceholder = '__CSP_NONCE__';

/**
 * Sets security headers. Styles created at run time need the request's nonce, which is stored in `ctx.state.nonce`.
 * Frames may show pages of providers and the transfer page; the login form may post to the identity provider.
 */
export const security = (
  { providerOrigins, transferUrl, authorizeUrl }: UpstreamConfig,
  access: AccessConfig | undefined,
): Middleware => {
  const [transfer, identity] = [transferUrl, authorizeUrl].map((url) => new URL(url).origin);
  return async (ctx, next) => {
    const nonce = randomBytes(16).toString('base64');
    ctx.state['nonce'] = nonce;
    const directives = {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", `'nonce-${nonce}'`],
      // Logos of banks and providers may be on any host.
      imgSrc: ["'self'", 'data:', 'https:'],
      frameSrc: [...new Set([...providerOrigins, transfer!])],
      formAction: ["'self'", identity!],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    };
    await helmet({
      contentSecurityPolicy: { useDefaults: false, directives },
      // Without a public URL the console is reached over plain HTTP on this machine.
      strictTransportSecurity: access?.publicUrl.startsWith('https:')
        ? { maxAge: year, includeSubDomains: false }
        : false,
    })(ctx, next);
  };
};
