import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { parse, stringify } from '#contract/json.ts';
import { header, keyLife } from '#server/upstream/wire.ts';
import { Problem } from '../http/problem.ts';
import type { Clock } from '#server/clock.ts';
import type { Share } from './tenantStore.ts';

export interface Creation {
  status: number;
  body?: unknown;
}

type Create = () => Creation | Promise<Creation>;

/**
 * Runs creations under x-idempotency-key. Claiming the key, creating, and storing the answer form one transaction: a
 * failure stores nothing; of concurrent repeats one creates and the others return its answer.
 */
export function createIdempotency(
  { application, rows, write, transaction }: Pick<Share, 'application' | 'rows' | 'write' | 'transaction'>,
  clock: Clock,
) {
  async function repeatable(key: string, fingerprint: string, life: number, create: Create): Promise<Creation> {
    const now = clock.steady();
    await write('delete from answer where application = ? and expires <= ?', application, now);
    const claim = 'insert into answer (application, key, fingerprint, expires) values (?, ?, ?, ?)';
    const claimed = `${claim} on conflict do nothing returning key`;
    if ((await write(claimed, application, key, fingerprint, now + life)).length === 1) {
      const made = await create();
      const json = made.body === undefined ? null : stringify(made.body);
      const remember = 'update answer set status = ?, json = ? where application = ? and key = ?';
      await write(remember, made.status, json, application, key);
      return made;
    }
    const [kept] = await rows<{ fingerprint: string; status: number; json: string | null }>(
      'select fingerprint, status, json from answer where application = ? and key = ?',
      application,
      key,
    );
    if (kept?.fingerprint !== fingerprint)
      throw new Problem(409, `Header ${header.idempotency}: the key was used before with a different request`);
    return { status: kept.status, body: kept.json === null ? undefined : parse(kept.json) };
  }

  /**
   * Answers a call with the result of `create`, or with the stored result of an earlier call with the same key and
   * body. `caller` separates the keys of different callers; without a key, every call creates. The result is stored for
   * `life` ms. `create` runs within the transaction. Rejects with a 409 problem if the key was used with another body.
   */
  return async (ctx: Context, caller: string, create: Create, life: number = keyLife.usual): Promise<void> => {
    const key = ctx.get(header.idempotency);
    const fingerprint = createHash('sha256').update(ctx.request.rawBody).digest('base64');
    const answer = await transaction(async () =>
      key === '' ? create() : repeatable(JSON.stringify([caller, ctx.path, key]), fingerprint, life, create),
    );
    // Koa changes the status to 204 for an absent body, so the status is set afterwards.
    ctx.body = answer.body ?? null;
    ctx.status = answer.status;
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;
