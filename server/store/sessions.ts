import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Db } from '#server/sqlite.ts';
import type { Seal } from './seal.ts';

/** A session ends after one hour without a request, and after twelve hours in any case (ms). */
const idleLife = 60 * 60_000;
const wholeLife = 12 * 60 * 60_000;
/** A request counts as this much (ms) earlier at most: not each of them is worth a write. */
const grain = 1000;
/** How far (ms) ahead of a restarted process a session may lie. */
const tolerance = 60_000;

export interface Session {
  workspace: string;
  /** The user's, to be shown. */
  name: string;
  /** The provider's word for the user, and the user's id there. */
  idToken: string;
  subject: string;
  /** What to ask the provider with whether the user may go on; rotated with each answer. */
  accessToken: string;
  refreshToken?: string;
  /** When the provider was asked last, and when it confirmed the user last (steady, ms). */
  askedAt: number;
  confirmedAt: number;
}

/**
 * Sessions of signed-in users. The id is known to the browser alone; elsewhere a session goes by the id's hash. Done in
 * the driver: a request that is still under way must not bring back a session that was ended meanwhile. Throws what the
 * store throws.
 */
export interface Sessions {
  /** Begins a session and returns its id. */
  begin(session: Session): string;
  /** The hash of an id. */
  keyOf(id: string): string;
  /** The session, if it is not over; it counts as used now. */
  use(key: string): Session | undefined;
  /** Changes a session that is still there. */
  change(key: string, changes: Partial<Session>): void;
  end(key: string): void;
}

export function sessionsIn(db: Db, seal: Seal, clock: Pick<Clock, 'steady'>): Sessions {
  const placeOf = (key: string): string => `sessions/${key}`;
  const sealed = (key: string, session: Session): string => seal.seal(JSON.stringify(session), placeOf(key));
  const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex');

  /** Undefined if it was changed; one of an earlier version cannot be confirmed and counts for nothing, too. */
  function opened(key: string, value: string): Session | undefined {
    try {
      const session = JSON.parse(seal.open(value, placeOf(key))) as Session; // sealed below
      return 'accessToken' in session ? session : undefined;
    } catch {
      return undefined;
    }
  }

  /** The row, unless the session is over or cannot be read. */
  function find(key: string): { session: Session; usedAt: number } | undefined {
    const now = clock.steady();
    const row = db
      .prepare('select value, used_at as usedAt from sessions where key = ? and used_at > ? and started_at > ?')
      .get(key, now - idleLife, now - wholeLife) as { value: string; usedAt: number } | undefined; // the statement's columns
    const session = row && opened(key, row.value);
    return session && { session, usedAt: row.usedAt };
  }

  // Begun on a machine whose clock was set back since: nobody knows how old they are.
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
