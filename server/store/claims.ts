import { parse, stringify } from '#contract/json.ts';
import type { Clock } from '#server/clock.ts';
import type { Db } from '#server/sqlite.ts';
import { visibleId } from '#server/visible.ts';
import type { Seal } from './seal.ts';

/** Time (ms) for which a webhook's id is remembered; the service stops redelivering long before. */
const webhookLife = 14 * 24 * 60 * 60 * 1000;

/** `claimedAt` in ms. */
type Claim =
  | { state: 'fresh' | 'unreadable' }
  | { state: 'conflict'; before: string }
  | { state: 'open'; claimedAt: number }
  | { state: 'done'; answer: unknown };

const digestOf = (fingerprint: string): string => fingerprint.split(' ', 1).join();

/**
 * Claims of keys for operations that must run only once. Keyv has no atomic operation, so claims are inserted through
 * the driver, without reading first.
 */
export interface Claims {
  /**
   * Claims a key. Returns `fresh` to exactly one caller. Later callers get `open` until the claim is finished or
   * released, and `done` with the first answer after it is finished; `conflict` if the key was claimed with another
   * fingerprint, `before`; `unreadable` if the stored claim was tampered with. Only the part of a fingerprint before
   * its first space is compared.
   */
  claim(key: string, fingerprint: string): Claim;
  finish(key: string, answer: unknown): void;
  release(key: string): void;
}

/**
 * Deletes claims of old webhooks. Claims of writes are kept for ever: without its claim, a repeated write would be sent
 * as a new request.
 */
export function forgetOldClaims(db: Db, clock: Clock): void {
  db.prepare("delete from claims where claimed_at < ? and substr(key, instr(key, '/') + 1) glob 'webhook/*'").run(
    clock.now() - webhookLife,
  );
}

export function claimsIn(db: Db, workspace: string, seal: Seal, clock: Clock): Claims {
  const idOf = (key: string): string => visibleId(`${workspace}/${key}`);
  // The fingerprint is encrypted too, because a body could be guessed from it.
  const placeOf = (column: 'fingerprint' | 'answer', key: string): string => `claims/${column}/${idOf(key)}`;

  const claims: Claims = {
    claim(key, fingerprint) {
      const { changes } = db
        .prepare('insert into claims (key, fingerprint, claimed_at) values (?, ?, ?) on conflict (key) do nothing')
        .run(idOf(key), seal.seal(fingerprint, placeOf('fingerprint', key)), clock.now());
      if (changes === 1) return { state: 'fresh' };
      const row = db.prepare('select fingerprint, answer, claimed_at from claims where key = ?').get(idOf(key)) as
        { fingerprint: string; answer: string | null; claimed_at: number } | undefined; // the statement's columns
      if (row === undefined) return claims.claim(key, fingerprint);
      try {
        const before = seal.open(row.fingerprint, placeOf('fingerprint', key));
        if (digestOf(before) !== digestOf(fingerprint)) return { state: 'conflict', before };
        if (row.answer === null) return { state: 'open', claimedAt: row.claimed_at };
        return { state: 'done', answer: parse(seal.open(row.answer, placeOf('answer', key))) };
      } catch {
        return { state: 'unreadable' };
      }
    },
    finish(key, answer) {
      db.prepare('update claims set answer = ? where key = ?').run(
        seal.seal(stringify(answer), placeOf('answer', key)),
        idOf(key),
      );
    },
    release(key) {
      db.prepare('delete from claims where key = ?').run(idOf(key));
    },
  };
  return claims;
}
