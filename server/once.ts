import { createHash } from 'node:crypto';
import { iso, type Clock } from './clock.ts';
import { Failure, isRefusal } from './failure.ts';
import type { Claims } from './store/claims.ts';

interface Outcome {
  answer: unknown;
  /** Not done now: the first answer again, or the answer of the same request still under way. */
  replayed: boolean;
}

/**
 * Runs what must happen once under a key. Concurrent repeats join the one in flight; later ones get its answer again.
 * A definite refusal of the first attempt frees the key. After anything else, or a crash, a repeat runs again: `run`
 * must carry the same idempotency key to the service, which honours it for `honoured` ms; later the repeat rejects with
 * `outcome-unknown`, as it could do the same a second time. Rejects with `idempotency-conflict` if the key was used for
 * something else.
 */
export type Once = (
  key: string,
  fingerprint: string,
  run: () => Promise<unknown>,
  honoured?: number,
) => Promise<Outcome>;

/** A repeat must not only set out but arrive (ms) while the service still knows its key. */
const margin = 30_000;

export function createOnce(claims: Claims, clock: Clock): Once {
  const inFlight = new Map<string, { fingerprint: string; answer: Promise<Outcome> }>();

  const conflict = () =>
    new Failure('idempotency-conflict', 'This idempotency key came with another request before: use a new key.');

  const unknown = (claimedAt: number) =>
    new Failure(
      'outcome-unknown',
      `This request was sent first at ${iso(claimedAt)} and its answer was lost. The service may have forgotten its idempotency key since, so it is not sent again.`,
    );

  async function attempt(...[key, fingerprint, run, honoured = Infinity]: Parameters<Once>): Promise<Outcome> {
    const claim = claims.claim(key, fingerprint);
    if (claim.state === 'conflict') throw conflict();
    if (claim.state === 'done') return { answer: claim.answer, replayed: true };
    if (claim.state === 'open' && clock.now() > claim.claimedAt + honoured - margin) throw unknown(claim.claimedAt);
    try {
      const answer = await run();
      claims.finish(key, answer);
      return { answer, replayed: false };
    } catch (error) {
      // A repeat that is refused says nothing of the attempt whose answer was lost.
      if (claim.state === 'fresh' && isRefusal(error)) claims.release(key);
      throw error;
    }
  }

  return async (key, fingerprint, ...rest) => {
    const underWay = inFlight.get(key);
    if (underWay) {
      if (underWay.fingerprint !== fingerprint) throw conflict();
      return { ...(await underWay.answer), replayed: true };
    }
    const answer = attempt(key, fingerprint, ...rest);
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
