import { parse, v4 as newId, v5 as idFrom } from 'uuid';
import { keepsKey } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { scopeNow } from './scope.ts';

/** Calls reject with problems; what anything else did is not known. */
const isEnd = (error: unknown): boolean => !keepsKey((error as Partial<Problem>).outcome);

/** Namespace of the names under which keys are kept; any fixed UUID. */
const namespace = '5f6d3b0e-8a57-4c39-9c0f-1b7c6a3f2d84';

const roundSlot = 'once:round';

/**
 * What keys are made from besides the request; changes when a write has ended. A tab may not see yet what another has
 * just stored, but as the round is older than the press, both make the same key.
 */
function round(): string {
  const kept = localStorage.getItem(roundSlot) ?? newId();
  localStorage.setItem(roundSlot, kept);
  return kept;
}

/** A v4 UUID (behaviour, section 9) whose randomness is the round's, so that two tabs make the same one. */
const keyFrom = (slot: string, seed: string): string => newId({ random: parse(idFrom(slot, seed)) });

/** The next request of this kind is another one. A key that was made since for another request stays. */
function end(slot: string, key: string): void {
  if (localStorage.getItem(slot) === key) localStorage.removeItem(slot);
  localStorage.setItem(roundSlot, newId());
}

/**
 * Sends a write under a key that is kept, so that it happens once: the idempotency key is stored before it is sent,
 * under the operation and the body's fingerprint, and dropped after a success or a refusal. When the answer was lost it
 * stays, and the same body sent again, even after a reload, carries the same key.
 * Needs no secure context: the console may be visited over plain HTTP from another machine.
 *
 * `body` is what the user decided; ids that are made for the request should be made from `key` in `send`, so that they
 * stay the same as well. Rejects as `send` does; sends nothing if the browser refuses to store the key.
 */
export async function underKey<T>(operation: string, body: unknown, send: (key: string) => Promise<T>): Promise<T> {
  const scope = scopeNow();
  // The same body for another company is another request. The first company's slots are those of when there was one.
  const whose = ['', 'first'].includes(scope) ? '' : `${scope}:`;
  const slot = `once:${operation}:${whose}${idFrom(JSON.stringify(body), namespace)}`;
  const key = localStorage.getItem(slot) ?? keyFrom(slot, round());
  localStorage.setItem(slot, key);
  try {
    const answer = await send(key);
    end(slot, key);
    return answer;
  } catch (error) {
    if (isEnd(error)) end(slot, key);
    // The same press in another tab may have ended meanwhile; this one must still find its key.
    else localStorage.setItem(slot, key);
    throw error;
  }
}

// Made when a page opens, long before anything is pressed: tabs that are opened later share it.
round();
