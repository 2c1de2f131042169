import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { isIgnored } from '../../scripts/charts/chartOf.ts';
import { effectsOf, invokedMachines } from '#machines/lib/effect.ts';
import type { Tag } from '#machines/lib/state.ts';
import { statesOf } from './pathsFaults.ts';

/** What a page draws of a state by itself; `told`, `open` and `sent` only change that. */
const drawn: readonly string[] = ['busy', 'gate', 'form', 'list', 'failed', 'done'] satisfies Tag[];
const changing: readonly string[] = ['told', 'open', 'sent'] satisfies Tag[];
const known: readonly string[] = [...drawn, ...changing];

/** The states of a machine in which it stays: none that has states of its own, ends the machine or is left at once. */
export const restingStates = (machine: AnyStateMachine): AnyStateNode[] =>
  statesOf(machine).filter(
    ({ type, always = [], states }) => type !== 'final' && always.length === 0 && Object.keys(states).length === 0,
  );

/** A state and those around it. */
const lineOf = (node: AnyStateNode): AnyStateNode[] => [node, ...(node.parent ? lineOf(node.parent) : [])];

/** The tags that a snapshot in the state has. */
export const tagsOf = (node: AnyStateNode): string[] => lineOf(node).flatMap(({ tags }) => tags);

/** Whether an event leads somewhere from the state, or does something there, if its guard permits it. */
export const handles = (node: AnyStateNode, type: string): boolean =>
  lineOf(node).some(({ transitions }) => transitions.get(type)?.some((branch) => !isIgnored(branch)));

const callsEffect = ({ invoke, machine }: AnyStateNode): boolean =>
  invoke.some(
    ({ id }) => !Object.hasOwn(invokedMachines(machine), id) && effectsOf(machine)[id]?.declared.polls !== true,
  );

/** The states to which the failure of an effect leads. */
const afterFailures = (machine: AnyStateMachine): AnyStateNode[] =>
  statesOf(machine).flatMap(({ transitions }) =>
    [...transitions].flatMap(([type, branches]) =>
      type.startsWith('xstate.error.') ? branches.flatMap(({ target }) => target ?? []) : [],
    ),
  );

/** The tags of a machine's states that nobody draws. */
const unknownTags = (machine: AnyStateMachine): string[] =>
  statesOf(machine).flatMap(({ id, tags }) =>
    tags.flatMap((tag) => (known.includes(tag) ? [] : `${id} has the tag "${tag}" that nobody draws`)),
  );

/**
 * What the tags of a machine's states say wrongly: that nobody draws it, that it is busy while it awaits nothing, or that
 * it has failed where nothing failed or can be tried again. `quiet` call an effect while the page shows what it knows.
 */
export function tagFaults(machine: AnyStateMachine, quiet: readonly string[] = []): string[] {
  const resting = restingStates(machine);
  const isBusy = (node: AnyStateNode) => tagsOf(node).includes('busy');
  const awaits = (node: AnyStateNode) => callsEffect(node) || node.key === 'resending';
  return [
    ...unknownTags(machine),
    ...resting.flatMap((node) => (tagsOf(node).some((tag) => drawn.includes(tag)) ? [] : `${node.id} is not drawn`)),
    ...resting.flatMap((node) => (isBusy(node) && !awaits(node) ? `${node.id} is busy and awaits nothing` : [])),
    ...resting.flatMap((node) =>
      !isBusy(node) && awaits(node) && !quiet.includes(node.id) ? `${node.id} awaits something and is not busy` : [],
    ),
    ...resting.flatMap((node) =>
      node.tags.includes('failed') && !handles(node, 'retry') ? `${node.id} failed and cannot be tried again` : [],
    ),
    ...afterFailures(machine).flatMap(({ id, tags }) =>
      tags.includes('failed') ? [] : `${id} does not say it failed`,
    ),
  ];
}
