import { parse, v4 as newId, v5 as idFrom, validate } from 'uuid';
import { keepsKey } from '#contract/outcome.ts';
import { isProblem } from '#contract/isProblem.ts';
import type { Problem } from '#contract/problem.ts';
import { currentCompany } from './companyOfTab.ts';
import { localStore, store } from './storage.ts';

/** Calls reject with problems; after any other error the outcome is unknown. */
const isEnd = (error: unknown): boolean => !keepsKey((error as Partial<Problem>).outcome);

/**
 * Returns the failure of a repeat of a write whose outcome is unknown. That this request was not sent does not decide
 * the earlier one: the server may have failed before it looked it up.
 */
export const failureOfRepeat = (error: unknown): unknown =>
  isProblem(error) && error.outcome === 'not-sent' ? { ...error, outcome: 'unknown', repeat: 'not-sent' } : error;

/** UUID namespace for the names of the storage slots and for the keys; an arbitrary constant. */
const namespace = '5f6d3b0e-8a57-4c39-9c0f-1b7c6a3f2d84';

const roundSlot = 'once:round';

/**
 * Ids of this page's writes by slot, for each storage: of writes whose outcome is unknown, and the next ids of refused
 * ones. Another tab may complete the same write and remove its id from the storage; a retry here is still the same
 * write.
 */
interface Own {
  unfinished: Map<string, string>;
  next: Map<string, string>;
}
const own = new WeakMap<object, Own>();

function ownHere(): Own {
  const kept = own.get(localStore()) ?? { unfinished: new Map<string, string>(), next: new Map<string, string>() };
  own.set(localStore(), kept);
  return kept;
}

/** The id stored in a slot; null if there is none, or if something else is stored there. */
function storedId(slot: string): string | null {
  const stored = localStore().getItem(slot);
  return validate(stored) ? stored : null;
}

/**
 * The random seed of the ids of writes; replaced when a write has ended. A tab may not yet see an id that another tab
 * has just stored, but both have the same seed and so draw the same id.
 */
function round(): string {
  const seed = storedId(roundSlot) ?? newId();
  localStore().setItem(roundSlot, seed);
  return seed;
}

/** A v4 UUID (behaviour, section 9): the seed's random bits, which the slot's name turns into others for each slot. */
function drawId(slot: string, seed: string): string {
  const turn = parse(idFrom(slot, namespace));
  return newId({ random: parse(seed).map((byte, index) => byte ^ (turn[index] ?? 0)) });
}

/** The slot that is set while a write may have been sent and has no definite outcome, across reloads. */
const doubtOf = (id: string): string => `once:unknown:${id}`;

/** The idempotency key of a write: a v5 UUID derived from its id. */
const keyOf = (id: string): string => idFrom(id, namespace);

/**
 * Ends the write, so that the next identical request gets a new id from the next seed. Keeps an id that another request
 * has stored since.
 */
function end(slot: string, id: string, nextRound: string): void {
  const { unfinished, next } = ownHere();
  if (localStore().getItem(slot) === id) localStore().removeItem(slot);
  if (unfinished.get(slot) === id) unfinished.delete(slot);
  next.delete(slot);
  localStore().removeItem(doubtOf(id));
  localStore().setItem(roundSlot, nextRound);
}

/**
 * Sends a write under an idempotency key, so that it takes effect only once. The write has a random id, from which the
 * key is derived; the id is stored before sending, under the operation and the body's fingerprint, and removed after a
 * success or a refusal. If the answer is lost, the id is kept: a retry with the same body, even after a reload, uses
 * the same key, and until a definite outcome its failures leave the outcome unknown. Works without a secure context, because the console may be opened over plain HTTP from another machine.
 *
 * `body` is what the user decided. What the request creates should have the `id` that `send` is given, so that a retry
 * names the same. Rejects as `send` does, or with `failureOfRepeat`; rejects with a Problem, without sending, if the browser refuses to store the
 * id.
 */
export async function withIdempotencyKey<T>(
  operation: string,
  body: unknown,
  send: (key: string, id: string) => Promise<T>,
): Promise<T> {
  const companyKey = currentCompany();
  // The same body for another company is another request. The first company has no prefix, because its slots are older
  // than support for several companies.
  const whose = ['', 'first'].includes(companyKey) ? '' : `${companyKey}:`;
  const slot = `once:${operation}:${whose}${idFrom(JSON.stringify(body), namespace)}`;
  const { unfinished, next } = ownHere();
  const id = unfinished.get(slot) ?? storedId(slot) ?? next.get(slot) ?? drawId(slot, round());
  const isRepeat = localStore().getItem(doubtOf(id)) !== null;
  try {
    store(slot, id);
    localStore().setItem(doubtOf(id), id);
    const answer = await send(keyOf(id), id);
    end(slot, id, newId());
    return answer;
  } catch (reason) {
    const error = isRepeat ? failureOfRepeat(reason) : reason;
    if (isEnd(error)) {
      // If another tab is refused the same write, or retries it first, both tabs draw the same next id.
      const nextRound = idFrom(`after ${id}`, namespace);
      end(slot, id, nextRound);
      next.set(slot, drawId(slot, nextRound));
    } else {
      unfinished.set(slot, id);
      // Another tab may have ended the same write and removed its id; store it again for a retry after a reload.
      localStore().setItem(slot, id);
      if ((error as Partial<Problem>).outcome === 'not-sent') localStore().removeItem(doubtOf(id));
      else localStore().setItem(doubtOf(id), id);
    }
    throw error;
  }
}

// Created when a page opens, before any action of the user, so that tabs opened later share it.
round();
