import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Session, Sessions } from '#server/store/sessions.ts';
import type { Provider } from './provider.ts';

/** How long (ms) the provider's confirmation of a user is valid. */
const due = 2 * 60_000;
/** How long (ms) it stays valid while the provider cannot be reached, and how long to wait before asking again. */
const grace = 10 * 60_000;
const pause = 30_000;
/** How long (ms) a request waits for the provider. */
const patience = 3000;

/** `unknown`: the provider has not been reached for too long; the session is not over. */
export type Standing = { state: 'confirmed'; session: Session } | { state: 'over' } | { state: 'unknown' };

interface Needs {
  sessions: Sessions;
  provider: Pick<Provider, 'confirm'>;
  clock: Clock;
  log: Logger;
}

/**
 * Asks the provider every two minutes whether the user of a session may continue, and ends the session if not. One
 * request per session at a time, as a refresh token can be used once.
 */
export function createRecheck({ sessions, provider, clock, log }: Needs) {
  const underWay = new Map<string, Promise<void>>();

  async function ask(key: string, session: Session): Promise<void> {
    try {
      sessions.change(key, { askedAt: clock.steady() });
      const tokens = await provider.confirm(session);
      if (tokens) sessions.change(key, { ...tokens, confirmedAt: clock.steady() });
      else sessions.end(key);
    } catch (error) {
      log.warn({ reason: String(error) }, 'the sign-in service cannot be asked about a user');
    } finally {
      underWay.delete(key);
    }
  }

  const waitFor = async (asking: Promise<void>): Promise<void> => {
    let timer: unknown;
    const tooLong = new Promise<void>((resolve) => (timer = clock.setTimeout(resolve, patience)));
    await Promise.race([asking, tooLong]);
    clock.clearTimeout(timer);
  };

  return async (key: string, session: Session): Promise<Standing> => {
    const now = clock.steady();
    if (now - session.confirmedAt < due) return { state: 'confirmed', session };
    if (now - session.askedAt >= pause && !underWay.has(key)) underWay.set(key, ask(key, session));
    const asking = underWay.get(key);
    if (asking) await waitFor(asking);
    const current = asking ? sessions.use(key) : session;
    if (!current) return { state: 'over' };
    return clock.steady() - current.confirmedAt < grace
      ? { state: 'confirmed', session: current }
      : { state: 'unknown' };
  };
}
