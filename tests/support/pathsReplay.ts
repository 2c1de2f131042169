import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyStateNode,
  AnyTransitionDefinition,
  EventObject,
  InspectionEvent,
} from 'xstate';
import { answerPatience } from '#contract/constants.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { failure } from './fixtures.ts';
import { deferredAgain, live, release, type Deferred } from './deferredPorts.ts';
import { stateOf } from '#machines/lib/state.ts';
import { activeStates } from './invoked.ts';
import { answerIn, causeOf, isOverdue, type Model, type Path, type Step } from './paths.ts';

/** The record of a walk: ids of the states entered, and names of the branches taken. */
export interface Walk {
  entered: Set<string>;
  taken: Set<string>;
}

export const nowhere = (): Walk => ({ entered: new Set(), taken: new Set() });

/** The name of a branch: its state, its event (none for `always`), and its index among the event's branches. */
export function branchOf({ source, eventType, target }: AnyTransitionDefinition, place: number): string {
  const targets = (target ?? []).map(({ id }) => id).join(', ') || 'no other state';
  return `${source.id}: ${eventType || 'always'}, branch ${place + 1}, to ${targets}`;
}

/** An inspector that records each branch taken by a running machine. */
export function recordInto(walk: Walk): (event: InspectionEvent) => void {
  return (event) => {
    if (event.type !== '@xstate.microstep') return;
    for (const transition of event._transitions) {
      const { transitions, always }: AnyStateNode = transition.source;
      const branches = [always ?? [], ...transitions.values()].find((each) => each.includes(transition)) ?? [];
      walk.taken.add(branchOf(transition, branches.indexOf(transition)));
      // A machine that another one invokes is gone at its end.
      for (const target of transition.target ?? []) if (target.type === 'final') walk.entered.add(target.id);
    }
  };
}

/** The length (ms) of a machine's delay of that name. */
export const delayOf = (machine: AnyStateMachine, name: string): number => {
  const delays: Readonly<Record<string, unknown>> = machine.implementations.delays;
  const delay = delays[name] ?? Number(name);
  if (typeof delay !== 'number') throw new Error(`The delay ${name} of ${machine.id} is no number of milliseconds`);
  return delay;
};

/** The environment in which a path is run: performs its steps and returns the resulting snapshot. */
export interface Stage extends Pick<Deferred, 'answer' | 'refuse' | 'pass' | 'isAsked'> {
  /** Performs the user's action. */
  act: (event: EventObject) => Promise<void>;
  snapshot: () => AnyMachineSnapshot;
  /** Throws unless the page shows the current state. */
  check?: () => void;
  close: () => void;
}

/** Lets a delay pass, and checks that nothing happens before its end. */
async function passBy(stage: Stage, delay: number, stays: () => void): Promise<void> {
  await stage.pass(delay - 1);
  stays();
  await stage.pass(1);
}

/** Lets time pass until a poll asks or, if `isLate`, until its patience is exceeded. */
async function awaitPoll(stage: Stage, name: string, machine: AnyStateMachine, isLate: boolean, stays: () => void) {
  const { polls, interval = 0 } = effectsOf(machine)[name]?.declared ?? {};
  if (!polls) return;
  if (!isLate && !stage.isAsked(name)) await passBy(stage, interval, stays);
  for (let waited = 0; isLate && waited < answerPatience; waited += interval) await stage.pass(interval);
}

/** Causes a step's event as in the page: settles a port, lets time pass, or performs the user's action. */
async function perform(stage: Stage, machine: AnyStateMachine, { event }: Step, stays: () => void): Promise<void> {
  const { cause, of } = causeOf(machine, event);
  const isLate = isOverdue(event);
  if (cause === 'answer' || cause === 'failure') await awaitPoll(stage, of, machine, isLate, stays);
  if (isLate) return;
  if (cause === 'answer') await stage.answer(of, answerIn(event));
  else if (cause === 'failure') await stage.refuse(of, failure);
  else if (cause === 'user') await stage.act(event);
  else await passBy(stage, delayOf(machine, of), stays);
}

/** Throws unless the machine is in the expected state; returns its snapshot. */
function arrive(at: string, stage: Stage, expected: AnyMachineSnapshot): AnyMachineSnapshot {
  const snapshot = stage.snapshot();
  const place = (at: AnyMachineSnapshot) => `${stateOf(at)} (${at.status})`;
  const [is, should] = [place(snapshot), place(expected)];
  if (is !== should) throw new Error(`${at}: the machine is in ${is} and should be in ${should}`);
  try {
    stage.check?.();
  } catch (error) {
    throw new Error(`${at}, in ${is}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return snapshot;
}

/**
 * Walks a path on a stage and records the states entered in `walk`. Throws at the first step after which the machine is
 * not in the expected state, or the stage does not show it.
 */
export async function walkOn(stage: Stage, { machine }: Model, path: Path, walk: Walk): Promise<void> {
  const enter = (snapshot: AnyMachineSnapshot) => activeStates(snapshot).forEach((id) => walk.entered.add(id));
  enter(arrive('At the start', stage, path.start));
  let before = path.start;
  for (const step of path.steps) {
    await perform(stage, machine, step, () => arrive(`Just before ${step.name}`, stage, before));
    enter(arrive(`After ${step.name}`, stage, step.snapshot));
    before = step.snapshot;
  }
  stage.close();
}

/** Walks a path on a running machine and records it in `walk`. Throws as `walkOn` does. */
export async function replay(model: Model, path: Path, walk = nowhere()): Promise<void> {
  const prepared = deferredAgain(model.machine);
  const options = { input: path.input, inspect: recordInto(walk) };
  const { actor, send, ...ports } = live(model.machine, options, () => prepared);
  const snapshot = () => actor.getSnapshot() as AnyMachineSnapshot; // of an actor of some machine
  await walkOn({ ...ports, act: send, snapshot, close: () => actor.stop() }, model, path, walk);
  release(model.machine, prepared);
}
