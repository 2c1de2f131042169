import type { Clock } from '#server/clock.ts';
import type { Db } from '#server/sqlite.ts';

/** The longest time for which the service honours an idempotency key: two weeks (upstream-api, section 4). */
const claimLife = 14 * 24 * 60 * 60 * 1000;

type Claim = { state: 'fresh' | 'open' | 'conflict' } | { state: 'done'; answer: unknown };

/** What must happen once. Keyv has no atomic operation, so a key is claimed in the driver, without reading first. */
export interface Claims {
  /**
   * `fresh` for exactly one caller; then `open` until finished or released, `done` with the first answer afterwards,
   * `conflict` if the key was claimed with another fingerprint.
   */
  claim(key: string, fingerprint: string): Claim;
  finish(key: string, answer: unknown): void;
  release(key: string): void;
}

export function claimsIn(db: Db, workspace: string, clock: Clock): Claims {
  db.prepare('delete from claims where claimed_at < ?').run(clock.now() - claimLife);

  const idOf = (key: string): string => `${workspace}/${key}`;

  const claims: Claims = {
    claim(key, fingerprint) {
      const { changes } = db
        .prepare('insert into claims (key, fingerprint, claimed_at) values (?, ?, ?) on conflict (key) do nothing')
        .run(idOf(key), fingerprint, clock.now());
      if (changes === 1) return { state: 'fresh' };
      const row = db.prepare('select fingerprint, answer from claims where key = ?').get(idOf(key)) as
        { fingerprint: string; answer: string | null } | undefined; // the statement selects these two columns
      if (row === undefined) return claims.claim(key, fingerprint);
      if (row.fingerprint !== fingerprint) return { state: 'conflict' };
      return row.answer === null ? { state: 'open' } : { state: 'done', answer: JSON.parse(row.answer) };
    },
    finish(key, answer) {
      db.prepare('update claims set answer = ? where key = ?').run(JSON.stringify(answer), idOf(key));
    },
    release(key) {
      db.prepare('delete from claims where key = ?').run(idOf(key));
    },
  };
  return claims;
}
