import type { Context, Middleware } from 'koa';
import { signInPath } from '#server/access/config.ts';
import { maybeUserOf } from '#server/access/user.ts';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { createRate, type Rate } from '#server/rate.ts';
import { healthPaths } from '#server/routes/health.ts';
import { notificationsPath } from '#server/upstream/config.ts';

/**
 * Maximum length of path and query in characters; the longest URL of the page contains a payment file's link with its
 * token.
 */
const longestUrl = 8 * 1024;

/**
 * The rate limit of one caller: bursts may last for ten seconds. A busy page stays far below 100 requests per second.
 */
export const rateOf = (perSecond: number): Rate => ({ perSecond, burst: perSecond * 10 });
export const usualRate = rateOf(100);

/** The path in lower case and without trailing slashes, as the router compares paths. */
const startOf = (path: string): string => path.toLowerCase().replace(/\/+$/, '');

/**
 * Refuses requests that exceed their caller's rate limit (429) or have too long a URL (414). A caller is a user,
 * identified by the session, or an address without one. Health checks, webhooks and signing in must stay reachable
 * whatever a page does, so each of these has its own limit per address, which is at least the default.
 */
export function limits(rate: Rate, clock: Clock): Middleware {
  const atLeastUsual = {
    perSecond: Math.max(rate.perSecond, usualRate.perSecond),
    burst: Math.max(rate.burst, usualRate.burst),
  };
  const [page, apart] = [createRate(rate, clock), createRate(atLeastUsual, clock)];

  function waitOf(ctx: Context): { retryAfter: number; perSecond: number; whose: string } {
    const path = startOf(ctx.path);
    const own = [...healthPaths, notificationsPath].find((each) => path === each);
    const isSignIn = path === signInPath || path.startsWith(`${signInPath}/`);
    const group = own ?? (isSignIn ? signInPath : undefined);
    if (group !== undefined)
      return { retryAfter: apart(`${group} ${ctx.ip}`), perSecond: atLeastUsual.perSecond, whose: ctx.ip };
    const session = maybeUserOf(ctx)?.session;
    const [caller, whose] = session === undefined ? [`address ${ctx.ip}`, ctx.ip] : [session, 'your session'];
    return { retryAfter: page(caller), perSecond: rate.perSecond, whose };
  }

  return (ctx, next) => {
    const { retryAfter, perSecond, whose } = waitOf(ctx);
    if (retryAfter > 0)
      throw new Failure('rate-limited', `More than ${perSecond} requests a second came from ${whose}.`, { retryAfter });
    if (ctx.url.length > longestUrl)
      throw new Failure('too-large', `The address is longer than ${longestUrl} bytes.`, { status: 414 });
    return next();
  };
}
