import type { Middleware } from 'koa';
import { Problem } from './problem.ts';
import type { Services } from './services.ts';

const limited = /^\/(v3|api-msg-v1|auth-v1|network-v1)\//;

/** A token bucket for each address that calls the APIs: 429 with Retry-After above it (upstream-api, section 13). */
export function rateLimit({ config, clock }: Pick<Services, 'config' | 'clock'>): Middleware {
  const { perSecond, burst } = config.rate;
  const buckets = new Map<string, { tokens: number; at: number }>();

  return async (ctx, next) => {
    if (limited.test(ctx.path)) {
      const now = clock.now();
      const bucket = buckets.get(ctx.ip) ?? { tokens: burst, at: now };
      const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
      buckets.set(ctx.ip, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
      if (tokens < 1) {
        const wait = Math.ceil((1 - tokens) / perSecond);
        throw new Problem(429, `Too many calls; try again in ${wait} s`, [], { 'retry-after': String(wait) });
      }
    }
    await next();
  };
}
