import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyStateNode,
  AnyTransitionDefinition,
  InspectionEvent,
} from 'xstate';
import { failure } from './material.ts';
import { live, type Live } from './live.ts';
import { causeOf, type Model, type Path, type Step } from './paths.ts';

/** What happened on a walk: the states that were entered, by id, and the branches that were taken. */
export interface Walk {
  entered: Set<string>;
  taken: Set<string>;
}

export const nowhere = (): Walk => ({ entered: new Set(), taken: new Set() });

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
      const { transitions, always }: AnyStateNode = transition.source;
      const branches = [always ?? [], ...transitions.values()].find((each) => each.includes(transition)) ?? [];
      walk.taken.add(branchOf(transition, branches.indexOf(transition)));
    }
  };
}

const delayOf = (machine: AnyStateMachine, name: string): number => {
  const delays: Readonly<Record<string, unknown>> = machine.implementations.delays;
  const delay = delays[name] ?? Number(name);
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
    const delay = delayOf(running.actor.logic, of);
    await running.pass(delay - 1);
    stays();
    await running.pass(1);
  }
}

/** Throws unless the machine is where the path says; answers where it is. */
function arrive(at: string, { actor }: Live<AnyStateMachine>, expected: AnyMachineSnapshot): AnyMachineSnapshot {
  const snapshot = actor.getSnapshot() as AnyMachineSnapshot; // of an actor of some machine
  const place = ({ value, status }: AnyMachineSnapshot) => JSON.stringify([value, status] as unknown[]); // JSON as it is
  const [is, should] = [place(snapshot), place(expected)];
  if (is !== should) throw new Error(`${at}: the machine is in ${is} and should be in ${should}`);
  return snapshot;
}

/**
 * Walks a path on a running machine and adds to `walk` what happened. Throws at the first step after which the machine
 * is not in the state that the path says.
 */
export async function replay({ machine }: Model, path: Path, walk = nowhere()) {
  const running = live(machine, { input: path.input, inspect: recordInto(walk) });
  const enter = (snapshot: AnyMachineSnapshot) => snapshot._nodes.forEach(({ id }) => walk.entered.add(id));
  enter(arrive('At the start', running, path.start));
  let before = path.start;
  for (const step of path.steps) {
    await perform(running, step, () => arrive(`Just before ${step.name}`, running, before));
    enter(arrive(`After ${step.name}`, running, step.snapshot));
    before = step.snapshot;
  }
  running.actor.stop();
}
