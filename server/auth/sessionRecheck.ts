import type { Logger } from 'pino';
import { pause, type Clock } from '#server/clock.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import { admits, claimsOf, sourcesOf } from './allowed.ts';
import type { Allowed } from './allowed.ts';
import type { Confirmed, Provider } from './identityProvider.ts';
import type { Session, Sessions } from './sessions.ts';
import { causeOf } from './signInFailure.ts';

/** Time (ms) for which the provider's confirmation of a user is valid. */
export const recheckInterval = 2 * 60_000;
/**
 * Time (ms) for which a confirmation stays valid while the provider is unreachable, and minimum time (ms) between
 * questions to the provider.
 */
const gracePeriod = 10 * 60_000;
const retryDelay = 30_000;
/** Maximum time (ms) that a request waits for the provider. */
const timeout = 3000;
/** Interval (ms) at which a session is polled while another server asks. */
const checkInterval = 100;

/**
 * `over`: the session has ended; `unknown`: the session continues, but the provider has been unreachable for too long.
 */
export type Account = { state: 'confirmed'; session: Session } | { state: 'over' } | { state: 'unknown' };

interface Needs {
  sessions: Pick<Sessions, 'use' | 'change' | 'end'>;
  provider: Pick<Provider, 'confirm'>;
  /** Who may use the console. */
  allowed: Allowed;
  clock: Clock;
  log: Logger;
}

/** Whether a session's user may use the console, by the claims of the last confirmation. */
const isAdmitted = (allowed: Allowed, session: Session): boolean =>
  allowed === 'all' || admits(allowed, sourcesOf(session));

/**
 * Whether the user may continue by what the provider says now. An ID token is of the sign-in unless the provider renews
 * it: it counts only where userinfo has not admitted the user before, and so never has the claims.
 */
function isStillAdmitted(
  allowed: Allowed,
  before: Session,
  { idToken, userInfo = before.userInfo }: Confirmed,
): boolean {
  if (allowed === 'all' || (userInfo && admits(allowed, [userInfo]))) return true;
  if (idToken !== undefined) return admits(allowed, [claimsOf(idToken)]);
  return !(before.userInfo && admits(allowed, [before.userInfo])) && admits(allowed, [claimsOf(before.idToken)]);
}

/**
 * Returns a function that checks a session. Its user must be admitted by the configuration as it is now. Once the last
 * confirmation is two minutes old, it asks the provider whether the user may continue, and ends the session if not. Only one server asks at a time, because a refresh token can be
 * used only once; requests at the other servers wait for its answer.
 */
export function createRecheck({ sessions, provider, allowed, clock, log }: Needs) {
  const checks = createSingleFlight<void>();

  async function ask(key: string, session: Session): Promise<void> {
    const now = clock.steady();
    const isMine = await sessions.change(
      key,
      { askedAt: now, isAsking: true },
      ({ askedAt, confirmedAt }) => askedAt === session.askedAt && confirmedAt === session.confirmedAt,
    );
    if (!isMine) return answeredElsewhere(key);
    try {
      const confirmed = await provider.confirm(session);
      if ('refused' in confirmed)
        log.warn({ reason: await causeOf(confirmed.refused) }, 'the sign-in service no longer confirms a user');
      else if (isStillAdmitted(allowed, session, confirmed))
        return void (await sessions.change(key, { ...confirmed, confirmedAt: clock.steady(), isAsking: false }));
      await sessions.end(key);
    } catch (error) {
      log.warn({ reason: await causeOf(error) }, 'the sign-in service cannot be asked about a user');
      await sessions.change(key, { isAsking: false });
    }
  }

  /** Waits until another server has its answer, or for as long as that server may take at most. */
  async function answeredElsewhere(key: string): Promise<void> {
    for (;;) {
      const current = await sessions.use(key);
      if (!current?.isAsking || clock.steady() - current.askedAt >= timeout) return;
      await pause(clock, checkInterval);
    }
  }

  const isAskedElsewhere = ({ isAsking = false, askedAt }: Session) => isAsking && clock.steady() - askedAt < timeout;

  const begin = (key: string, check: () => Promise<void>) =>
    void checks.run(key, () => check().catch((error: unknown) => log.warn({ err: error }, 'a session cannot be kept')));

  const waitFor = async (check: Promise<void>): Promise<void> => {
    let timer: unknown;
    const tooLong = new Promise<void>((resolve) => (timer = clock.setTimeout(resolve, timeout)));
    await Promise.race([check, tooLong]);
    clock.clearTimeout(timer);
  };

  return async (key: string, session: Session): Promise<Account> => {
    const now = clock.steady();
    if (!isAdmitted(allowed, session)) {
      await sessions.end(key);
      return { state: 'over' };
    }
    if (now - session.confirmedAt < recheckInterval) return { state: 'confirmed', session };
    if (now - session.askedAt >= retryDelay) begin(key, () => ask(key, session));
    else if (isAskedElsewhere(session)) begin(key, () => answeredElsewhere(key));
    const check = checks.underWay(key);
    if (check) await waitFor(check.result);
    const current = check ? await sessions.use(key) : session;
    if (!current) return { state: 'over' };
    return clock.steady() - current.confirmedAt < gracePeriod
      ? { state: 'confirmed', session: current }
      : { state: 'unknown' };
  };
}
