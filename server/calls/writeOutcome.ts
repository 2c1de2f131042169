import type { Outcome } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';
import { iso } from '#server/clock.ts';
import type { RetryWindow } from './retryWindow.ts';

/**
 * What one call to the console has done so far at the service. It belongs to the call and never to an error, because
 * one error may end several calls: callers share the failure of a token, of a load in flight and of a commit.
 */
export interface WriteAttempt {
  /** Whether the request that carries the write was handed to a connection. Other requests, such as for a token, do not count. */
  sent: boolean;
  /** Whether the service refused the request. */
  refused: boolean;
  /** Whether that may be of a copy, which a proxy has sent too; until the request is repeated. */
  ofCopy?: boolean;
  /** Whether an earlier request of the same write may have taken effect. */
  inDoubt: boolean;
  /** Whether the idempotency key was looked up: from then on `inDoubt` counts. */
  isClaimed?: boolean;
  /** What is known of an earlier request, if this one failed before its key was looked up. */
  earlier?: Problem['earlier'];
  /** Until when the idempotency key may be used; absent if the service does not forget it, or there is none. */
  window?: RetryWindow | undefined;
  /** Throws a Failure if this server no longer holds the idempotency key; absent if there is none. */
  requireMine?: () => Promise<void>;
}

export const newAttempt = (): WriteAttempt => ({ sent: false, refused: false, inDoubt: false });

/** Returns the outcome of a call that fails now. */
export function outcomeOf({ sent, refused, ofCopy, inDoubt }: WriteAttempt): Exclude<Outcome, 'done'> {
  if (inDoubt || ofCopy || (sent && !refused)) return 'unknown';
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
 * `send` gets the time (ms) within which the request must arrive, and a function that throws if the key's life is over once
 * the connection stands; `isRefusal` tells whether an answer says that nothing
 * was done, and `mayBeOfCopy` whether only of a copy of the request; `reached` returns false for an error that means that no connection was made. Throws a Failure without sending
 * if another server has taken the idempotency key over, or the service may have forgotten it.
 */
export async function trackSend<T>(
  attempt: WriteAttempt,
  send: (within: number, mayBegin: () => void) => Promise<T>,
  isRefusal: (answer: T) => boolean,
  reached: (error: unknown) => boolean,
  mayBeOfCopy: (answer: T) => boolean = () => false,
): Promise<T> {
  // Each time, because this server may have been suspended since it claimed the key, or since its last request.
  await attempt.requireMine?.();
  requireKeyValid(attempt);
  const before = { ...attempt };
  // A refusal of this request says nothing about another one that the same call has sent.
  if (attempt.sent && !attempt.refused) attempt.inDoubt = true;
  attempt.sent = true;
  attempt.refused = false;
  try {
    const answer = await send(attempt.window?.remaining() ?? Infinity, () => requireKeyValid(before));
    attempt.refused = isRefusal(answer);
    attempt.ofCopy = !before.ofCopy && mayBeOfCopy(answer);
    return answer;
  } catch (error) {
    if (!reached(error)) Object.assign(attempt, before);
    throw error;
  }
}

const notSentAgain = 'Nothing was sent now.';

/** Throws the Failure of a write that another server of the console has taken over. */
export function throwTakenOver(attempt: WriteAttempt): never {
  attempt.inDoubt = true;
  throw new Failure(
    'internal',
    `Another server of this console has taken this request over, because this one did not work for a while. ${notSentAgain} Repeat the request under its idempotency key to learn its outcome.`,
    { status: 503 },
  );
}

/** Throws a Failure if the service may have forgotten the idempotency key of an attempt. */
export function requireKeyValid(attempt: WriteAttempt): void {
  const { window } = attempt;
  if (!window || window.remaining() > 0) return;
  const since = iso(window.claimedAt);
  if (outcomeOf(attempt) !== 'unknown')
    throw new Failure(
      'internal',
      `This request waited in the console since ${since}, longer than the service keeps its idempotency key. ${notSentAgain} Send it again.`,
      { status: 503 },
    );
  throw new Failure(
    'outcome-unknown',
    `This request was sent first at ${since} and its answer was lost. The service may have forgotten its idempotency key since, so it is not sent again.`,
  );
}
