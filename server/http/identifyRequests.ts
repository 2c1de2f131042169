import type { Context, Middleware } from 'koa';
import { runInRequest } from '#server/calls/callContext.ts';
import { idHeaders, requestIdsOf, traceparentOf } from '#server/calls/requestIds.ts';
import type { RequestIds } from '#server/calls/requestIds.ts';

/** Returns the ids of a request; undefined before `identifyRequests`. */
export const idsOf = (ctx: Context): RequestIds | undefined => ctx.state['ids'] as RequestIds | undefined; // set below

/** Returns the headers in which an answer names its request. */
export const answerHeaders = ({ requestId, trace }: RequestIds): Record<string, string> => ({
  'X-Request-Id': requestId,
  [idHeaders.traceparent]: traceparentOf(trace, trace.spanId),
});

/**
 * Gives each request its ids, and runs it so that its calls of the service and its lines of the log have them. Answers
 * name them too; an answer that is `forwarded` has headers of its own, and only a refusal gets these (problems.ts).
 */
export const identifyRequests =
  (newId: () => string, samples: boolean, forwarded: (path: string) => boolean): Middleware =>
  (ctx, next) => {
    const ids = requestIdsOf(ctx.headers, newId, samples);
    ctx.state['ids'] = ids;
    if (!forwarded(ctx.path)) ctx.set(answerHeaders(ids));
    return runInRequest(ids, next);
  };
