import type { AnyStateMachine, AnyStateNode } from 'xstate';
import type { Reported } from '#machines/lib/describe.ts';
import { invokedMachines } from '#machines/lib/effect.ts';

/** Where an event comes from that a machine causes itself. */
export interface Origin {
  cause: 'answer' | 'failure' | 'time';
  /** The name of the effect, the machine or the delay. */
  of: string;
}

/** The types of the events by which an invocation reports to its machine: its end, its failure, a new snapshot. */
export const typesOf = (id: string) =>
  ({ done: `xstate.done.actor.${id}`, failed: `xstate.error.actor.${id}`, told: `xstate.snapshot.${id}` }) as const;

const ofInvocation = (id: string): [type: string, Origin][] => {
  const { done, failed, told } = typesOf(id);
  return [
    [done, { cause: 'answer', of: id }],
    [told, { cause: 'answer', of: id }],
    [failed, { cause: 'failure', of: id }],
  ];
};

/** The actors that the actions of a chart start, instead of a state that invokes them. */
const started = ['step'];

/**
 * The events by which another part of the page tells a machine what has happened: those that its root declares, and the
 * new facts of every journey.
 */
export const reportsTo = ({ root }: AnyStateMachine): readonly string[] => [
  'facts.arrived',
  ...((root.meta as Partial<Reported> | undefined)?.reports ?? []), // what the charts' setup declares
];

/** All states of a machine in the order of the chart, without the root. */
export const statesBelow = (node: AnyStateNode): AnyStateNode[] =>
  Object.values(node.states).flatMap((child) => [child, ...statesBelow(child)]);

const originsOfState = ({ invoke, after }: AnyStateNode): [type: string, Origin][] => [
  ...invoke.flatMap(({ id }) => ofInvocation(id)),
  ...after.map(({ eventType, delay }): [string, Origin] => [
    eventType as string, // XState leaves it untyped here
    { cause: 'time', of: String(delay) },
  ]),
];

const found = new WeakMap<AnyStateMachine, ReadonlyMap<string, Origin>>();

/** The origins of all events that a machine, or one that it invokes, causes itself. */
function originsIn(machine: AnyStateMachine): ReadonlyMap<string, Origin> {
  const before = found.get(machine);
  if (before) return before;
  const origins = new Map([
    ...started.flatMap(ofInvocation),
    ...Object.values(invokedMachines(machine)).flatMap((each) => [...originsIn(each)]),
    ...[machine.root, ...statesBelow(machine.root)].flatMap(originsOfState),
  ]);
  found.set(machine, origins);
  return origins;
}

/** Where an event comes from that the machine, or one that it invokes, causes itself; undefined for every other event. */
export const originOf = (machine: AnyStateMachine, type: string): Origin | undefined => originsIn(machine).get(type);

const isHeard = ({ root }: AnyStateMachine, type: string): boolean =>
  [root, ...statesBelow(root)].some(({ transitions }) => transitions.has(type));

/**
 * Whether an event comes from the user: the machine hears it, or ignores it on purpose, and it is neither caused by the
 * machine itself nor a report.
 */
export const isUsers = (machine: AnyStateMachine, type: string): boolean =>
  originOf(machine, type) === undefined && !reportsTo(machine).includes(type) && isHeard(machine, type);
