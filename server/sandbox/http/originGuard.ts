import type { Middleware } from 'koa';
import { isLoopback } from '#server/http/address.ts';
import { Problem } from './problem.ts';
import type { SandboxConfig } from '../config.ts';

const readMethods = ['GET', 'HEAD'];

/**
 * Refuses requests that a page of another origin could cause: those for a foreign host name (DNS rebinding), and writes
 * from another origin.
 */
export function originGuard({
  publicUrl,
  allowedHosts,
}: Pick<SandboxConfig, 'publicUrl' | 'allowedHosts'>): Middleware {
  const { hostname: publicName, origin: publicOrigin } = new URL(publicUrl);
  const own = new Set([publicName, ...allowedHosts]);
  return async (ctx, next) => {
    const { hostname } = ctx;
    if (!isLoopback(hostname) && !own.has(hostname.toLowerCase()))
      throw new Problem(403, `The sandbox is not known as ${hostname || 'a nameless host'}: see ALLOWED_HOSTS`);
    const site = ctx.get('sec-fetch-site');
    const origin = ctx.get('origin');
    // A proxy may have replaced the host name that the browser uses by its own name for the sandbox.
    const isOwn = origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === ctx.host);
    const foreign = (site !== '' && !['same-origin', 'none'].includes(site)) || (origin !== '' && !isOwn);
    if (foreign && !readMethods.includes(ctx.method))
      throw new Problem(403, 'Changes are accepted only from the sandbox’s own pages');
    await next();
  };
}
