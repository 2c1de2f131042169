import type { AnyStateMachine, AnyTransitionDefinition, InspectionEvent, StateValue } from 'xstate';
import { failure } from './material.ts';
import { live, type Live } from './live.ts';
import { causeOf, type Model, type Path, type Step } from './paths.ts';

/** What happened on a walk: the states that were entered, by id, and the branches that were taken. */
export interface Walk {
  entered: Set<string>;
  taken: Set<string>;
}

/** A branch of the chart by name: its state, its event (none for `always`), its place among the event's branches. */
export function branchOf({ source, eventType, target }: AnyTransitionDefinition, place: number): string {
  const targets = (target ?? []).map(({ id }) => id).join(', ') || 'no other state';
  return `${source.id}: ${eventType || 'always'}, branch ${place + 1}, to ${targets}`;
}

/** An inspector that notes each branch that a running machine takes. */
export function recordInto(walk: Walk): (event: InspectionEvent) => void {
  return (event) => {
    if (event.type !== '@xstate.microstep') return;
    for (const transition of event._transitions) {
      const { source, eventType } = transition;
      const branches = eventType ? (source.transitions.get(eventType) ?? []) : (source.always ?? []);
      walk.taken.add(branchOf(transition, branches.indexOf(transition)));
    }
  };
}

const delayOf = (machine: AnyStateMachine, name: string): number => {
  const delay: unknown = machine.implementations.delays[name] ?? Number(name);
  if (typeof delay !== 'number') throw new Error(`The delay ${name} of ${machine.id} is no number of milliseconds`);
  return delay;
};

/** Makes a step's event happen the way it does in the page: a port settles, time passes, the user acts. */
async function perform(running: Live<AnyStateMachine>, { event }: Step, stays: () => void): Promise<void> {
  const { kind, of } = causeOf(event);
  if (kind === 'answer') await running.answer(of, (event as { output?: unknown }).output);
  else if (kind === 'failure') await running.refuse(of, failure);
  else if (kind === 'user') await running.send(event);
  else {
    const delay = delayOf(running.actor.logic as AnyStateMachine, of); // the logic of a machine's actor
    await running.pass(delay - 1);
    stays();
    await running.pass(1);
  }
}

function arrive(at: string, { actor }: Live<AnyStateMachine>, expected: { value: StateValue; status: string }): void {
  const { value, status } = actor.getSnapshot();
  const [is, should] = [JSON.stringify([value, status]), JSON.stringify([expected.value, expected.status])];
  if (is !== should) throw new Error(`${at}: the machine is in ${is} and should be in ${should}`);
}

/**
 * Walks a path on a running machine and adds to `walk` what happened. Throws at the first step after which the machine
 * is not in the state that the path says.
 */
export async function replay({ machine }: Model, path: Path, walk: Walk = { entered: new Set(), taken: new Set() }) {
  const running = live(machine, { input: path.input, inspect: recordInto(walk) });
  const enter = () => running.actor.getSnapshot()._nodes.forEach(({ id }: { id: string }) => walk.entered.add(id));
  arrive('At the start', running, path.start);
  enter();
  let before = path.start;
  for (const step of path.steps) {
    await perform(running, step, () => arrive(`Just before ${step.name}`, running, before));
    arrive(`After ${step.name}`, running, step.snapshot);
    enter();
    before = step.snapshot;
  }
  running.actor.stop();
}
