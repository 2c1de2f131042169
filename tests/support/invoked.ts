import {
  __unsafe_getAllOwnEventDescriptors as ownEventDescriptors,
  initialTransition,
  transition,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
} from 'xstate';
import { activeNodes, invokedIn } from '#machines/lib/state.ts';
import { invokedMachines } from '#machines/lib/effect.ts';
import { originOf, typesOf } from '#machines/lib/origins.ts';

/** A snapshot after an event, and whether the event caused actions. */
export interface Advanced {
  snapshot: AnyMachineSnapshot;
  acted: boolean;
}

const withInvoked = (snapshot: AnyMachineSnapshot): AnyMachineSnapshot[] =>
  [snapshot, invokedIn(snapshot) ?? []].flat();

/** The names of the effects that run: those of a machine, and of the one that it invokes. */
export const runningEffects = (snapshot: AnyMachineSnapshot): string[] =>
  withInvoked(snapshot)
    .flatMap(activeNodes)
    .flatMap(({ invoke, machine }) =>
      invoke.flatMap(({ id }) => (Object.hasOwn(invokedMachines(machine), id) ? [] : id)),
    );

/** The ids of the active states, of a machine and of the one that it invokes. */
export const activeStates = (snapshot: AnyMachineSnapshot): string[] =>
  withInvoked(snapshot)
    .flatMap(activeNodes)
    .map(({ id }) => id);

const nameOfInvoked = ({ machine, children }: AnyMachineSnapshot): string =>
  Object.keys(children as Record<string, AnyActorRef>).find((id) => Object.hasOwn(invokedMachines(machine), id)) ?? '';

interface Relayed extends EventObject {
  snapshot?: AnyMachineSnapshot;
  error?: unknown;
  output?: unknown;
}

/** What an invoker receives of the machine that it invokes. */
function relayed(id: string, of: AnyMachineSnapshot): Relayed {
  const { told, failed, done } = typesOf(id);
  if (of.status === 'active') return { type: told, snapshot: of };
  if (of.status === 'error') return { type: failed, error: of.error };
  return { type: done, output: of.output as unknown };
}

/** The machine once it has received what has become of the one that it invokes, and of those that it invokes then. */
function relay(machine: AnyStateMachine, snapshot: AnyMachineSnapshot, of: AnyMachineSnapshot): AnyMachineSnapshot {
  const [next]: [AnyMachineSnapshot, unknown] = transition(machine, snapshot, relayed(nameOfInvoked(snapshot), of));
  return settled(machine, next);
}

/** The machine once it has received the first snapshot of the one that it has just invoked. */
function settled(machine: AnyStateMachine, snapshot: AnyMachineSnapshot): AnyMachineSnapshot {
  const begun = invokedIn(snapshot);
  const { invoked } = snapshot.context as { invoked?: unknown };
  return snapshot.status === 'active' && begun && invoked === null ? relay(machine, snapshot, begun) : snapshot;
}

/** Whether only the invoked machine handles an event: an answer to its effects, or its delay. */
const isOfInvoked = (invoked: AnyMachineSnapshot, { type }: EventObject): boolean =>
  originOf(invoked.machine, type) !== undefined && (ownEventDescriptors(invoked) as string[]).includes(type);

/** A machine at its beginning, with the one that it invokes at its. */
export const begin = (machine: AnyStateMachine, input: unknown): AnyMachineSnapshot => {
  const [snapshot]: [AnyMachineSnapshot, unknown] = initialTransition(machine, input);
  return settled(machine, snapshot);
};

/**
 * A machine after an event, as if it ran: an event of the machine that it invokes goes to that one, as does an event that
 * it passes on, and it receives that one's snapshots and its end.
 */
export function advance(machine: AnyStateMachine, before: AnyMachineSnapshot, event: EventObject): Advanced {
  const invoked = invokedIn(before);
  if (invoked && isOfInvoked(invoked, event)) {
    const [next, actions]: [AnyMachineSnapshot, readonly unknown[]] = transition(invoked.machine, invoked, event);
    return { snapshot: relay(machine, before, next), acted: actions.length > 0 };
  }
  const [after, actions]: [AnyMachineSnapshot, readonly { type: string; params?: unknown }[]] = transition(
    machine,
    before,
    event,
  );
  const passed = actions.find(({ type }) => type === 'xstate.sendTo')?.params as { event: EventObject } | undefined; // of that action
  const acted = actions.length > 0;
  if (!passed || !invoked) return { snapshot: settled(machine, after), acted };
  const [next]: [AnyMachineSnapshot, unknown] = transition(invoked.machine, invoked, passed.event);
  return { snapshot: relay(machine, after, next), acted };
}
