import type { Context, Middleware } from 'koa';
import { signInPath } from '#server/access/config.ts';
import { maybeUserOf } from '#server/access/user.ts';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { createRate, type Rate } from '#server/rate.ts';
import { healthPaths } from '#server/routes/health.ts';
import { notificationsPath } from '#server/upstream/config.ts';

/** Bytes of path and query; the longest that the page asks for is a payment file's link with its token. */
const longestUrl = 8 * 1024;

/** A busy page stays far below a hundred requests a second, and may ask for ten seconds' worth at once. */
export const rateOf = (perSecond: number): Rate => ({ perSecond, burst: perSecond * 10 });
export const usualRate = rateOf(100);

/** The path's first segment, as far as the router tells paths apart. */
const startOf = (path: string): string => path.toLowerCase().replace(/\/+$/, '');

/**
 * Refuses what comes too often from one caller (429) or with too long a URL (414). Bodies have their own limit. Callers
 * are users, by their session, and otherwise addresses. What others must be able to reach whatever the page does has a
 * limit of its own for each address, no lower than usual: health, webhooks and signing in.
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

  return async (ctx, next) => {
    const { retryAfter, perSecond, whose } = waitOf(ctx);
    if (retryAfter > 0)
      throw new Failure('rate-limited', `More than ${perSecond} requests a second came from ${whose}.`, { retryAfter });
    if (ctx.url.length > longestUrl)
      throw new Failure('too-large', `The address is longer than ${longestUrl} bytes.`, { status: 414 });
    await next();
  };
}
