import { AsyncLocalStorage } from 'node:async_hooks';
import type { Outcome } from '#contract/outcome.ts';
import { Failure } from './failure.ts';
import { iso } from './clock.ts';

/** A write that was sent before under the same key. */
export interface Repeat {
  /** When its key was claimed, ms. */
  claimedAt: number;
  /** For how long from now (ms) the service knows the key for certain; not above 0 if it may have forgotten it. */
  left(): number;
}

/** A write under way. */
interface Write {
  outcome: Outcome;
  /** Absent for a write that was never sent before. */
  repeat: Repeat | undefined;
}

const current = new AsyncLocalStorage<Write>();
const outcomes = new WeakMap<object, Outcome>();

/** What is known of the write that rejected with this error. Nothing was sent unless `writing` saw it. */
export const outcomeOf = (error: unknown): Outcome =>
  (typeof error === 'object' && error !== null && outcomes.get(error)) || 'not-sent';

/** What is known so far of the write under way. */
export const outcomeNow = (): Outcome => current.getStore()?.outcome ?? 'not-sent';

/**
 * Runs a write; what it rejects with has an outcome. A repeat that fails says nothing of the attempt before it, so its
 * outcome is unknown.
 */
export async function writing<T>(run: () => Promise<T>, repeat?: Repeat): Promise<T> {
  const write: Write = { outcome: repeat ? 'unknown' : 'not-sent', repeat };
  try {
    return await current.run(write, run);
  } catch (error) {
    if (typeof error === 'object' && error !== null && !outcomes.has(error)) outcomes.set(error, write.outcome);
    throw error;
  }
}

/**
 * Sends one request of the write under way and keeps what is known of it. `send` is told within how many ms it has to
 * arrive; `status` gives the answer's status; `reached` is false for an error that says that no connection was made.
 * Throws `outcome-unknown`, and sends nothing, if the service may have forgotten the key of a repeat by now.
 */
export async function sending<T>(
  send: (within: number) => Promise<T>,
  status: (answer: T) => number,
  reached: (error: unknown) => boolean,
): Promise<T> {
  const write = current.getStore();
  const within = write?.repeat?.left() ?? Infinity;
  if (!write) return send(within);
  insistOnKnown(write.repeat);
  const before = write.outcome;
  write.outcome = 'unknown';
  try {
    const answer = await send(within);
    if (before !== 'unknown' && isRefusal(status(answer))) write.outcome = 'refused';
    return answer;
  } catch (error) {
    if (!reached(error)) write.outcome = before;
    throw error;
  }
}

/** 408 is a time-out: the service may have begun. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408;

/** Throws `outcome-unknown` if the service may have forgotten the key of a repeat. */
export function insistOnKnown(repeat: Repeat | undefined): void {
  if (!repeat || repeat.left() > 0) return;
  throw new Failure(
    'outcome-unknown',
    `This request was sent first at ${iso(repeat.claimedAt)} and its answer was lost. The service may have forgotten its idempotency key since, so it is not sent again.`,
  );
}
