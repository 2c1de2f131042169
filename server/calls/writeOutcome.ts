import type { Outcome } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';
import { iso } from '#server/clock.ts';

/** Describes the repeat of a write under its idempotency key. */
export interface RetryWindow {
  /** The time (ms) when the key was claimed. */
  claimedAt: number;
  /** The remaining time (ms) for which the service honours the key; 0 or less if it may have forgotten it. */
  remaining(): number;
}

/**
 * What one call to the console has done so far at the service. It belongs to the call and never to an error, because
 * one error may end several calls: callers share the failure of a token, of a load in flight and of a commit.
 */
export interface WriteAttempt {
  /** Whether the request that carries the write was handed to a connection. Other requests, such as for a token, do not count. */
  sent: boolean;
  /** Whether the service refused the request. */
  refused: boolean;
  /** Whether an earlier request of the same write may have taken effect. */
  inDoubt: boolean;
  /** Whether the idempotency key was looked up: from then on `inDoubt` counts. */
  isClaimed?: boolean;
  /** What is known of an earlier request, if this one failed before its key was looked up. */
  earlier?: Problem['earlier'];
  /** Present for a repeat under a key that the service forgets. */
  repeat?: RetryWindow | undefined;
}

export const newAttempt = (): WriteAttempt => ({ sent: false, refused: false, inDoubt: false });

/** Returns the attempt of a request to the console. */
export const attemptOf = ({ state }: { state: { attempt?: WriteAttempt } }): WriteAttempt =>
  (state.attempt ??= newAttempt());

/** Returns the outcome of a call that fails now. */
export function outcomeOf({ sent, refused, inDoubt }: WriteAttempt): Exclude<Outcome, 'done'> {
  if (inDoubt || (sent && !refused)) return 'unknown';
  return refused ? 'refused' : 'not-sent';
}

/** Returns the members of a problem that tell the outcome of a call that fails now. */
export function outcomeMembers(attempt: WriteAttempt): Pick<Problem, 'outcome' | 'repeat' | 'earlier'> {
  const { earlier } = attempt;
  if (earlier && earlier.state !== 'not-read') return { outcome: earlier.state, repeat: 'not-sent', earlier };
  const outcome = outcomeOf(attempt);
  const itself = outcomeOf({ ...attempt, inDoubt: false });
  return {
    outcome,
    ...(outcome !== itself && itself !== 'unknown' && { repeat: itself }),
    ...(earlier && { earlier }),
  };
}

/**
 * Sends a request that carries the write of an attempt, and records in the attempt whether it was sent and refused.
 * `send` gets the time (ms) within which the request must arrive; `isRefusal` tells whether an answer says that nothing
 * was done; `reached` returns false for an error that means that no connection was made. Throws `outcome-unknown` without sending if the
 * service may have forgotten the idempotency key of a repeat.
 */
export async function trackSend<T>(
  attempt: WriteAttempt,
  send: (within: number) => Promise<T>,
  isRefusal: (answer: T) => boolean,
  reached: (error: unknown) => boolean,
): Promise<T> {
  requireKeyValid(attempt.repeat);
  const before = { ...attempt };
  // A refusal of this request says nothing about another one that the same call has sent.
  if (attempt.sent && !attempt.refused) attempt.inDoubt = true;
  attempt.sent = true;
  attempt.refused = false;
  try {
    const answer = await send(attempt.repeat?.remaining() ?? Infinity);
    attempt.refused = isRefusal(answer);
    return answer;
  } catch (error) {
    if (!reached(error)) Object.assign(attempt, before);
    throw error;
  }
}

/** Throws `outcome-unknown` if the service may have forgotten the idempotency key of a repeat. */
export function requireKeyValid(repeat: RetryWindow | undefined): void {
  if (!repeat || repeat.remaining() > 0) return;
  throw new Failure(
    'outcome-unknown',
    `This request was sent first at ${iso(repeat.claimedAt)} and its answer was lost. The service may have forgotten its idempotency key since, so it is not sent again.`,
  );
}
