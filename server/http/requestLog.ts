import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';

/**
 * Logs one line per request, with the route's pattern instead of the path, because paths contain links to files that
 * need no further authorisation.
 */
export const requestLog =
  (log: Logger, clock: Clock): Middleware =>
  async (ctx, next) => {
    const { ip: address } = ctx; // unknown once the client has hung up
    const started = clock.steady();
    await next();
    const route: unknown = ctx['_matchedRoute'];
    log.info({ address, method: ctx.method, route, status: ctx.status, ms: clock.steady() - started }, 'request');
  };
