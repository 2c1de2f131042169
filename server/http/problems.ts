import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { Failure } from '#server/failure.ts';
import { DatabaseError, isConnectionLost, UnreadableError } from '#server/storage/errors.ts';
import { html } from './html.ts';
import { answerErrors, callerFailure, headersFor } from './errors.ts';
import { sendNotice } from './noticePage.ts';
import { callContext, currentAttempt } from '#server/calls/callContext.ts';
import { outcomeMembers } from '#server/calls/writeOutcome.ts';
import { answerHeaders, idHeaders } from '#server/calls/requestIds.ts';
import { healthPaths } from './paths.ts';
import type { Problem } from '#contract/problem.ts';
import { isOfApi, isSafeMethod } from './page.ts';

/**
 * Codes of writes that the file system refused: a quota is exhausted, the file may not grow further, or the disk is
 * broken.
 */
const notWritten = /^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHM)/;

/** Returns the failure for an error of SQLite. */
function ofFile({ code }: DatabaseError): Failure {
  if (code.startsWith('SQLITE_FULL'))
    return new Failure('store-failed', 'The disk of the console is full: make room on it.');
  if (notWritten.test(code))
    return new Failure(
      'store-failed',
      `The disk of the console cannot be written (${code}): make room on it, or raise its quota.`,
    );
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return new Failure('store-failed', 'Another program has locked the console’s file: close that program.');
  if (code === 'SQLITE_READONLY_DBMOVED')
    return new Failure(
      'store-failed',
      'The console’s file was removed, replaced or cut short, and stores nothing any more: stop the console, put the file back and start it again.',
    );
  return new Failure(
    'store-failed',
    `The console’s file cannot be used (${code}): stop the console, then restore the file or move it away.`,
    { status: 500 },
  );
}

/** PostgreSQL's code for a write on a standby, which accepts none until it is promoted. */
const standbyOnly = 'POSTGRES_25006';

/** Returns the failure for an error of PostgreSQL. */
function ofDatabase(error: DatabaseError): Failure {
  if (error.code === 'POSTGRES_53100')
    return new Failure('store-failed', 'The disk of the console’s database is full: make room on it.');
  if (isConnectionLost(error) || error.code === standbyOnly)
    return new Failure(
      'store-failed',
      'The console’s database could not be reached. The console continues once it can be reached again.',
    );
  if (/^POSTGRES_(40|55P03|57014|53)/.test(error.code))
    return new Failure('store-failed', `The console’s database is too busy (${error.code}): try again later.`);
  return new Failure(
    'store-failed',
    `The console’s database cannot be used (${error.code}); the console’s log says why.`,
    {
      status: 500,
    },
  );
}

/** Converts an error to a Failure. */
function failureOf(error: unknown): Failure {
  if (error instanceof DatabaseError) return error.code.startsWith('POSTGRES_') ? ofDatabase(error) : ofFile(error);
  if (error instanceof UnreadableError)
    return new Failure(
      'store-failed',
      `The record ${error.place} of the console’s file cannot be read: stop the console, then restore the file from a copy.`,
      { status: 500 },
    );
  return callerFailure(error) ?? new Failure('internal', 'Something went wrong in the console; its log says what.');
}

/** Methods that change nothing; failures of all other methods report an outcome. */
const reading = ['GET', 'HEAD', 'OPTIONS'];

/** Seconds after which a browser reloads a page whose store is unavailable. */
const reloadAfter = 2;

/** Whether a browser asks for a page: it accepts HTML, which no API call does. */
const isOfPage = ({ method, path, headers }: Context): boolean =>
  isSafeMethod(method) && !isOfApi(path) && !healthPaths.includes(path) && (headers.accept ?? '').includes('text/html');

/**
 * Sends errors as problem+json (RFC 9457), or as a page to a browser that asks for one; sends 404 if nothing answered.
 */
export function problemResponses(log: Logger): Middleware {
  const answer = (ctx: Context, { problem: shownProblem }: Failure) => {
    if (isOfPage(ctx)) return answerPage(ctx, shownProblem);
    const ids = callContext()?.ids;
    const named = ids ? answerHeaders(ids) : {};
    ctx.set(named);
    const problem: Problem = {
      ...shownProblem,
      ...(!reading.includes(ctx.method) && outcomeMembers(currentAttempt())),
      ...(ids && { requestId: ids.requestId, traceparent: named[idHeaders.traceparent] }),
    };
    ctx.status = problem.status;
    ctx.body = problem;
    ctx.type = 'application/problem+json';
    if (problem.retryAfter !== undefined) ctx.set('Retry-After', String(problem.retryAfter));
    ctx.set('Cache-Control', 'no-store');
  };
  const answerPage = (ctx: Context, { status, detail, retryAfter }: Problem) => {
    const retry = retryAfter ?? (status === 503 ? reloadAfter : undefined);
    const more = retry === undefined ? {} : { again: retry, more: html`<p>This page tries again automatically.</p>` };
    if (retry !== undefined) ctx.set('Retry-After', String(retry));
    sendNotice(ctx, status, detail, more);
  };

  return answerErrors(
    (ctx, error) => {
      const failure = failureOf(error);
      ctx.set(headersFor(error));
      if (['internal', 'store-failed'].includes(failure.problem.code)) log.error({ err: error }, 'a request failed');
      answer(ctx, failure);
    },
    ({ method, path }) => new Failure('not-found', `The console has nothing at ${method} ${path}.`),
  );
}
