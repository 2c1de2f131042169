import type { Context, Middleware } from 'koa';
import { Failure } from '#server/failure.ts';
import { BodyError } from './receivedBody.ts';

/**
 * Returns the failure for an error that the caller has caused: that of a check, of the body, or of Koa and its
 * middleware with a status below 500; undefined for any other.
 */
export function callerFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new Failure('too-large', 'The body is larger than its call accepts.');
  if (error instanceof Error && (status === 400 || status === 415))
    return new Failure('invalid-request', `The body cannot be read: ${error.message}.`, { status });
  return undefined;
}

/** Returns the headers that an answer to an error has. */
export const headersFor = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof BodyError ? error.headers : {};

/** Answers an error by `answer`, and by the error that `nothingAt` returns what nothing has answered. */
export const answerErrors =
  (answer: (ctx: Context, error: unknown) => void, nothingAt: (ctx: Context) => Error): Middleware =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw nothingAt(ctx);
    } catch (error) {
      answer(ctx, error);
    }
  };
