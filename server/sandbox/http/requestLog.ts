import type { Middleware } from 'koa';
import type { Clock } from '#server/clock.ts';

/** An answered request. */
interface Answered {
  /** ms since the epoch. */
  at: number;
  method: string;
  /** Without the query, which may contain secrets. */
  path: string;
  status: number;
  /** Duration in ms. */
  took: number;
}

/** Maximum number of requests kept, and of characters of a path. */
const most = 50;
const longestPath = 200;

/** The latest requests of other programs, for the sandbox's home page; kept in memory only. */
export function createRequestLog(clock: Clock) {
  let latest: readonly Answered[] = [];
  const isOwnPage = (path: string) => path === '/' || path === '/favicon.ico' || path.startsWith('/sandbox/');
  const note: Middleware = async (ctx, next) => {
    const [at, begun] = [clock.now(), clock.steady()];
    await next();
    const { method, path, status } = ctx;
    if (isOwnPage(path)) return;
    const took = Math.round(clock.steady() - begun);
    latest = [{ at, method, path: path.slice(0, longestPath), status, took }, ...latest].slice(0, most);
  };
  return {
    note,
    /** The latest requests, newest first. */
    latest: () => latest,
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
