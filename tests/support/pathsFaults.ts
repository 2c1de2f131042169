import type { AnyStateMachine, AnyStateNode } from 'xstate';
import type { Meta } from '#machines/gate.ts';
import { pathsThrough, type Model, type Path } from './paths.ts';
import { branchOf, nowhere, replay, type Walk } from './pathsReplay.ts';

/** Every state of a machine, in the order of the chart, without the machine itself. */
export function statesOf(machine: AnyStateMachine): AnyStateNode[] {
  const below = (node: AnyStateNode): AnyStateNode[] =>
    Object.values(node.states).flatMap((child) => [child, ...below(child)]);
  return below(machine.root);
}

/** A state that decides and is left at once; nobody ever sees it. */
const isTransient = ({ always = [] }: AnyStateNode): boolean => always.length > 0;

/** Every branch of a state: of its events, its invocations, its delays and its `always`. */
const branchesOf = ({ transitions, always = [] }: AnyStateNode): string[] =>
  [always, ...transitions.values()].flatMap((branches) => branches.map(branchOf));

const metaOf = ({ meta }: AnyStateNode): Partial<Meta> => (meta ?? {}) as Partial<Meta>; // what the charts' setup declares

/** What can be seen to be wrong with a state without walking. */
function flawsIn(node: AnyStateNode, mayFail: boolean): string[] {
  const { description, alert } = metaOf(node);
  return [
    ...(isTransient(node) || description ? [] : [`${node.id} has no description`]),
    ...(node.tags.includes('gate') && !alert ? [`${node.id} is a gate without an alert`] : []),
    ...(isTransient(node) && node.always?.at(-1)?.guard ? [`${node.id} may stay undecided`] : []),
    ...node.invoke.flatMap(({ id, src }) =>
      id === src ? [] : `${node.id} invokes ${JSON.stringify(src)} under the id ${id}`,
    ),
    ...node.invoke.flatMap(({ id }) =>
      mayFail || node.transitions.has(`xstate.error.actor.${id}`)
        ? []
        : `${node.id} does not handle a failure of ${id}`,
    ),
  ];
}

/** What can be seen to be wrong with a machine without walking. */
export const flawsOf = (machine: AnyStateMachine, mayFail = false): string[] =>
  statesOf(machine).flatMap((node) => flawsIn(node, mayFail));

/** What there is to be covered of a machine, by name: ids of states that can be seen, and branches. */
export interface Goals {
  states: string[];
  transitions: string[];
}

/** Every state and branch of a machine, without those that `never` (its keys begin their names) says cannot be reached. */
export function goalsOf(machine: AnyStateMachine, never: Model['never'] = {}): Goals {
  const states = statesOf(machine);
  const goals = (names: string[]) =>
    names.filter((name) => !Object.keys(never).some((start) => name.startsWith(start)));
  return {
    states: goals(states.flatMap((node) => (isTransient(node) ? [] : node.id))),
    transitions: goals([machine.root, ...states].flatMap(branchesOf)),
  };
}

/** States and branches, by name, that did not occur on a walk, without those that `never` says cannot be reached. */
export function missedBy(machine: AnyStateMachine, { entered, taken }: Walk, never: Model['never'] = {}): string[] {
  const { states, transitions } = goalsOf(machine, never);
  return [...states.filter((id) => !entered.has(id)), ...transitions.filter((branch) => !taken.has(branch))];
}

/**
 * All that is wrong with a machine, or with a model that does not get everywhere: states that no path reaches, branches
 * that no path takes, machines that die, gates without an alert, failures that are not handled. Empty if all is well.
 * Adds to `walk` what happened.
 */
export async function faultsOf(model: Model, paths = pathsThrough(model), walk = nowhere()): Promise<string[]> {
  const dies = ({ start, steps }: Path) =>
    !model.fails && [start, ...steps.map(({ snapshot }) => snapshot)].some(({ status }) => status === 'error');
  for (const path of paths.filter((each) => !dies(each))) await replay(model, path, walk);
  const known = Object.keys(model.never);
  const missed = missedBy(model.machine, walk);
  return [
    ...flawsOf(model.machine, model.fails),
    ...paths.filter(dies).map(({ name }) => `The machine dies: ${name}`),
    ...missed.flatMap((name) => (known.some((start) => name.startsWith(start)) ? [] : `Never reached: ${name}`)),
    ...known.flatMap((start) => (missed.some((name) => name.startsWith(start)) ? [] : `Reached after all: ${start}`)),
  ];
}
