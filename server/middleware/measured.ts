import type { Context, Middleware } from 'koa';
import type { Clock } from '#server/clock.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import { isOfApi, isOfFile, isRead } from './page.ts';

/** A word for the requests whose path matches no route. */
const withoutRoute = ({ method, path }: Context): string =>
  isOfFile(method, path) ? 'files' : isRead(method) && !isOfApi(path) ? 'pages' : 'none';

/** Measures each request by its route's pattern: paths contain ids and links, and whoever calls can make them up. */
export const measured =
  (metrics: Pick<Metrics, 'request'>, clock: Pick<Clock, 'steady'>): Middleware =>
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
