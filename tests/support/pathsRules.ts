import { transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { chartOf } from '../../scripts/charts/chartOf.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import { isUsers } from '../../scripts/charts/origins.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { stateOf } from '#machines/lib/state.ts';
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

/** The states of the paths in which facts that arrive do not replace the older ones, unless the model says why. */
export function deafTo({ machine, keepsFacts }: Model, paths: readonly Path[]): string[] {
  const facts = { ...everything };
  const deaf = situationsOn(paths).filter((snapshot) => {
    if (keepsFacts || snapshot.status !== 'active') return false;
    const [next]: [AnyMachineSnapshot, unknown] = transition(machine, snapshot, { type: 'facts.arrived', facts });
    return (next.context as JourneyContext).facts !== facts; // what every journey's context holds
  });
  return [...new Set(deaf.map(stateOf))];
}

/** The transitions of a chart of which only a condition is said. */
export const unsaid = (machine: AnyStateMachine): string[] =>
  chartOf(machine)
    .transitions.filter(({ cause, words }) => cause !== 'none' && /^$|^if |^otherwise$|“”/.test(words))
    .map(({ from, to }) => `${from} to ${to}`);
