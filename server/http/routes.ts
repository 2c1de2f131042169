import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { Failure } from '#server/failure.ts';

type MakeError = (ctx: Context, has: readonly string[]) => Error;

/** The failure of a request to the console by a method that its path does not have. */
const methodFailure: MakeError = ({ method, path }, has) =>
  new Failure('invalid-request', `The console has ${path} only for ${has.join(', ')}, not for ${method}.`, {
    status: 405,
  });

/**
 * Answers a request by a method that its path does not have: OPTIONS, and any other with the error that `failure` makes, of
 * 405. Both name the methods in Allow (RFC 9110, sections 9.3.7 and 15.5.6).
 */
export function answerOtherMethod(ctx: Context, has: readonly string[], failure: MakeError = methodFailure): void {
  ctx.set('Allow', has.join(', '));
  if (ctx.method !== 'OPTIONS') throw failure(ctx, has);
  ctx.status = 204;
}

/** What answers requests of a method to a path, whose parameters are written as `:name`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  answer: (ctx: Context) => unknown;
  /** The name of the call that the route makes; absent if it makes none. */
  name?: string;
}

/** Makes the router of these routes. */
export function routerOf(routes: readonly Route[]): Router {
  const router = new Router();
  for (const { method, path, answer, name } of routes)
    router.register(path, [method], (ctx) => answer(ctx), name === undefined ? {} : { name });
  return router;
}

/** The routes of a router, with an answer to what it has only at other methods. */
export function routesOf(router: Router, failure?: MakeError): Middleware {
  // Koa types what a middleware returns as any, and the router a middleware by a context of its own.
  const handle = router.routes() as Middleware;
  return (ctx, next) =>
    handle(ctx, async () => {
      // An asterisk asks for the methods of all paths (RFC 9110, section 9.3.7).
      const routes = ctx.path === '*' ? router.stack : router.match(ctx.path, ctx.method).path;
      const has = [...new Set(routes.flatMap(({ methods }) => methods))].sort();
      if (has.length === 0 || has.includes(ctx.method)) return void (await next());
      answerOtherMethod(ctx, has, failure);
    }) as Promise<unknown>;
}
