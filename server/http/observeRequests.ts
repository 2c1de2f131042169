import type { Context, Middleware } from 'koa';
import type { Clock } from '#server/clock.ts';
import { isOfApi, isOfFile, isSafeMethod } from './page.ts';
import type { Logger } from 'pino';

export interface RequestMetrics {
  /** A request; `route` is the pattern of its path, or one word for all paths without a route. Times in ms. */
  request: (method: string, route: string, status: number, ms: number) => void;
}

/** Returns a label for requests whose path matches no route. */
const withoutRoute = ({ method, path }: Context): string =>
  isOfFile(method, path) ? 'files' : isSafeMethod(method) && !isOfApi(path) ? 'pages' : 'none';

/**
 * Measures each request by its route's pattern, because paths contain ids and links, and callers can make up any number
 * of them.
 */
export const measureRequests =
  (metrics: RequestMetrics, clock: Pick<Clock, 'steady'>): Middleware =>
  async (ctx, next) => {
    const started = clock.steady();
    await next();
    const route: unknown = ctx['_matchedRoute'];
    metrics.request(
      ctx.method,
      typeof route === 'string' ? route : withoutRoute(ctx),
      ctx.status,
      clock.steady() - started,
    );
  };

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
