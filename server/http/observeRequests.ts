import type { Context, Middleware } from 'koa';
import type { OnSpan } from '#server/calls/spans.ts';
import type { Clock } from '#server/clock.ts';
import { idsOf } from './identifyRequests.ts';
import { isOfApi, isOfFile, isSafeMethod } from './page.ts';
import type { Logger } from 'pino';

export interface RequestMetrics {
  /** A request; `route` is the pattern of its path, or one word for all paths without a route. Times in ms. */
  request: (method: string, route: string, status: number, ms: number) => void;
}

export interface SandboxMetrics extends RequestMetrics {
  /** An attempt to deliver a webhook, with the status of its answer; 0 if there was none. */
  delivery: (status: number) => void;
}

/** Returns a label for requests whose path matches no route. */
const withoutRoute = ({ method, path }: Context): string =>
  isOfFile(method, path) ? 'files' : isSafeMethod(method) && !isOfApi(path) ? 'pages' : 'none';

/** Returns a request's route, in which ids and links are left out. */
const routeOf = (ctx: Context): string => {
  const route: unknown = ctx['_matchedRoute'];
  return typeof route === 'string' ? route : withoutRoute(ctx);
};

/**
 * Measures each request by its route's pattern, because paths contain ids and links, and callers can make up any number
 * of them.
 */
export const measureRequests =
  (metrics: RequestMetrics, clock: Pick<Clock, 'steady'>): Middleware =>
  async (ctx, next) => {
    const started = clock.steady();
    await next();
    metrics.request(ctx.method, routeOf(ctx), ctx.status, clock.steady() - started);
  };

/** Records a span for each request of a trace that is recorded. */
export const traceRequests =
  (onSpan: OnSpan, clock: Pick<Clock, 'now' | 'steady'>): Middleware =>
  async (ctx, next) => {
    const [startedAt, started] = [clock.now(), clock.steady()];
    await next();
    const { requestId, trace } = idsOf(ctx)!; // set by identifyRequests
    if (!trace.isSampled) return;
    const { method, status } = ctx;
    const route = routeOf(ctx);
    onSpan({
      name: `${method} ${route}`,
      kind: 'server',
      ...trace,
      startedAt,
      ms: clock.steady() - started,
      attributes: {
        ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
        'http.request.header.x-request-id': requestId,
      },
      isFailed: status >= 500,
    });
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
    log.info(
      { address, method: ctx.method, route: routeOf(ctx), status: ctx.status, ms: clock.steady() - started },
      'request',
    );
  };
