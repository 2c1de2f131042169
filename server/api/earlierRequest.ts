import type { Context } from 'koa';
import type { CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import { currentAttempt } from '#server/calls/callContext.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { Rates } from '#server/http/rateLimits.ts';
import { currentUser } from '#server/http/user.ts';
import { writeUnder } from './call.ts';

type Earlier = NonNullable<Problem['earlier']>;

const notSent = 'This request was not sent.';

const notRead = (why: string): Earlier => ({
  state: 'not-read',
  detail: `${notSent} Whether an earlier one under its key took effect ${why}.`,
});

/**
 * Adds to the failure of a write what the journal knows of an earlier one under its key, if the key was not looked up
 * before: a rate limit, an invalid body, an expired session, a store that cannot be written. Requests that the console
 * refuses because of their sender learn nothing. `companyOf` opens the company that a request names; it rejects with a
 * Failure if there is none.
 */
export async function nameEarlierRequest(
  ctx: Context,
  name: CallName,
  error: unknown,
  companyOf: (ctx: Context) => Promise<CompanyContext>,
  rates: Rates,
): Promise<void> {
  const key = ctx.get('Idempotency-Key');
  const attempt = currentAttempt();
  const code = error instanceof Failure ? error.problem.code : undefined;
  if (key === '' || attempt.isClaimed || code === 'forbidden') return;

  async function found(): Promise<Earlier | undefined> {
    const user = currentUser();
    if (!user && code === 'signed-out')
      return notRead('is told only to its user: sign in, and send it again under the same key');
    if (!user) return notRead('could not be read');
    if (rates.earlier.take(user.workspace) > 0) return notRead('was not looked up: too many requests come from you');
    const row = await writeUnder(name, await companyOf(ctx), key);
    if (!row) return undefined;
    if (row.state !== 'done')
      return {
        state: 'unknown',
        detail: `${notSent} The outcome of the earlier one under its key, of ${iso(row.claimedAt)}, is unknown: it may have taken effect.`,
      };
    const { createdId: id } = row;
    const effect = name === 'createBatch' ? `was paid in batch ${id}` : `took effect${id === '' ? '' : ` (${id})`}`;
    const detail = `${notSent} The earlier one under its key ${effect}.`;
    return { state: 'done', detail, ...(id !== '' && { id }) };
  }

  const earlier = await found().catch(() => notRead('could not be read'));
  if (earlier) attempt.earlier = earlier;
}
