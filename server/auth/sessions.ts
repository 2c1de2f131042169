import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Claims } from './allowed.ts';

/** Maximum time (ms) without a request, and maximum duration (ms) of a session. */
const idleLifetime = 60 * 60_000;
const maximumLifetime = 12 * 60 * 60_000;
/** Precision (ms) of the stored time of last use, so that not every request causes a write. */
const lastUseResolution = 1000;
/** Maximum time (ms) by which a session's times may lie in the future at a restart. */
const tolerance = 60_000;

export interface Session {
  workspace: string;
  /** The user's name, for display. */
  name: string;
  /** The latest ID token, and the user's id (`sub`) at the provider. */
  idToken: string;
  subject: string;
  /** The latest claims of the provider's userinfo endpoint; absent in sessions of earlier versions. */
  userInfo?: Claims;
  /** Tokens for asking the provider whether the user may continue; replaced after each answer. */
  accessToken: string;
  refreshToken?: string;
  /** Steady times (ms) when the provider was last asked and when it last confirmed the user. */
  askedAt: number;
  confirmedAt: number;
  /** Whether a server has asked and may still be waiting for the answer. */
  isAsking?: boolean;
}

/**
 * Sessions of signed-in users. Only the browser holds the id; the database holds its hash. A change replaces what was read,
 * so that a request still running cannot revive a session that was ended meanwhile. Rejects with the
 * database's errors.
 */
export interface Sessions {
  /** Starts a session and returns its id. */
  begin(session: Session): Promise<string>;
  /** The hash of a session's id, under which the session is stored. */
  keyOf(id: string): string;
  /** Returns the session, or undefined if it has ended, and updates its time of last use. */
  use(key: string): Promise<Session | undefined>;
  /** Changes a session unless it has ended or `mayChange` returns false. Resolves with whether it was changed. */
  change(key: string, changes: Partial<Session>, mayChange?: (session: Session) => boolean): Promise<boolean>;
  end(key: string): Promise<void>;
}

export function createSessions(storage: Pick<Storage, 'sessions'>, clock: Pick<Clock, 'steady'>): Sessions {
  const stored = storage.sessions<Session>();
  const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex');
  const since = () => ({ usedAt: clock.steady() - idleLifetime, startedAt: clock.steady() - maximumLifetime });

  return {
    keyOf,
    async begin(session) {
      const now = clock.steady();
      await stored.prune(since(), now + tolerance);
      const id = randomBytes(32).toString('base64url');
      await stored.begin(keyOf(id), { value: session, startedAt: now, usedAt: now });
      return id;
    },
    async use(key) {
      const found = await stored.find(key, since());
      const now = clock.steady();
      if (found && now - found.usedAt >= lastUseResolution) await stored.touch(key, now);
      return found?.value;
    },
    change: (key, changes, mayChange = () => true) =>
      stored.change(key, since(), (session) => (mayChange(session) ? { ...session, ...changes } : undefined)),
    end: (key) => stored.end(key),
  };
}

/** Ends the sessions whose times lie in the future: the system clock was set back since, so their age is unknown. */
export const pruneUndatedSessions = (
  storage: Pick<Storage, 'sessions'>,
  { steady }: Pick<Clock, 'steady'>,
): Promise<void> => storage.sessions<Session>().prune({ usedAt: 0, startedAt: 0 }, steady() + tolerance);
