import type { Middleware } from 'koa';
import type { Clock } from '#server/clock.ts';

/** A request and the status of its answer. */
interface LoggedRequest {
  /** ms since the epoch. */
  at: number;
  method: string;
  /** Without the query, which may contain secrets. */
  path: string;
  status: number;
  /** Duration in ms. */
  ms: number;
}

/** Maximum number of requests kept, and of characters of a path. */
const maximumRequests = 50;
const maximumPathLength = 200;

/** The latest requests of other programs, for the sandbox's home page; kept in memory only. */
export function createRequestLog(clock: Clock) {
  let latest: readonly LoggedRequest[] = [];
  const isOwnPage = (path: string) => path === '/' || path === '/favicon.ico' || path.startsWith('/sandbox/');
  const record: Middleware = async (ctx, next) => {
    const [at, startedSteady] = [clock.now(), clock.steady()];
    await next();
    const { method, path, status } = ctx;
    if (isOwnPage(path)) return;
    const ms = Math.round(clock.steady() - startedSteady);
    latest = [{ at, method, path: path.slice(0, maximumPathLength), status, ms }, ...latest].slice(0, maximumRequests);
  };
  return {
    /** Records each request. */
    record,
    /** The latest requests, newest first. */
    latest: () => latest,
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
