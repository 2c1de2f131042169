import { getNextSnapshot, type AnyActorRef, type AnyMachineSnapshot } from 'xstate';
import { calls } from '#contract/calls.ts';
import type { Problem, Retry } from '#contract/problem.ts';
import { lostIn } from './resend.ts';
import { invokedIn } from './state.ts';
import { effectsOf, type EffectKind } from './effect.ts';

/** The effects that run in a snapshot, by kind; they run under their names. */
const running = (snapshot: AnyMachineSnapshot): EffectKind[] =>
  [snapshot, invokedIn(snapshot)].flatMap((each) =>
    Object.keys((each?.children ?? {}) as object).flatMap((id) => effectsOf(snapshot.machine)[id]?.declared.kind ?? []),
  );

/** Whether a failed request is repeated under its own key: that of its call, or that of the message it was to send. */
const keepsItsKey = (failure: Problem): boolean =>
  (failure.call !== undefined && 'write' in calls[failure.call]) || lostIn(failure) !== '';

/** The effect of the event `retry` in a snapshot that accepts it; `failure` is the failure that is shown. */
export function retryOf(snapshot: AnyMachineSnapshot, failure: Problem): Retry {
  const invoked = invokedIn(snapshot);
  if (invoked?.can({ type: 'retry' })) return retryOf(invoked, failure);
  const next = getNextSnapshot(snapshot.machine, snapshot, { type: 'retry' }) as AnyMachineSnapshot; // of the same machine
  const effects = running(next);
  if (effects.some((effect) => effect !== 'reads')) return keepsItsKey(failure) ? 'same' : 'new';
  return effects.length === 0 && !next.hasTag('gate') ? 'confirms' : 'reads';
}

/** What the panel of a failure offers: the event `retry` with its effect, where the actor accepts it. */
export function retrying(actor: AnyActorRef, failure: Problem): { onRetry: () => void; retry: Retry } | object {
  const snapshot = actor.getSnapshot() as AnyMachineSnapshot; // of a machine
  if (!snapshot.can({ type: 'retry' })) return {};
  return { onRetry: () => actor.send({ type: 'retry' }), retry: retryOf(snapshot, failure) };
}
