import {
  getStateNodes,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateNode,
  type EventObject,
  type StateValue,
} from 'xstate';
import { describedGuard } from './describe.ts';

/**
 * How a page is rendered. `busy`: work is in progress; `told`: the step shows the progress itself; `open`: it accepts
 * input meanwhile; `gate`: a requirement is missing; `form` and `list`: the step renders its own component; `failed`: context.failure is shown;
 * `sent`: the message was sent, only its answer could not be read; `done`: the journey has reached its goal.
 */
export type Tag = 'busy' | 'told' | 'open' | 'gate' | 'form' | 'list' | 'failed' | 'sent' | 'done';

/** The part of a context that mirrors the machine which the journey's state invokes. */
export interface Invoking {
  /** Its latest snapshot; null while none is invoked. */
  invoked: AnyMachineSnapshot | null;
}

const isMachine = (snapshot: unknown): snapshot is AnyMachineSnapshot =>
  typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot;

/**
 * The snapshot of the machine that a state invokes, as the journey mirrors it in `context.invoked`, before that as it
 * begins; undefined if it invokes none. What a page shows of a journey, it shows of both.
 */
export function invokedIn({ children, context }: AnyMachineSnapshot): AnyMachineSnapshot | undefined {
  const { invoked } = context as Partial<Invoking>; // of a journey that invokes one
  const refs = Object.values(children as Record<string, AnyActorRef | undefined>); // XState leaves them untyped here
  return invoked ?? refs.map((ref): unknown => ref?.getSnapshot()).find(isMachine);
}

/** The active states of a machine, the root first, and each before those inside it. */
export const activeNodes = ({ machine, value }: AnyMachineSnapshot): AnyStateNode[] =>
  getStateNodes(machine.root, value as StateValue); // XState leaves it untyped here

const named = (value: StateValue): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([outer, inner = '']) => `${outer}.${named(inner)}`)
        .join();

/**
 * The active state as dotted names, outer first: 'form.editing'; of a state that invokes a machine with that machine's:
 * 'messaging.waiting'. The charts have no parallel states.
 */
export function stateOf(snapshot: AnyMachineSnapshot): string {
  const invoked = invokedIn(snapshot);
  return [named(snapshot.value as StateValue), ...(invoked ? [stateOf(invoked)] : [])].join('.');
}

/** Whether the state has a tag, or that of the machine that it invokes. */
export const hasTag = (snapshot: AnyMachineSnapshot, tag: Tag): boolean =>
  snapshot.hasTag(tag) || invokedIn(snapshot)?.hasTag(tag) === true;

/** The name of the state in which a machine has reached its goal; undefined if it has none. */
export const goalOf = ({ machine }: AnyMachineSnapshot): string | undefined =>
  Object.values(machine.states).find(({ tags }) => tags.includes('done'))?.key;

const ownDescription = (snapshot: AnyMachineSnapshot): string =>
  activeNodes(snapshot).findLast(({ description }) => description !== undefined)?.description ?? '';

/** The active state in a sentence for the user, from the innermost state's description. */
export const descriptionOf = (snapshot: AnyMachineSnapshot): string =>
  ownDescription(invokedIn(snapshot) ?? snapshot) || ownDescription(snapshot);

/** Whether the invoked machine has waited for longer than expected. */
export const isOverdue = ({ invoked }: Invoking): boolean =>
  (invoked?.context as { overdue?: boolean } | undefined)?.overdue === true; // of machines that poll

/** Guard: the invoked machine takes the event now, which its invoker passes on to it. */
export const isTaken = describedGuard(
  'the machine that it invokes takes it',
  ({ context, event }: { context: Invoking; event: EventObject }): boolean => context.invoked?.can(event) === true,
);
