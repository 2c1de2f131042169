import type { Middleware } from 'koa';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { createRate, type Rate } from '#server/rate.ts';

/** Bytes of path and query; the longest that the page asks for is a payment file's link with its token. */
const longestUrl = 8 * 1024;

/** What one address may ask for: a busy page stays far below. */
export const usualRate: Rate = { perSecond: 100, burst: 1000 };

/** Refuses what comes too often from one address (429) or with too long a URL (414). Bodies have their own limit. */
export function limits(rate: Rate, clock: Clock): Middleware {
  const take = createRate(rate, clock);
  return async (ctx, next) => {
    const retryAfter = take(ctx.ip);
    if (retryAfter > 0)
      throw new Failure('rate-limited', `More than ${rate.perSecond} requests a second came from ${ctx.ip}.`, {
        retryAfter,
      });
    if (ctx.url.length > longestUrl)
      throw new Failure('too-large', `The address is longer than ${longestUrl} bytes.`, { status: 414 });
    await next();
  };
}
