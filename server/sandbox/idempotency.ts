import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { parse, stringify } from '#contract/json.ts';
import { header, keyLife } from '#server/upstream/wire.ts';
import { Problem } from './problem.ts';
import type { Clock } from '#server/clock.ts';
import type { Share } from './storage.ts';

export interface Creation {
  status: number;
  body?: unknown;
}

/**
 * Runs creations under x-idempotency-key. Claiming the key, creating and storing the answer form one transaction: a
 * failure stores nothing, and of concurrent repeats one creates and the others return its answer.
 */
export function createIdempotency({ db, application, insistOnKept }: Share, clock: Clock) {
  const forget = db.prepare('delete from answer where application = ? and expires <= ?');
  const claim = db.prepare(
    'insert into answer (application, key, fingerprint, expires) values (?, ?, ?, ?) on conflict do nothing',
  );
  const recall = db.prepare('select fingerprint, status, json from answer where application = ? and key = ?');
  const remember = db.prepare('update answer set status = ?, json = ? where application = ? and key = ?');

  function repeatable(key: string, fingerprint: string, life: number, create: () => Creation): Creation {
    insistOnKept();
    const now = clock.steady();
    forget.run(application, now);
    if (claim.run(application, key, fingerprint, now + life).changes === 1) {
      const made = create();
      remember.run(made.status, made.body === undefined ? null : stringify(made.body), application, key);
      return made;
    }
    const kept = recall.get(application, key) as { fingerprint: string; status: number; json: string | null }; // the claim found it
    if (kept.fingerprint !== fingerprint)
      throw new Problem(409, `Header ${header.idempotency}: the key was used before with a different request`);
    return { status: kept.status, body: kept.json === null ? undefined : parse(kept.json) };
  }

  /**
   * Answers a call with the result of `create`, or with the stored result of an earlier call with the same key and
   * body. `caller` separates the keys of different callers; without a key, every call creates. The result is stored for
   * `life` ms. Throws a 409 problem if the key was used with another body.
   */
  return (ctx: Context, caller: string, create: () => Creation, life: number = keyLife.usual): void => {
    const key = ctx.get(header.idempotency);
    const fingerprint = createHash('sha256').update(ctx.request.rawBody).digest('base64');
    const answer = db.transaction(() =>
      key === '' ? create() : repeatable(JSON.stringify([caller, ctx.path, key]), fingerprint, life, create),
    )();
    // Koa changes the status to 204 for an absent body, so the status is set afterwards.
    ctx.body = answer.body ?? null;
    ctx.status = answer.status;
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;
