import { transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { chartOf } from '../../scripts/charts/chartOf.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import { isUsers } from '../../scripts/charts/origins.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { hasTag, stateOf } from '#machines/lib/state.ts';
import { repetitionHelps } from '#rules/repetition.ts';
import { everything } from './facts.ts';
import { runningEffects } from './invoked.ts';
import type { Model, Path } from './paths.ts';

const effectOf = (machine: AnyStateMachine, name: string) => effectsOf(machine)[name]?.declared.kind;

/** The effects that a path begins at its start, and by events that are not the user's. */
const begunUnasked = (machine: AnyStateMachine, { start, steps }: Path): string[] => [
  ...runningEffects(start),
  ...steps.flatMap(({ event, snapshot }, at) => {
    const before = runningEffects(steps[at - 1]?.snapshot ?? start);
    return isUsers(machine, event.type) ? [] : runningEffects(snapshot).filter((name) => !before.includes(name));
  }),
];

/** The effects that write, as paths begin them without an event of the user. */
export const unaskedWrites = (machine: AnyStateMachine, paths: readonly Path[]): string[] => [
  ...new Set(
    paths.flatMap((path) => begunUnasked(machine, path)).filter((name) => effectOf(machine, name) === 'writes'),
  ),
];

/** The situations on some paths, each once: generated paths share them. */
const situationsOn = (paths: readonly Path[]): AnyMachineSnapshot[] => [
  ...new Set(paths.flatMap(({ start, steps }) => [start, ...steps.map(({ snapshot }) => snapshot)])),
];

const placeOf = stateOf;

/** The states of the paths in which facts that arrive do not replace the older ones, unless the model says why. */
export function deafTo({ machine, keepsFacts }: Model, paths: readonly Path[]): string[] {
  const facts = { ...everything };
  const deaf = situationsOn(paths).filter((snapshot) => {
    if (keepsFacts || snapshot.status !== 'active') return false;
    const [next]: [AnyMachineSnapshot, unknown] = transition(machine, snapshot, { type: 'facts.arrived', facts });
    return (next.context as JourneyContext).facts !== facts; // what every journey's context holds
  });
  return [...new Set(deaf.map(placeOf))];
}

/** The transitions of a chart of which only a condition is said. */
export const unsaid = (machine: AnyStateMachine): string[] =>
  chartOf(machine)
    .transitions.filter(({ cause, words }) => cause !== 'none' && /^$|^if |^otherwise$|“”/.test(words))
    .map(({ from, to }) => `${from} to ${to}`);

/** Nothing is under way, or a poll, which may take for ever. */
const isAtRest = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot): boolean =>
  runningEffects(snapshot).every((name) => effectsOf(machine)[name]?.declared.polls === true);

/** A failure whose cause is the request itself is mended by changing that, and offers no repetition. */
function helpsAgain({ context }: AnyMachineSnapshot): boolean {
  const { failure } = context as JourneyContext; // what every journey's context holds
  return failure === null || repetitionHelps(failure);
}

const leaving = ['form.cancel', 'alert.close', 'delete.dismiss'];

/**
 * The states of the paths in which the user is stuck: at rest without a way to leave, or failed without a way to try
 * again where that can help. From a journey's goal the wizard leads on.
 */
export function deadEnds(machine: AnyStateMachine, paths: readonly Path[]): string[] {
  const stuck = situationsOn(paths).flatMap((snapshot) => {
    const can = (type: string) => snapshot.can({ type });
    const isOpen = snapshot.status === 'active' && isAtRest(machine, snapshot) && !snapshot.hasTag('done');
    return [
      ...(isOpen && !leaving.some(can) ? [`${placeOf(snapshot)} cannot be left`] : []),
      ...(hasTag(snapshot, 'failed') && !can('retry') && helpsAgain(snapshot)
        ? [`${placeOf(snapshot)} cannot be tried again`]
        : []),
    ];
  });
  return [...new Set(stuck)];
}
