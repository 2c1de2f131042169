import { v4 as newId } from 'uuid';
import type { Problem } from '#contract/problem.ts';

/** Statuses of a refusal after which the same request may still be under way or be accepted later. */
const undecided = [408, 409, 429];

const refused = (error: unknown): boolean => {
  const { status = 0 } = error as Partial<Problem>; // calls reject with problems; anything else has no status
  return status >= 400 && status < 500 && !undecided.includes(status);
};

async function fingerprint(body: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Sends a write so that it happens once: the idempotency key is stored before it is sent, under the operation and the
 * body's fingerprint, and dropped after a success or a definite refusal. When the answer was lost it stays, and the
 * same body sent again, even after a reload, carries the same key (issue, "A write carries an idempotency key").
 *
 * `body` is what the user decided; ids that are made for the request should be made from `key` in `send`, so that they
 * stay the same as well. Rejects as `send` does; without a secure context (https or localhost) with a TypeError.
 */
export async function once<T>(operation: string, body: unknown, send: (key: string) => Promise<T>): Promise<T> {
  const slot = `once:${operation}:${await fingerprint(body)}`;
  const key = localStorage.getItem(slot) ?? newId();
  localStorage.setItem(slot, key);
  try {
    const answer = await send(key);
    localStorage.removeItem(slot);
    return answer;
  } catch (error) {
    if (refused(error)) localStorage.removeItem(slot);
    throw error;
  }
}
