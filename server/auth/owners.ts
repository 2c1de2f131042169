import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/clock.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import { recheckInterval } from './sessionRecheck.ts';
import type { Account, createRecheck } from './sessionRecheck.ts';
import type { Sessions } from './sessions.ts';

/** Whether the owner of a program's token may use the console: `unknown` while the provider cannot be asked. */
type OwnerState = Account['state'];
export type OwnerStateOf = (workspace: string) => Promise<OwnerState>;

/** Minimum time (ms) for which a state is reused: every call of a program asks. */
const shortestReuse = 1000;
/** Maximum number of owners whose state is reused. */
const mostOwners = 1000;

/**
 * Returns a function that tells whether the owner of a program's token may use the console. The provider is asked by the
 * sessions of the owner, also after the browser has left them; without one the owner has to sign in again.
 */
export function createOwners(
  sessions: Sessions['kept'],
  recheck: ReturnType<typeof createRecheck>,
  clock: Clock,
): OwnerStateOf {
  const known = new LRUCache<string, { state: OwnerState; until: number }>({ max: mostOwners });
  const flights = createSingleFlight<OwnerState>();

  async function ask(workspace: string): Promise<OwnerState> {
    let state: OwnerState = 'over';
    let confirmedAt = -Infinity;
    for (const { key, session } of await sessions.of(workspace)) {
      const account = await recheck(key, session);
      if (account.state !== 'over') state = account.state;
      if (account.state !== 'confirmed') continue;
      confirmedAt = account.session.confirmedAt;
      break;
    }
    const until = Math.max(confirmedAt + recheckInterval, clock.steady() + shortestReuse);
    known.set(workspace, { state, until });
    return state;
  }

  return async (workspace) => {
    const last = known.get(workspace);
    if (last && clock.steady() < last.until) return last.state;
    return flights.run(workspace, () => ask(workspace));
  };
}
