import { createHash, randomBytes } from 'node:crypto';
import { programTokenLife } from '#contract/programs.ts';
import type { Clock } from '#server/clock.ts';
import type { Storage } from '#server/storage/open.ts';
import type { StoredSession } from '#server/storage/sessions.ts';
import type { Claims } from './allowed.ts';

/** Maximum time (ms) without a request, and maximum duration (ms) of a session. */
const idleLifetime = 60 * 60_000;
const maximumLifetime = 12 * 60 * 60_000;
/**
 * Maximum time (ms) for which a session is kept after its user has left, for the tokens of the user's programs: the
 * provider is asked by it whether they may continue.
 */
const keptLifetime = programTokenLife;
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
  /** The latest claims of the provider's userinfo endpoint; absent if it has none. */
  userInfo?: Claims;
  /** Tokens for asking the provider whether the user may continue; replaced after each answer. */
  accessToken: string;
  refreshToken?: string;
  /** Steady times (ms) when the provider was last asked and when it last confirmed the user. */
  askedAt: number;
  confirmedAt: number;
  /** Whether a server has asked and may still be waiting for the answer. */
  isAsking?: boolean;
  /** Whether the user has signed out: no browser can use the session any more. */
  isLeft?: boolean;
}

/**
 * Sessions of signed-in users. Only the browser holds the id; the database holds its hash. A change replaces what was read,
 * so that a request still running cannot revive a session that was ended meanwhile. Rejects with the
 * database's errors.
 */
export interface Sessions {
  /** Starts a session and returns its id. Deletes those that are over and not kept. */
  begin(session: Session): Promise<string>;
  /** The hash of a session's id, under which the session is stored. */
  keyOf(id: string): string;
  /** Returns the session, or undefined if it has ended, and updates its time of last use. */
  use(key: string): Promise<Session | undefined>;
  /** Changes a session unless it has ended or `mayChange` returns false. Resolves with whether it was changed. */
  change(key: string, changes: Partial<Session>, mayChange?: (session: Session) => boolean): Promise<boolean>;
  end(key: string): Promise<void>;
  /** Ends a session for browsers: it is kept if its user has programs. */
  leave(key: string): Promise<void>;
  /** Returns how many sessions were used within the time after which they end. */
  count(): Promise<number>;
  /** The sessions as they are kept for programs: also those that no browser can use any more. Using one is not noted. */
  kept: Pick<Sessions, 'use' | 'change' | 'end'> & {
    /** Returns a user's sessions with their keys, the one that was confirmed last first. */
    of(workspace: string): Promise<{ key: string; session: Session }[]>;
  };
}

/** `hasPrograms`: whether a user's programs have tokens. */
export function createSessions(
  storage: Storage,
  clock: Clock,
  hasPrograms: (workspace: string) => Promise<boolean> = () => Promise.resolve(false),
): Sessions {
  const stored = storage.sessions<Session>();
  const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex');
  const since = () => ({ usedAt: clock.steady() - idleLifetime, startedAt: clock.steady() - maximumLifetime });
  const sinceKept = () => ({ usedAt: clock.steady() - keptLifetime, startedAt: clock.steady() - keptLifetime });

  const isOver = ({ value, usedAt, startedAt }: StoredSession<Session>): boolean =>
    value.isLeft === true || usedAt <= since().usedAt || startedAt <= since().startedAt;

  /** Deletes the sessions that nothing needs any more: the next one of the same user takes the place of one that is kept. */
  async function prune({ workspace }: Session): Promise<void> {
    await stored.prune(sinceKept(), clock.steady() + tolerance);
    for (const { key, ...session } of (await stored.all(sinceKept())).filter(isOver))
      if (session.value.workspace === workspace || !(await hasPrograms(session.value.workspace))) await stored.end(key);
  }

  return {
    keyOf,
    async begin(session) {
      await prune(session);
      const now = clock.steady();
      const id = randomBytes(32).toString('base64url');
      await stored.begin(keyOf(id), { value: session, startedAt: now, usedAt: now });
      return id;
    },
    async use(key) {
      const found = await stored.find(key, since());
      if (found?.value.isLeft) return undefined;
      const now = clock.steady();
      if (found && now - found.usedAt >= lastUseResolution) await stored.touch(key, now);
      return found?.value;
    },
    change: (key, changes, mayChange = () => true) =>
      stored.change(key, since(), (session) => (mayChange(session) ? { ...session, ...changes } : undefined)),
    count: () => stored.count(since()),
    end: (key) => stored.end(key),
    async leave(key) {
      const workspace = (await stored.find(key, sinceKept()))?.value.workspace;
      if (workspace === undefined || !(await hasPrograms(workspace))) return stored.end(key);
      await stored.change(key, sinceKept(), (session) => ({ ...session, isLeft: true }));
    },
    kept: {
      use: async (key) => (await stored.find(key, sinceKept()))?.value,
      change: (key, changes, mayChange = () => true) =>
        stored.change(key, sinceKept(), (session) => (mayChange(session) ? { ...session, ...changes } : undefined)),
      end: (key) => stored.end(key),
      of: async (workspace) =>
        (await stored.all(sinceKept()))
          .filter(({ value }) => value.workspace === workspace)
          .map(({ key, value }) => ({ key, session: value }))
          .sort((one, other) => other.session.confirmedAt - one.session.confirmedAt),
    },
  };
}

/** Ends the sessions whose times lie in the future: the system clock was set back since, so their age is unknown. */
export const pruneUndatedSessions = (storage: Storage, clock: Clock): Promise<void> =>
  storage.sessions<Session>().prune({ usedAt: 0, startedAt: 0 }, clock.steady() + tolerance);
