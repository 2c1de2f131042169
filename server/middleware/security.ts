import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import type { AccessConfig } from '#server/access/config.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';

/** In s. */
const year = 365 * 24 * 60 * 60;

/** The placeholder that the page's build leaves where the nonce goes (vite.config.ts). */
export const noncePlaceholder = '__CSP_NONCE__';

/**
 * Security headers. Styles made at run time need the request's nonce, which is left in `ctx.state.nonce`; frames show
 * the providers' and the transfer's pages, and the login form goes to the identity provider.
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
      // Banks' and providers' logos come from wherever they keep them.
      imgSrc: ["'self'", 'data:', 'https:'],
      frameSrc: [...new Set([...providerOrigins, transfer!])],
      formAction: ["'self'", identity!],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    };
    await helmet({
      contentSecurityPolicy: { useDefaults: false, directives },
      // Without a public address the console is visited over plain HTTP on this machine.
      strictTransportSecurity: access?.publicUrl.startsWith('https:')
        ? { maxAge: year, includeSubDomains: false }
        : false,
    })(ctx, next);
  };
};
