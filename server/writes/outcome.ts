import type { Outcome } from '#contract/outcome.ts';
import { createContext } from '../context.ts';
import { Failure } from '../failure.ts';
import { iso } from '../clock.ts';

/** Describes the repeat of a write under its idempotency key. */
export interface Repeat {
  /** The time (ms) when the key was claimed. */
  claimedAt: number;
  /** The remaining time (ms) for which the service honours the key; 0 or less if it may have forgotten it. */
  left(): number;
}

/** The write in progress. */
interface Write {
  outcome: Outcome;
  /** Absent for a first attempt. */
  repeat: Repeat | undefined;
}

const current = createContext<Write>();
const outcomes = new WeakMap<object, Outcome>();

/**
 * Returns the outcome of the write that rejected with this error; 'not-sent' for an error that did not pass through
 * `writing`.
 */
export const outcomeOf = (error: unknown): Outcome =>
  (typeof error === 'object' && error !== null && outcomes.get(error)) || 'not-sent';

/** Returns the outcome so far of the write in progress. */
export const outcomeNow = (): Outcome => current.get()?.outcome ?? 'not-sent';

/**
 * Runs a write; if it fails, attaches its outcome to the error. The outcome of a failed repeat is unknown, because its
 * failure says nothing about the earlier attempt.
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
 * Sends one request of the write in progress and records its outcome. `send` gets the time (ms) within which the
 * request must arrive; `status` returns the answer's status; `reached` returns false for an error that means that no
 * connection was made. Throws `outcome-unknown` without sending if the service may have forgotten the idempotency key
 * of a repeat.
 */
export async function sending<T>(
  send: (within: number) => Promise<T>,
  status: (answer: T) => number,
  reached: (error: unknown) => boolean,
): Promise<T> {
  const write = current.get();
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

/** 408 is excluded: it is a time-out, after which the service may have started. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408;

/** Throws `outcome-unknown` if the service may have forgotten the idempotency key of a repeat. */
export function insistOnKnown(repeat: Repeat | undefined): void {
  if (!repeat || repeat.left() > 0) return;
  throw new Failure(
    'outcome-unknown',
    `This request was sent first at ${iso(repeat.claimedAt)} and its answer was lost. The service may have forgotten its idempotency key since, so it is not sent again.`,
  );
}
