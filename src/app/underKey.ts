import { parse, v4 as newId, v5 as idFrom } from 'uuid';
import { keepsKey } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { scopeNow } from './scope.ts';
import { shared, store } from './storage.ts';

/** Calls reject with problems; after any other error the outcome is unknown. */
const isEnd = (error: unknown): boolean => !keepsKey((error as Partial<Problem>).outcome);

/** UUID namespace for the names of the storage slots; an arbitrary constant. */
const namespace = '5f6d3b0e-8a57-4c39-9c0f-1b7c6a3f2d84';

const roundSlot = 'once:round';

/**
 * Keys of this page's writes by slot, for each storage: of writes whose outcome is unknown, and the next keys of
 * refused ones. Another tab may complete the same write and remove its key from the storage; a retry here is still the
 * same write.
 */
interface Own {
  unfinished: Map<string, string>;
  next: Map<string, string>;
}
const own = new WeakMap<object, Own>();

function ownHere(): Own {
  const kept = own.get(shared()) ?? { unfinished: new Map<string, string>(), next: new Map<string, string>() };
  own.set(shared(), kept);
  return kept;
}

/**
 * The seed from which idempotency keys are derived, besides the request; replaced when a write has ended. A tab may not
 * yet see a key that another tab has just stored, but both have the same seed and so derive the same key.
 */
function round(): string {
  const kept = shared().getItem(roundSlot) ?? newId();
  shared().setItem(roundSlot, kept);
  return kept;
}

/** A v4 UUID (behaviour, section 9) derived from slot and seed, so that two tabs create the same one. */
const keyFrom = (slot: string, seed: string): string => newId({ random: parse(idFrom(slot, seed)) });

/**
 * Ends the write, so that the next identical request gets a new key from the next seed. Keeps a key that another
 * request has stored since.
 */
function end(slot: string, key: string, nextRound: string): void {
  const { unfinished, next } = ownHere();
  if (shared().getItem(slot) === key) shared().removeItem(slot);
  if (unfinished.get(slot) === key) unfinished.delete(slot);
  next.delete(slot);
  shared().setItem(roundSlot, nextRound);
}

/**
 * Sends a write under an idempotency key, so that it takes effect only once. The key is stored before sending, under
 * the operation and the body's fingerprint, and removed after a success or a refusal. If the answer is lost, the key is
 * kept: a retry with the same body, even after a reload, uses the same key. Works without a secure context, because the
 * console may be opened over plain HTTP from another machine.
 *
 * `body` is what the user decided. Ids created for the request should be derived from `key` in `send`, so that a retry
 * has the same ids. Rejects as `send` does; rejects with a Problem, without sending, if the browser refuses to store
 * the key.
 */
export async function underKey<T>(operation: string, body: unknown, send: (key: string) => Promise<T>): Promise<T> {
  const scope = scopeNow();
  // The same body for another company is another request. The first company has no prefix, because its slots are older
  // than support for several companies.
  const whose = ['', 'first'].includes(scope) ? '' : `${scope}:`;
  const slot = `once:${operation}:${whose}${idFrom(JSON.stringify(body), namespace)}`;
  const { unfinished, next } = ownHere();
  const key = unfinished.get(slot) ?? shared().getItem(slot) ?? next.get(slot) ?? keyFrom(slot, round());
  store(slot, key);
  try {
    const answer = await send(key);
    end(slot, key, newId());
    return answer;
  } catch (error) {
    if (isEnd(error)) {
      // If another tab is refused the same write, or retries it first, both tabs derive the same next key.
      const nextRound = idFrom(key, namespace);
      end(slot, key, nextRound);
      next.set(slot, keyFrom(slot, nextRound));
    } else {
      unfinished.set(slot, key);
      // Another tab may have ended the same write and removed its key; store it again for a retry after a reload.
      shared().setItem(slot, key);
    }
    throw error;
  }
}

// Created when a page opens, before any action of the user, so that tabs opened later share it.
round();
