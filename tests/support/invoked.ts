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
import { originOf, typesOf } from '../../scripts/charts/origins.ts';

/** An effect that is run, with its input. */
export interface Asked {
  effect: string;
  input: unknown;
}

/** A snapshot after an event, and what the event caused: whether it did anything, what it runs, and what it emits. */
export interface Advanced {
  snapshot: AnyMachineSnapshot;
  /** What the page shows on the way, with `snapshot` as the last. */
  moments: AnyMachineSnapshot[];
  acted: boolean;
  asked: Asked[];
  emitted: string[];
}

interface Action {
  type: string;
  params?: unknown;
}

/** The machine after an event, and its actions. */
const next = transition as unknown as (...args: Parameters<typeof transition>) => [AnyMachineSnapshot, Action[]]; // of any machine

/** The effects that actions run: their own, and those that the machines which they invoke begin with. */
const askedBy = (machine: AnyStateMachine, actions: readonly Action[]): Asked[] =>
  actions.flatMap(({ type, params }) => {
    if (type !== 'xstate.spawnChild') return [];
    const { id, input } = params as { id: string; input: unknown }; // of that action
    const invoked = invokedMachines(machine)[id];
    if (!invoked) return [{ effect: id, input }];
    const [, begun]: [unknown, readonly Action[]] = initialTransition(invoked, input);
    return askedBy(invoked, begun);
  });

const emittedBy = (actions: readonly Action[]): string[] =>
  actions.flatMap(
    ({ type, params }) => (type === 'xstate.emit' ? (params as { event: EventObject }).event.type : []), // of that action
  );

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
function relay(machine: AnyStateMachine, snapshot: AnyMachineSnapshot, of: AnyMachineSnapshot): Advanced {
  return settled(machine, next(machine, snapshot, relayed(nameOfInvoked(snapshot), of)));
}

/** The machine after a transition, once it has received the first snapshot of the one that it has just invoked. */
function settled(machine: AnyStateMachine, [snapshot, actions]: [AnyMachineSnapshot, Action[]]): Advanced {
  const asked = askedBy(machine, actions);
  const own = { snapshot, moments: [snapshot], acted: actions.length > 0, asked, emitted: emittedBy(actions) };
  const begun = invokedIn(snapshot);
  const { invoked } = snapshot.context as { invoked?: unknown };
  return snapshot.status === 'active' && begun && invoked === null ? both(own, relay(machine, snapshot, begun)) : own;
}

/** What follows from an event in two parts. */
const both = (first: Omit<Advanced, 'snapshot'>, then: Advanced): Advanced => ({
  snapshot: then.snapshot,
  moments: [...first.moments, ...then.moments],
  acted: first.acted,
  asked: [...first.asked, ...then.asked],
  emitted: [...first.emitted, ...then.emitted],
});

/** Whether only the invoked machine handles an event: an answer to its effects, or its delay. */
const isOfInvoked = (invoked: AnyMachineSnapshot, { type }: EventObject): boolean =>
  originOf(invoked.machine, type) !== undefined && (ownEventDescriptors(invoked) as string[]).includes(type);

/** A machine at its beginning, with the one that it invokes at its. */
export const begin = (machine: AnyStateMachine, input: unknown): Advanced =>
  settled(machine, initialTransition(machine, input) as [AnyMachineSnapshot, Action[]]); // of any machine

/** What the machine makes of an event that goes to the one that it invokes. */
function within(machine: AnyStateMachine, before: AnyMachineSnapshot, invoked: AnyMachineSnapshot, event: EventObject) {
  const [snapshot, actions] = next(invoked.machine, invoked, event);
  const asked = askedBy(invoked.machine, actions);
  return both({ moments: [], acted: actions.length > 0, asked, emitted: [] }, relay(machine, before, snapshot));
}

/**
 * A machine after an event, as if it ran: an event of the machine that it invokes goes to that one, as does an event that
 * it passes on, and it receives that one's snapshots and its end.
 */
export function advance(machine: AnyStateMachine, before: AnyMachineSnapshot, event: EventObject): Advanced {
  const invoked = invokedIn(before);
  if (invoked && isOfInvoked(invoked, event)) return within(machine, before, invoked, event);
  const [after, actions] = next(machine, before, event);
  const passed = actions.find(({ type }) => type === 'xstate.sendTo')?.params as { event: EventObject } | undefined; // of that action
  if (!passed || !invoked) return settled(machine, [after, actions]);
  const asked = askedBy(machine, actions);
  const own = { moments: [], acted: actions.length > 0, asked, emitted: emittedBy(actions) };
  return both(own, within(machine, after, invoked, passed.event));
}
