import type { AnyStateMachine, AnyStateNode, TransitionDefinition } from 'xstate';
import { alerts } from '#contract/alerts.ts';
import type { Cause, Chart, ChartState, ChartTransition, StateKind } from '#machines/lib/chart.ts';
import { formEventTexts } from '#machines/lib/form.ts';
import { alertOf, journeyEventTexts, type Meta } from '#machines/lib/gate.ts';
import type { Tag } from '#machines/lib/state.ts';
import { effectsOf, invokedMachines, type EffectTexts } from '#machines/lib/effect.ts';
import { pressLabel } from '#machines/lib/describe.ts';
import { isUsers, originOf, statesBelow, typesOf } from './origins.ts';

type Branch = TransitionDefinition<object, { type: string }>;

const idOf = ({ path }: AnyStateNode): string => path.join('.');
const metaOf = ({ meta }: AnyStateNode): Partial<Meta> => (meta ?? {}) as Partial<Meta>; // what the charts' setup declares
const tagged = ({ tags }: AnyStateNode, ...some: Tag[]): boolean => some.some((tag) => tags.includes(tag));

const formEvents: Readonly<Record<string, string>> = formEventTexts;

/** The machine that a state invokes; undefined if it invokes none. */
const invokedBy = ({ machine, invoke }: AnyStateNode): AnyStateMachine | undefined =>
  invoke.map(({ id }) => invokedMachines(machine)[id]).find((each) => each !== undefined);

/** Whether the state waits for the delay of a poll. */
function waits(node: AnyStateNode): boolean {
  const invoked = invokedBy(node);
  return (
    node.invoke.some(({ id }) => effectsOf(node.machine)[id]?.declared.polls) ||
    [...Object.values(node.states), ...(invoked ? [invoked.root] : [])].some(waits)
  );
}

function kindOf(node: AnyStateNode): StateKind {
  if (node.always?.length) return 'deciding';
  if (tagged(node, 'gate')) return 'gate';
  if (tagged(node, 'failed')) return 'failed';
  if (tagged(node, 'done')) return 'done';
  if (node.type === 'final') return 'left';
  if (waits(node)) return 'waiting';
  return node.invoke.length > 0 ? 'asking' : 'open';
}

interface Ignorable {
  target?: unknown;
  guard?: unknown;
  actions: readonly unknown[];
  eventType: string;
  source: AnyStateNode;
}

/** Whether a user's event is ignored in a state, which keeps it from the outer ones. */
export const isIgnored = ({ target, guard, actions, eventType, source }: Ignorable): boolean =>
  !target && !guard && actions.length === 0 && isUsers(source.machine, eventType);

/**
 * Whether a transition is part of a chart: not one that ignores a user's event, nor one by which a journey mirrors the
 * machine that it invokes, whose own chart has its states.
 */
export const isDrawn = (branch: Ignorable): boolean => {
  const { eventType, source } = branch;
  const mirrors = Object.keys(invokedMachines(source.machine)).some((id) => typesOf(id).told === eventType);
  return !isIgnored(branch) && !mirrors;
};

/** The events of a nested state that its outer states do not get. */
const keptBy = ({ path, transitions }: AnyStateNode): string[] =>
  path.length > 1 ? [...transitions].flatMap(([type, branches]) => (branches.at(-1)?.guard ? [] : type)) : [];

function stateOf(node: AnyStateNode): ChartState {
  const { alert, requires = [] } = metaOf(node);
  const kept = keptBy(node);
  const invoked = invokedBy(node);
  const shown = [...requires.map(alertOf), ...(alert ? [alert] : [])];
  return {
    id: idOf(node),
    name: node.key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    parent: node.path.slice(0, -1).join('.'),
    initial: node.parent?.initial.target[0] === node,
    kind: kindOf(node),
    description: node.description ?? '',
    ...(kept.length > 0 && { keeps: kept }),
    ...(invoked && { invokes: invoked.id }),
    ...(shown.length > 0 && { alerts: shown.map((each) => alerts[each]) }),
  };
}

/** The words of what a machine invokes under this name. Throws if it is neither an effect nor a machine. */
function portWords({ machine }: AnyStateNode, name: string): EffectTexts {
  if (Object.hasOwn(invokedMachines(machine), name)) return { answers: 'It ends', fails: 'It breaks' };
  const effect = effectsOf(machine)[name];
  if (!effect) throw new Error(`${machine.id} declares no effect ${name}`);
  return effect.declared.words;
}

/** The first description of an event among some branches; undefined if there is none. */
const saidBy = (branches: readonly Branch[] = []): string | undefined =>
  branches.find(({ description }) => description)?.description;

/**
 * The description of an event: from the state itself, from another state of the machine, or from the words common to
 * all journeys or forms. Throws if there is none.
 */
function eventWords(node: AnyStateNode, type: string): string {
  const here = saidBy(node.transitions.get(type));
  if (here !== undefined) return here;
  // A failed state without a form or list shows the failure with its own Close button.
  if (type === 'form.cancel' && tagged(node, 'failed') && !tagged(node, 'form', 'list')) return pressLabel('Close');
  const { root, id } = node.machine;
  const elsewhere = saidBy([root, ...statesBelow(root)].flatMap(({ transitions }) => transitions.get(type) ?? []));
  const words = elsewhere ?? journeyEventTexts[type] ?? formEvents[type];
  if (words === undefined) throw new Error(`${id} says nothing of the event ${type}`);
  return words;
}

function moved(node: AnyStateNode, type: string): { cause: Cause; words: string } {
  if (type === '') return { cause: 'none', words: '' };
  const origin = originOf(node.machine, type);
  if (!origin) return { cause: isUsers(node.machine, type) ? 'user' : 'answer', words: eventWords(node, type) };
  const { cause, of } = origin;
  const said = saidBy(node.transitions.get(type));
  if (said !== undefined) return { cause, words: said };
  if (cause === 'time') throw new Error(`${node.id} says nothing of its delay`);
  const { answers, fails } = portWords(node, of);
  return { cause, words: cause === 'failure' ? fails : answers };
}

/** The words of a guard; throws if its declaration has none. */
function conditionOf({ guard }: Branch, { machine }: AnyStateNode, isOnlyOne: boolean): string {
  if (!guard) return isOnlyOne ? '' : 'otherwise';
  const name = String(typeof guard === 'object' && 'type' in guard ? guard.type : guard);
  const declared: unknown = machine.implementations.guards[name];
  if (typeof declared !== 'function' || !('words' in declared))
    throw new Error(`${machine.id} says nothing of the guard ${name}`);
  return `if ${String(declared.words)}`;
}

function transitionsOf(node: AnyStateNode): ChartTransition[] {
  const branching = new Map<string, Branch[]>([['', node.always ?? []], ...node.transitions]);
  return [...branching].flatMap(([type, branches]) =>
    branches.filter(isDrawn).map((branch) => {
      const { cause, words } = moved(node, type);
      const holds = conditionOf(branch, node, branches.length === 1);
      const to = idOf(branch.target?.[0] ?? node);
      return { from: idOf(node), to, event: type, cause, words: [words, holds].filter(Boolean).join(', ') };
    }),
  );
}

/** Converts a machine into plain data. Throws if one of its events, guards or effects has no words. */
export function chartOf(machine: AnyStateMachine): Chart {
  const states = statesBelow(machine.root);
  return {
    id: machine.id,
    states: states.map(stateOf),
    transitions: states.flatMap(transitionsOf),
  };
}

/** The user's events of a machine by type, each with all its descriptions in the states that handle it. */
export function usersEvents(machine: AnyStateMachine): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  for (const node of [machine.root as AnyStateNode, ...statesBelow(machine.root)])
    for (const [type, branches] of node.transitions)
      if (isUsers(machine, type) && !branches.every(isIgnored))
        events.set(type, (events.get(type) ?? new Set()).add(eventWords(node, type)));
  return events;
}
