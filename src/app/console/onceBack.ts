import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { recoveryOf } from '#rules/repetition.ts';
import { onServerBack } from '#ui/onServerBack.ts';
import type { ConsoleActor } from './consoleActor.ts';

/**
 * Calls `again` each time the cause of a failed read of a machine is gone (behaviour, section 10.2); the machine decides
 * whether it is then repeated. Returns a function that ends that.
 */
export function onceBack<Actor extends AnyActorRef>(
  actor: Actor,
  failureIn: (snapshot: ReturnType<Actor['getSnapshot']>) => Problem | null | undefined,
  again: (failure: Problem) => void,
): () => void {
  let failed: Problem | null = null;
  let end: (() => void) | undefined;
  const follow = () => {
    const failure = failureIn(actor.getSnapshot() as ReturnType<Actor['getSnapshot']>) ?? null; // XState leaves it untyped here
    if (failure === failed) return;
    end?.();
    failed = failure;
    const recovery = failure && recoveryOf(failure);
    end = failure && recovery ? onServerBack(() => again(failure), recovery.what, recovery.paced) : undefined;
  };
  const following = actor.subscribe({ next: follow, error: follow }); // XState throws what no observer takes
  follow();
  return () => {
    following.unsubscribe();
    end?.();
  };
}

/** Repeats what a tool has failed to read. Its acts fail apart from that, and `retry` only reads. */
export const repeatReading = (actor: AnyActorRef): (() => void) =>
  onceBack(
    actor,
    (snapshot: AnyMachineSnapshot) => {
      const { unread, failure } = snapshot.context as { unread?: Problem | null; failure?: Problem | null }; // of each tool
      return unread ?? (snapshot.matches('unread') ? failure : null);
    },
    () => actor.send({ type: 'retry' }),
  );

/** Repeats the reading of the facts that has failed, whole or in part. */
export const repeatFacts = (actor: ConsoleActor): (() => void) =>
  onceBack(
    actor,
    ({ context }) => context.failure ?? context.facts?.unreadBecause,
    () => actor.send({ type: 'retry' }),
  );
