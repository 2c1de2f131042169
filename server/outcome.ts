import { AsyncLocalStorage } from 'node:async_hooks';
import type { Outcome } from '#contract/outcome.ts';
import { Failure } from './failure.ts';
import { iso } from './clock.ts';

/** Describes the repeat of a write under its key. */
export interface Repeat {
  /** When the key was claimed, ms. */
  claimedAt: number;
  /** How long from now (ms) the service certainly honours the key; 0 or less if it may have forgotten it. */
  left(): number;
}

/** The write under way. */
interface Write {
  outcome: Outcome;
  /** Absent for a first attempt. */
  repeat: Repeat | undefined;
}

const current = new AsyncLocalStorage<Write>();
const outcomes = new WeakMap<object, Outcome>();

/** The outcome of the write that rejected with this error; 'not-sent' for an error that `writing` did not see. */
export const outcomeOf = (error: unknown): Outcome =>
  (typeof error === 'object' && error !== null && outcomes.get(error)) || 'not-sent';

/** The outcome so far of the write under way. */
export const outcomeNow = (): Outcome => current.getStore()?.outcome ?? 'not-sent';

/**
 * Runs a write and notes the outcome of its failure. A failed repeat says nothing of the attempt before it, so its
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
 * Sends one request of the write under way and notes its outcome. `send` gets the time (ms) within which the request
 * must arrive; `status` returns the answer's status; `reached` returns false for an error that means no connection was
 * made. Throws `outcome-unknown` without sending if the service may have forgotten the key of a repeat.
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

/** 408 is a time-out: the service may have started. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408;

/** Throws `outcome-unknown` if the service may have forgotten the key of a repeat. */
export function insistOnKnown(repeat: Repeat | undefined): void {
  if (!repeat || repeat.left() > 0) return;
  throw new Failure(
    'outcome-unknown',
    `This request was sent first at ${iso(repeat.claimedAt)} and its answer was lost. The service may have forgotten its idempotency key since, so it is not sent again.`,
  );
}
