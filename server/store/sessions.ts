import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Db } from '#server/sqlite.ts';
import type { Seal } from './seal.ts';

/** A session ends after one hour without a request, and after twelve hours in any case (ms). */
const idleLife = 60 * 60_000;
const wholeLife = 12 * 60 * 60_000;

interface Session {
  workspace: string;
  /** The user's, to be shown. */
  name: string;
  /** The provider's word for the user. */
  idToken: string;
}

/**
 * Sessions of signed-in users. The id is known to the browser alone, the file has its hash. Done in the driver: a
 * request that is still under way must not bring back a session that was ended meanwhile.
 */
export interface Sessions {
  /** Begins a session and gives its id. */
  begin(session: Session): string;
  /** The session, if it is not over; it counts as used now. */
  use(id: string): Session | undefined;
  end(id: string): void;
}

export function sessionsIn(db: Db, seal: Seal, clock: Clock): Sessions {
  const digest = (id: string): string => createHash('sha256').update(id).digest('hex');
  const placeOf = (key: string): string => `sessions/${key}`;
  const forgetOld = () =>
    db
      .prepare('delete from sessions where used_at <= ? or started_at <= ?')
      .run(clock.now() - idleLife, clock.now() - wholeLife);

  return {
    begin(session) {
      forgetOld();
      const id = randomBytes(32).toString('base64url');
      const key = digest(id);
      db.prepare('insert into sessions (key, value, started_at, used_at) values (?, ?, ?, ?)').run(
        key,
        seal.seal(JSON.stringify(session), placeOf(key)),
        clock.now(),
        clock.now(),
      );
      return id;
    },
    use(id) {
      forgetOld();
      const key = digest(id);
      const row = db.prepare('update sessions set used_at = ? where key = ? returning value').get(clock.now(), key) as
        { value: string } | undefined; // the statement gives this one column
      return row && (JSON.parse(seal.open(row.value, placeOf(key))) as Session); // begin wrote it
    },
    end(id) {
      db.prepare('delete from sessions where key = ?').run(digest(id));
    },
  };
}
