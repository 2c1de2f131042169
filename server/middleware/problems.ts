import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { maximumBatchBytes } from '#contract/constants.ts';
import { Failure } from '#server/failure.ts';

/** Koa's and its middleware's own errors that are the caller's fault carry a status below 500. */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new Failure('too-large', `The body is larger than ${maximumBatchBytes} bytes.`);
  if (error instanceof Error && (status === 400 || status === 415))
    return new Failure('invalid-request', `The body cannot be read: ${error.message}.`);
  return new Failure('internal', 'Something went wrong in the console; its log says what.');
}

/** Turns every error into problem+json (RFC 9457), and what nobody answered into a 404. */
export function problems(log: Logger): Middleware {
  const answer = (ctx: Context, { problem }: Failure) => {
    ctx.status = problem.status;
    ctx.body = problem;
    ctx.type = 'application/problem+json';
    if (problem.retryAfter !== undefined) ctx.set('Retry-After', String(problem.retryAfter));
    ctx.set('Cache-Control', 'no-store');
  };

  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined)
        answer(ctx, new Failure('not-found', `The console has nothing at ${ctx.method} ${ctx.path}.`));
    } catch (error) {
      const failure = failureOf(error);
      if (failure.problem.code === 'internal') log.error({ err: error }, 'a request failed');
      answer(ctx, failure);
    }
  };
}
