import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { parse, stringify } from '#contract/json.ts';
import { header, keyLife } from '#server/upstream/wire.ts';
import { Problem } from '../http/problem.ts';
import type { Clock } from '#server/clock.ts';
import type { TenantStore } from './tenantStore.ts';

/** The answer to a creation. */
interface Creation {
  status: number;
  body?: unknown;
}

type Create = () => Creation | Promise<Creation>;

/**
 * Runs creations under x-idempotency-key. Claiming the key, creating, and storing the answer form one transaction: a
 * failure stores nothing; of concurrent repeats one creates and the others return its answer.
 */
export function createIdempotency(
  { application, rows, write, transaction }: Pick<TenantStore, 'application' | 'rows' | 'write' | 'transaction'>,
  clock: Clock,
) {
  async function repeatable(key: string, fingerprint: string, ttl: number, create: Create): Promise<Creation> {
    const now = clock.steady();
    await write('delete from answer where application = ? and expires <= ?', application, now);
    const claim = 'insert into answer (application, key, fingerprint, expires) values (?, ?, ?, ?)';
    const claimed = `${claim} on conflict do nothing returning key`;
    if ((await write(claimed, application, key, fingerprint, now + ttl)).length === 1) {
      const answer = await create();
      const json = answer.body === undefined ? null : stringify(answer.body);
      const storeAnswer = 'update answer set status = ?, json = ? where application = ? and key = ?';
      await write(storeAnswer, answer.status, json, application, key);
      return answer;
    }
    const [stored] = await rows<{ fingerprint: string; status: number; json: string | null }>(
      'select fingerprint, status, json from answer where application = ? and key = ?',
      application,
      key,
    );
    if (stored?.fingerprint !== fingerprint)
      throw new Problem(409, `Header ${header.idempotency}: the key was used before with a different request`);
    return { status: stored.status, body: stored.json === null ? undefined : parse(stored.json) };
  }

  /**
   * Answers a call with the result of `create`, or with the stored result of an earlier call with the same key and
   * body. `caller` separates the keys of different callers; without a key, every call creates. The result is stored for
   * `ttl` ms. `create` runs within the transaction. Rejects with a 409 problem if the key was used with another body.
   */
  return async (ctx: Context, caller: string, create: Create, ttl: number = keyLife.usual): Promise<void> => {
    const key = ctx.get(header.idempotency);
    const fingerprint = createHash('sha256').update(ctx.request.rawBody).digest('base64');
    const answer = await transaction(async () =>
      key === '' ? create() : repeatable(JSON.stringify([caller, ctx.path, key]), fingerprint, ttl, create),
    );
    // Koa changes the status to 204 for an absent body, so the status is set afterwards.
    ctx.body = answer.body ?? null;
    ctx.status = answer.status;
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;
