import { createHash } from 'node:crypto';
import { Failure, isRefusal } from './failure.ts';
import type { Claims } from './store/claims.ts';

interface Outcome {
  answer: unknown;
  /** Not done now: the first answer again, or the answer of the same request still under way. */
  replayed: boolean;
}

/**
 * Runs what must happen once under a key. Concurrent repeats join the one in flight; later ones get its answer again.
 * A definite refusal frees the key. After anything else, or a crash, a repeat runs again: `run` must carry the same
 * idempotency key to the service. Rejects with `idempotency-conflict` if the key was used for something else.
 */
export type Once = (key: string, fingerprint: string, run: () => Promise<unknown>) => Promise<Outcome>;

export function createOnce(claims: Claims): Once {
  const inFlight = new Map<string, { fingerprint: string; answer: Promise<Outcome> }>();

  const conflict = () =>
    new Failure('idempotency-conflict', 'This idempotency key came with another request before: use a new key.');

  async function attempt(key: string, fingerprint: string, run: () => Promise<unknown>): Promise<Outcome> {
    const claim = claims.claim(key, fingerprint);
    if (claim.state === 'conflict') throw conflict();
    if (claim.state === 'done') return { answer: claim.answer, replayed: true };
    try {
      const answer = await run();
      claims.finish(key, answer);
      return { answer, replayed: false };
    } catch (error) {
      if (isRefusal(error)) claims.release(key);
      throw error;
    }
  }

  return async (key, fingerprint, run) => {
    const underWay = inFlight.get(key);
    if (underWay) {
      if (underWay.fingerprint !== fingerprint) throw conflict();
      return { ...(await underWay.answer), replayed: true };
    }
    const answer = attempt(key, fingerprint, run);
    inFlight.set(key, { fingerprint, answer });
    try {
      return await answer;
    } finally {
      inFlight.delete(key);
    }
  };
}

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Equal for bodies that differ in the order of their members only. */
export const fingerprintOf = (name: string, body: unknown): string =>
  createHash('sha256')
    .update(`${name} ${JSON.stringify(body, sorted)}`)
    .digest('hex');
