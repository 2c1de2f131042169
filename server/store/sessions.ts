import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Db } from '#server/sqlite.ts';
import type { Seal } from './seal.ts';

/** Maximum time (ms) without a request, and maximum duration (ms) of a session. */
const idleLife = 60 * 60_000;
const wholeLife = 12 * 60 * 60_000;
/** Precision (ms) of the stored time of last use, so that not every request causes a write. */
const grain = 1000;
/** Maximum time (ms) that a session's times may lie in the future at a restart. */
const tolerance = 60_000;

export interface Session {
  workspace: string;
  /** The user's name, for display. */
  name: string;
  /** The ID token, and the user's id (`sub`) at the provider. */
  idToken: string;
  subject: string;
  /** Tokens for asking the provider whether the user may continue; replaced after each answer. */
  accessToken: string;
  refreshToken?: string;
  /** Steady times (ms) when the provider was last asked and when it last confirmed the user. */
  askedAt: number;
  confirmedAt: number;
}

/**
 * Sessions of signed-in users. Only the browser holds the id; the store holds its hash. Changes go through the driver,
 * so that a request still running cannot revive a session that was ended meanwhile. Throws the store's errors.
 */
export interface Sessions {
  /** Starts a session and returns its id. */
  begin(session: Session): string;
  /** The hash of a session's id, under which the session is stored. */
  keyOf(id: string): string;
  /** Returns the session, or undefined if it has ended, and updates its time of last use. */
  use(key: string): Session | undefined;
  /** Changes a session; does nothing if it has ended. */
  change(key: string, changes: Partial<Session>): void;
  end(key: string): void;
}

export function sessionsIn(db: Db, seal: Seal, clock: Pick<Clock, 'steady'>): Sessions {
  const placeOf = (key: string): string => `sessions/${key}`;
  const sealed = (key: string, session: Session): string => seal.seal(JSON.stringify(session), placeOf(key));
  const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex');

  /**
   * Decrypts a session. Returns undefined if the value was tampered with, or was written by an earlier version and has
   * no access token.
   */
  function opened(key: string, value: string): Session | undefined {
    try {
      const session = JSON.parse(seal.open(value, placeOf(key))) as Session; // sealed below
      return 'accessToken' in session ? session : undefined;
    } catch {
      return undefined;
    }
  }

  /** The session and its last use (steady, ms), or undefined if it has ended or cannot be read. */
  function find(key: string): { session: Session; usedAt: number } | undefined {
    const now = clock.steady();
    const row = db
      .prepare('select value, used_at as usedAt from sessions where key = ? and used_at > ? and started_at > ?')
      .get(key, now - idleLife, now - wholeLife) as { value: string; usedAt: number } | undefined; // the statement's columns
    const session = row && opened(key, row.value);
    return session && { session, usedAt: row.usedAt };
  }

  // These sessions began before the system clock was set back, so that their age is unknown.
  const latest = clock.steady() + tolerance;
  db.prepare('delete from sessions where used_at > ? or started_at > ?').run(latest, latest);

  return {
    keyOf,
    begin(session) {
      const now = clock.steady();
      db.prepare('delete from sessions where used_at <= ? or started_at <= ?').run(now - idleLife, now - wholeLife);
      const id = randomBytes(32).toString('base64url');
      const key = keyOf(id);
      db.prepare('insert into sessions (key, value, started_at, used_at) values (?, ?, ?, ?)').run(
        key,
        sealed(key, session),
        now,
        now,
      );
      return id;
    },
    use(key) {
      const found = find(key);
      const now = clock.steady();
      if (found && now - found.usedAt >= grain)
        db.prepare('update sessions set used_at = ? where key = ?').run(now, key);
      return found?.session;
    },
    change(key, changes) {
      const found = find(key);
      if (found)
        db.prepare('update sessions set value = ? where key = ?').run(
          sealed(key, { ...found.session, ...changes }),
          key,
        );
    },
    end(key) {
      db.prepare('delete from sessions where key = ?').run(key);
    },
  };
}
