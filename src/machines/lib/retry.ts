import type { AnyMachineSnapshot, AnyStateNode } from 'xstate';
import { calls } from '#contract/calls.ts';
import type { Problem, Retry } from '#contract/problem.ts';
import { lostIn } from './resend.ts';
import { effectsOf } from './effect.ts';

/** The states that are active after entering `node`, from the outermost one inwards. */
const entered = (node: AnyStateNode): AnyStateNode[] => {
  const first = node.initial?.target?.[0];
  return first ? [node, ...entered(first)] : [node];
};

/** Whether a failed request is repeated under its own key: that of its call, or that of the message it was to send. */
const keepsItsKey = (failure: Problem): boolean =>
  (failure.call !== undefined && 'write' in calls[failure.call]) || lostIn(failure) !== '';

/** The effect of the event `retry` in a snapshot that accepts it; `failure` is the failure that is shown. */
export function retryOf(snapshot: AnyMachineSnapshot, failure: Problem): Retry {
  const { machine } = snapshot;
  const [retry] = machine.getTransitionData(snapshot, { type: 'retry' });
  const states = (retry?.target ?? []).flatMap((target) => entered(target as AnyStateNode));
  const effects = states.flatMap(({ invoke }) => invoke.map(({ id }) => effectsOf(machine)[id]?.declared.kind));
  if (effects.some((effect) => effect === 'writes' || effect === 'clears'))
    return keepsItsKey(failure) ? 'same' : 'new';
  // A state that is left immediately leads to a reading: only a user's event leads to a write.
  const waitsForUser = effects.length === 0 && !states.some(({ always = [] }) => always.length > 0);
  return waitsForUser ? 'confirms' : 'reads';
}
