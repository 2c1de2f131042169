import type { Context, Middleware } from 'koa';
import type { Clock } from '#server/clock.ts';
import { isOfApi, isOfFile, isSafeMethod } from './page.ts';

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
