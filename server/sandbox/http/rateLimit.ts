import type { Middleware } from 'koa';
import type { Clock } from '#server/clock.ts';
import { createTokenBucket } from '#server/http/tokenBucket.ts';
import { Problem } from './problem.ts';
import type { SandboxConfig } from '../config.ts';

const limited = /^\/(v3|api-msg-v1|auth-v1|network-v1)\//;

/** Limits the rate of API calls per address; answers 429 with Retry-After beyond it (wire, section 13). */
export function rateLimit(rate: SandboxConfig['rate'], clock: Clock): Middleware {
  const take = createTokenBucket(rate, clock);

  return async (ctx, next) => {
    const wait = limited.test(ctx.path) ? take(ctx.ip) : 0;
    if (wait > 0) throw new Problem(429, `Too many calls; try again in ${wait} s`, [], { 'retry-after': String(wait) });
    await next();
  };
}
