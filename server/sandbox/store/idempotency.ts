import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { parse, stringify } from '#contract/json.ts';
import { header } from '#server/upstream/wire.ts';
import type { Clock } from '#server/clock.ts';
import { Problem } from '../http/problem.ts';
import type { TenantStore } from './tenantStore.ts';

/** The answer to a creation. */
interface Creation {
  status: number;
  body?: unknown;
  /** Whether it is the stored answer to an earlier call. */
  isReplayed?: boolean;
}

type Create = () => Creation | Promise<Creation>;

/**
 * Runs creations under x-idempotency-key. Claiming the key, creating, and storing the answer form one transaction: a
 * failure stores nothing; of concurrent repeats one creates and the others return its answer.
 */
export function createIdempotency(
  { application, read, write, transaction }: Pick<TenantStore, 'application' | 'read' | 'write' | 'transaction'>,
  clock: Clock,
) {
  async function repeatable(key: string, fingerprint: string, ttl: number, create: Create): Promise<Creation> {
    const now = clock.steady();
    await write((db) =>
      db.deleteFrom('stored_answers').where('application', '=', application).where('expires_at', '<=', now).execute(),
    );
    const claim = await write((db) =>
      db
        .insertInto('stored_answers')
        .values({ application, key, fingerprint, expires_at: now + ttl })
        .onConflict((on) => on.columns(['application', 'key']).doNothing())
        .executeTakeFirst(),
    );
    if (claim.numInsertedOrUpdatedRows === 1n) {
      const answer = await create();
      const body = answer.body === undefined ? null : stringify(answer.body);
      await write((db) =>
        db
          .updateTable('stored_answers')
          .set({ status: answer.status, body })
          .where((on) => on.and({ application, key }))
          .execute(),
      );
      return answer;
    }
    const stored = await read((db) =>
      db
        .selectFrom('stored_answers')
        .select(['fingerprint', 'status', 'body'])
        .where((on) => on.and({ application, key }))
        .executeTakeFirst(),
    );
    if (stored?.fingerprint !== fingerprint)
      throw new Problem(409, `Header ${header.idempotency}: the key was used before with a different request`);
    const { status, body } = stored;
    return { status: status!, body: body === null ? undefined : parse(body), isReplayed: true }; // set in the transaction of the claim
  }

  /**
   * Answers a call with the result of `create`, or with the stored result of an earlier call with the same key and
   * body. `caller` separates the keys of different callers; without a key, every call creates. The result is stored for
   * `ttl` ms. `create` runs within the transaction. Rejects with a 409 problem if the key was used with another body.
   */
  return async (ctx: Context, caller: string, create: Create, ttl: number): Promise<void> => {
    const key = ctx.get(header.idempotency);
    const fingerprint = createHash('sha256')
      .update(ctx.request.text ?? '')
      .digest('base64');
    const answer = await transaction(async () =>
      key === '' ? create() : repeatable(JSON.stringify([caller, ctx.path, key]), fingerprint, ttl, create),
    );
    // Koa changes the status to 204 for an absent body, so the status is set afterwards.
    ctx.body = answer.body ?? null;
    ctx.status = answer.status;
    if (answer.isReplayed) ctx.set(header.replayed, 'true');
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;
