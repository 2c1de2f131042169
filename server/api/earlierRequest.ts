import type { Context, Middleware } from 'koa';
import type { CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import { attemptOf } from '#server/calls/writeOutcome.ts';
import { iso } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { isSafeMethod } from '#server/http/page.ts';
import type { Rates } from '#server/http/rateLimits.ts';
import { maybeUserOf } from '#server/http/user.ts';
import { writeUnder } from './call.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';

type Earlier = NonNullable<Problem['earlier']>;

const notSent = 'This request was not sent.';

const notRead = (why: string): Earlier => ({
  state: 'not-read',
  detail: `${notSent} Whether an earlier one under its key took effect ${why}.`,
});

/** Returns what is known of the earlier request under a write's idempotency key; undefined if there was none. */
async function earlierOf(name: CallName, context: CompanyContext, key: string): Promise<Earlier | undefined> {
  const row = await writeUnder(name, context, key);
  if (!row) return undefined;
  if (row.state !== 'done')
    return {
      state: 'unknown',
      detail: `${notSent} The outcome of the earlier one under its key, of ${iso(row.claimedAt)}, is unknown: it may have taken effect.`,
    };
  const { createdId: id } = row;
  const effect = name === 'createBatch' ? `was paid in batch ${id}` : `took effect${id === '' ? '' : ` (${id})`}`;
  return {
    state: 'done',
    detail: `${notSent} The earlier one under its key ${effect}.`,
    ...(id !== '' && { id }),
  };
}

interface Needs {
  /** Returns the write to which a request belongs; undefined if it belongs to none. */
  writeOf: (ctx: Context) => CallName | undefined;
  /** Opens the company that a request names; rejects with a Failure if there is none. */
  contextOf: (ctx: Context) => Promise<CompanyContext>;
  rates: Pick<Rates, 'earlier'>;
}

/**
 * Adds to the failure of a repeat what is known of the earlier request, if it failed before its idempotency key was looked
 * up: a rate limit, an invalid body, an expired session, a store that cannot be written. Requests that the console
 * refuses because of their sender learn nothing.
 */
export function nameEarlierRequest({ writeOf, contextOf, rates }: Needs): Middleware {
  async function found(ctx: Context, key: string): Promise<Earlier | undefined> {
    const name = writeOf(ctx);
    if (!name) return undefined;
    const user = maybeUserOf(ctx);
    if (!user) return notRead('is told only to its user: sign in, and send it again under the same key');
    if (rates.earlier.take(user.workspace) > 0) return notRead('was not looked up: too many requests come from you');
    return earlierOf(name, await contextOf(ctx), key);
  }

  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const key = ctx.get('Idempotency-Key');
      const attempt = attemptOf(ctx);
      const isForbidden = error instanceof Failure && error.problem.code === 'forbidden';
      if (key !== '' && !isSafeMethod(ctx.method) && !attempt.isClaimed && !isForbidden) {
        const earlier = await found(ctx, key).catch(() => notRead('could not be read'));
        if (earlier) attempt.earlier = earlier;
      }
      throw error;
    }
  };
}
