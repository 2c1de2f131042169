import type { Middleware } from 'koa';
import { headerFault } from '#server/http/singleHeaders.ts';
import { notesOf } from '../records/call.ts';
import { headerProblem } from './problem.ts';

/** Refuses calls that have several values for a header of one value, or an idempotency key that is none (400). */
export const singleHeaders: Middleware = (ctx, next) => {
  const fault = headerFault(ctx.req.rawHeaders);
  if (!fault) return next();
  notesOf(ctx).mistakes.push(`Header ${fault.name} ${fault.message}`);
  throw headerProblem(fault.name, fault.message);
};
