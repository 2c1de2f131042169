import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { isPoll } from '#machines/poll.ts';
import { portsOf } from '#machines/port.ts';
import type { Path } from './paths.ts';

const invokedBy = ({ _nodes }: AnyMachineSnapshot): string[] =>
  _nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id));

const effectOf = (machine: AnyStateMachine, name: string) => portsOf(machine)[name]?.declared.effect;

/** What a path calls before the user has done anything. */
function calledUnasked({ start, steps }: Path): string[] {
  const asked = steps.findIndex(({ event }) => !/^(xstate|poll)\./.test(event.type));
  const before = asked < 0 ? steps : steps.slice(0, asked);
  return [start, ...before.map(({ snapshot }) => snapshot)].flatMap(invokedBy);
}

/** The ports that write, as paths call them, before the user has acted. */
export const unaskedWrites = (machine: AnyStateMachine, paths: readonly Path[]): string[] => [
  ...new Set(paths.flatMap(calledUnasked).filter((name) => effectOf(machine, name) === 'writes')),
];

/** Nothing is under way, or a poll, which may take for ever. */
const isAtRest = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot): boolean =>
  invokedBy(snapshot).every((name) => isPoll(portsOf(machine)[name]));

const leaving = ['form.cancel', 'alert.close', 'delete.dismiss'];

/**
 * The states of the paths in which the user is stuck: at rest without a way to leave, or failed without a way to try
 * again. From a journey's goal the wizard leads on.
 */
export function deadEnds(machine: AnyStateMachine, paths: readonly Path[]): string[] {
  const situations = paths.flatMap(({ start, steps }) => [start, ...steps.map(({ snapshot }) => snapshot)]);
  const stuck = situations.flatMap((snapshot) => {
    const can = (type: string) => snapshot.can({ type });
    const isOpen = snapshot.status === 'active' && isAtRest(machine, snapshot) && !snapshot.hasTag('done');
    return [
      ...(isOpen && !leaving.some(can) ? [`${JSON.stringify(snapshot.value)} cannot be left`] : []),
      ...(snapshot.hasTag('failed') && !can('retry')
        ? [`${JSON.stringify(snapshot.value)} cannot be tried again`]
        : []),
    ];
  });
  return [...new Set(stuck)];
}
