import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Session, Sessions } from '#server/store/sessions.ts';
import type { Provider } from './provider.ts';

/** Time (ms) for which the provider's confirmation of a user is valid. */
const due = 2 * 60_000;
/**
 * Time (ms) for which it stays valid while the provider cannot be reached, and time (ms) before the provider is asked
 * again.
 */
const grace = 10 * 60_000;
const pause = 30_000;
/** Maximum time (ms) that a request waits for the provider. */
const patience = 3000;

/**
 * `over`: the session has ended; `unknown`: the session goes on, but the provider has not been reached for too long.
 */
export type Standing = { state: 'confirmed'; session: Session } | { state: 'over' } | { state: 'unknown' };

interface Needs {
  sessions: Sessions;
  provider: Pick<Provider, 'confirm'>;
  clock: Clock;
  log: Logger;
}

/**
 * Returns a function that asks the provider whether the user of a session may continue, once the last confirmation is
 * two minutes old, and ends the session if not. Sends one request per session at a time, because a refresh token can be
 * used only once.
 */
export function createRecheck({ sessions, provider, clock, log }: Needs) {
  const underWay = new Map<string, Promise<void>>();

  async function ask(key: string, session: Session): Promise<void> {
    try {
      await sessions.change(key, { askedAt: clock.steady() });
      const tokens = await provider.confirm(session);
      if (tokens) await sessions.change(key, { ...tokens, confirmedAt: clock.steady() });
      else await sessions.end(key);
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
    const current = asking ? await sessions.use(key) : session;
    if (!current) return { state: 'over' };
    return clock.steady() - current.confirmedAt < grace
      ? { state: 'confirmed', session: current }
      : { state: 'unknown' };
  };
}
