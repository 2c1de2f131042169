import { STATUS_CODES } from 'node:http';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { callerFailure, headersFor } from '#server/http/errors.ts';
import { html } from '#server/http/html.ts';
import { DatabaseError } from '#server/storage/errors.ts';
import { Problem } from '../http/problem.ts';
import { sendPage } from './html.ts';

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseError)
    return new Problem(503, 'The sandbox cannot use its store at present; try again', [], { 'retry-after': '1' });
  const failure = callerFailure(error);
  if (!failure) return new Problem(500, 'The sandbox failed; see its log');
  return new Problem(failure.status, failure.message, failure.problem.errors, headersFor(error));
}

/**
 * Returns a function that sends a problem or an unexpected error as problem+json, or as a page to a browser that asks
 * for one.
 */
export const problemSender =
  (log: Pick<Logger, 'error'>) =>
  (ctx: Context, error: unknown): void => {
    const problem = problemOf(error);
    if (problem.status >= 500 && problem !== error)
      log.error({ err: error, method: ctx.method, path: ctx.path }, 'a sandbox call failed');
    const { status, message, errors, headers } = problem;
    ctx.status = status;
    ctx.set(headers);
    if (ctx.accepts('json', 'html') === 'html') {
      sendPage(ctx, status, STATUS_CODES[status] ?? 'Refused', html`<p role="status">${message}</p>`);
      return;
    }
    const title = STATUS_CODES[status] ?? 'Refused';
    ctx.body = {
      type: 'about:blank',
      title,
      status,
      code: title.replaceAll(/[^A-Za-z]/g, ''),
      detail: message,
      ...(errors.length > 0 && { errors }),
    };
    ctx.type = 'application/problem+json';
  };
