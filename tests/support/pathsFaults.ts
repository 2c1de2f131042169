import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { isDrawn } from '../../scripts/charts/chartOf.ts';
import { invokedMachines } from '#machines/lib/effect.ts';
import type { Meta } from '#machines/lib/gate.ts';
import { statesBelow, typesOf } from '../../scripts/charts/origins.ts';
import { pathsThrough, type Model, type Path } from './paths.ts';
import { branchOf, nowhere, replay, type Walk } from './pathsReplay.ts';

/** All states of a machine in the order of the chart, without the root. */
export const statesOf = (machine: AnyStateMachine): AnyStateNode[] => statesBelow(machine.root);

/** Whether a state is left immediately, so that it is never shown. */
const isTransient = ({ always = [] }: AnyStateNode): boolean => always.length > 0;

/** All branches of a state: of its events, invocations, delays and `always`. */
export const branchesOf = ({ transitions, always = [] }: AnyStateNode): string[] =>
  [always, ...transitions.values()].flatMap((branches) =>
    branches.flatMap((branch, place) => (isDrawn(branch) ? branchOf(branch, place) : [])),
  );

const metaOf = ({ meta }: AnyStateNode): Partial<Meta> => (meta ?? {}) as Partial<Meta>; // what the charts' setup declares

/** Faults of a state that can be found statically. */
function flawsIn(node: AnyStateNode, mayFail: boolean): string[] {
  const { alert, requires } = metaOf(node);
  return [
    ...(isTransient(node) || node.description ? [] : [`${node.id} has no description`]),
    ...(node.tags.includes('gate') && !alert && !requires?.length ? [`${node.id} is a gate without an alert`] : []),
    ...(isTransient(node) && node.always?.at(-1)?.guard ? [`${node.id} may stay undecided`] : []),
    ...node.invoke.flatMap(({ id, src }) =>
      id === src ? [] : `${node.id} invokes ${JSON.stringify(src)} under the id ${id}`,
    ),
    ...node.invoke.flatMap(({ id }) =>
      mayFail || Object.hasOwn(invokedMachines(node.machine), id) || node.transitions.has(typesOf(id).failed)
        ? []
        : `${node.id} does not handle a failure of ${id}`,
    ),
  ];
}

/** Faults of a machine that can be found statically. */
export const flawsOf = (machine: AnyStateMachine, mayFail = false): string[] =>
  statesOf(machine).flatMap((node) => flawsIn(node, mayFail));

/** What the paths of a machine must cover, by name: ids of visible states, and branches. */
export interface Goals {
  states: string[];
  transitions: string[];
}

/** All states and branches of a machine. */
export function goalsOf(machine: AnyStateMachine): Goals {
  const states = statesOf(machine);
  return {
    states: states.flatMap((node) => (isTransient(node) ? [] : node.id)),
    transitions: [machine.root, ...states].flatMap(branchesOf),
  };
}

/** Names of states and branches that a walk has not covered. */
export function missedBy(machine: AnyStateMachine, { entered, taken }: Walk): string[] {
  const { states, transitions } = goalsOf(machine);
  return [...states.filter((id) => !entered.has(id)), ...transitions.filter((branch) => !taken.has(branch))];
}

/**
 * All faults of a machine, or of a model that does not cover it: unreached states, branches not taken, machines that
 * stop with an error, gates without an alert, unhandled failures. Empty if there are none. Records the walk in `walk`.
 * Rejects with the name of the first path that does not lead on a running machine where it leads in the model.
 */
export async function faultsOf(model: Model, paths = pathsThrough(model), walk = nowhere()): Promise<string[]> {
  const dies = ({ start, steps }: Path) =>
    !model.fails && [start, ...steps.map(({ snapshot }) => snapshot)].some(({ status }) => status === 'error');
  for (const path of paths.filter((each) => !dies(each)))
    await replay(model, path, walk).catch((cause: unknown) => {
      throw new Error(`${path.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
  return [
    ...flawsOf(model.machine, model.fails),
    ...paths.filter(dies).map(({ name }) => `The machine dies: ${name}`),
    ...missedBy(model.machine, walk).map((name) => `Never reached: ${name}`),
  ];
}
