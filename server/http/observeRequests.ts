import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { newCall, runInCall } from '#server/calls/callContext.ts';
import { answerHeaders, requestIdsOf } from '#server/calls/requestIds.ts';
import type { OnSpan } from '#server/calls/spans.ts';
import type { Clock } from '#server/clock.ts';
import { isOfApi, isOfFile, isSafeMethod } from './page.ts';

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

interface Observers {
  newId: () => string;
  clock: Clock;
  log: Logger;
  /** Logs what a request has written (writeLog.ts). */
  logWrite: (ctx: Context) => void;
  /** Whether a path's answers are forwarded: they have headers of their own, and only a refusal gets the console's. */
  isForwarded: (path: string) => boolean;
  /** Absent if nothing is measured. */
  metrics?: RequestMetrics | undefined;
  /** Absent if no traces are recorded. */
  onSpan?: OnSpan | undefined;
}

/**
 * Gives each request its ids, which its answer, its calls of the service and its lines of the log name, and the context
 * that follows it. Measures it, records its span in a trace, and logs it: with its route's pattern instead of its path,
 * because paths contain links to files that need no further authorisation.
 */
export function observeRequests({ newId, clock, log, logWrite, isForwarded, metrics, onSpan }: Observers): Middleware {
  const isLogged = log.isLevelEnabled('info');
  return (ctx, next) => {
    const ids = requestIdsOf(ctx.headers, newId, onSpan !== undefined);
    if (!isForwarded(ctx.path)) ctx.set(answerHeaders(ids));
    return runInCall(newCall({ ids }), async () => {
      const { ip: address, method } = ctx; // the address is unknown once the client has hung up
      const [startedAt, started] = [clock.now(), clock.steady()];
      await next();
      const { status } = ctx;
      const route = routeOf(ctx);
      const ms = clock.steady() - started;
      logWrite(ctx);
      if (isLogged) log.info({ address, method, route, status, ms }, 'request');
      metrics?.request(method, route, status, ms);
      if (!onSpan || !ids.trace.isSampled) return;
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'http.request.header.x-request-id': ids.requestId,
      };
      const isFailed = status >= 500;
      onSpan({ name: `${method} ${route}`, kind: 'server', ...ids.trace, startedAt, ms, attributes, isFailed });
    });
  };
}
