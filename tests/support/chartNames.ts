import type { AnyStateMachine } from 'xstate';
import type { Meta } from '#machines/lib/gate.ts';
import { branchesOf, statesOf } from './pathsFaults.ts';

const known = new WeakMap<AnyStateMachine, ReadonlyMap<string, string>>();

/**
 * Names of a machine's states by their ids, equal for states of the same chart: several journeys are made by one chart,
 * and there a state has the same place, tags, ports, alert and branches, whichever journey it belongs to.
 */
function chartNames(machine: AnyStateMachine): ReadonlyMap<string, string> {
  const names = known.get(machine) ?? namesIn(machine);
  known.set(machine, names);
  return names;
}

/**
 * The name of a branch of a machine, as `branchOf` gives it; equal for branches of the same chart. Other names are returned
 * as they are.
 */
export function chartBranch(machine: AnyStateMachine, name: string): string {
  const [source = '', ...rest] = name.split(': ');
  const state = chartNames(machine).get(source);
  return state === undefined || rest.length === 0
    ? name
    : `${state}: ${rest.join(': ').replaceAll(`${machine.id}.`, '')}`;
}

function namesIn(machine: AnyStateMachine): ReadonlyMap<string, string> {
  const withoutMachine = (text: string) => text.replaceAll(`${machine.id}.`, '');
  return new Map(
    statesOf(machine).map((node) => {
      const { alert = null } = (node.meta ?? {}) as Partial<Meta>; // what the charts' setup declares
      const what = [node.id, node.type, node.tags, node.invoke.map(({ id }) => id), alert, branchesOf(node)];
      return [node.id, withoutMachine(JSON.stringify(what))];
    }),
  );
}
