import type { Facts } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { unreadFor } from '#machines/ways.ts';
import { call } from '../client.ts';

/** The facts for a journey's gates. Rejects with the problem if what they ask could not be read at the service. */
export async function factsFor(journey: JourneyId, signal: AbortSignal): Promise<Facts> {
  const facts = await call('getFacts', { signal });
  const unread = unreadFor(journey, facts);
  if (unread) throw unread; // eslint-disable-line @typescript-eslint/only-throw-error -- ports reject with problems (machines/port.ts)
  return facts;
}
