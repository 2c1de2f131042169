import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Provider } from './identityProvider.ts';

/** Time (ms) for which the provider's confirmation of a user is valid. */
const due = 2 * 60_000;
/**
 * Time (ms) for which a confirmation stays valid while the provider is unreachable, and minimum time (ms) between
 * questions to the provider.
 */
const grace = 10 * 60_000;
const pause = 30_000;
/** Maximum time (ms) that a request waits for the provider. */
const patience = 3000;
/** Interval (ms) at which a session is polled while another server asks. */
const beat = 100;

/**
 * `over`: the session has ended; `unknown`: the session continues, but the provider has been unreachable for too long.
 */
export type Standing = { state: 'confirmed'; session: Session } | { state: 'over' } | { state: 'unknown' };

interface Needs {
  sessions: Sessions;
  provider: Pick<Provider, 'confirm'>;
  clock: Clock;
  log: Logger;
}

/**
 * Returns a function that checks a session. Once the last confirmation is two minutes old, it asks the provider whether
 * the user may continue, and ends the session if not. Only one server asks at a time, because a refresh token can be
 * used only once; requests at the other servers wait for its answer.
 */
export function createRecheck({ sessions, provider, clock, log }: Needs) {
  const underWay = new Map<string, Promise<void>>();

  async function ask(key: string, session: Session): Promise<void> {
    const now = clock.steady();
    const isMine = await sessions.change(
      key,
      { askedAt: now, isAsking: true },
      ({ askedAt, confirmedAt }) => askedAt === session.askedAt && confirmedAt === session.confirmedAt,
    );
    if (!isMine) return answeredElsewhere(key);
    try {
      const tokens = await provider.confirm(session);
      if (tokens) await sessions.change(key, { ...tokens, confirmedAt: clock.steady(), isAsking: false });
      else await sessions.end(key);
    } catch (error) {
      log.warn({ reason: String(error) }, 'the sign-in service cannot be asked about a user');
      await sessions.change(key, { isAsking: false });
    }
  }

  /** Waits until another server has its answer, or for as long as that server may take at most. */
  async function answeredElsewhere(key: string): Promise<void> {
    for (;;) {
      const current = await sessions.use(key);
      if (!current?.isAsking || clock.steady() - current.askedAt >= patience) return;
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, beat));
    }
  }

  const isAskedElsewhere = ({ isAsking = false, askedAt }: Session) => isAsking && clock.steady() - askedAt < patience;

  function begin(key: string, asking: Promise<void>): void {
    const noted = asking
      .catch((error: unknown) => log.warn({ reason: String(error) }, 'a session cannot be kept'))
      .finally(() => underWay.delete(key));
    underWay.set(key, noted);
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
    if (!underWay.has(key)) {
      if (now - session.askedAt >= pause) begin(key, ask(key, session));
      else if (isAskedElsewhere(session)) begin(key, answeredElsewhere(key));
    }
    const asking = underWay.get(key);
    if (asking) await waitFor(asking);
    const current = asking ? await sessions.use(key) : session;
    if (!current) return { state: 'over' };
    return clock.steady() - current.confirmedAt < grace
      ? { state: 'confirmed', session: current }
      : { state: 'unknown' };
  };
}
