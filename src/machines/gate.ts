import type { AlertId } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { requirement, type RequirementId } from './requirements.ts';
import { press, when } from './say.ts';

/**
 * How a page is rendered. `busy`: work is in progress; `told`: the step shows the progress itself; `open`: it accepts
 * input meanwhile; `gate`: a requirement is missing; `form` and `list`: the step renders its own component; `failed`: context.failure is shown;
 * `sent`: the message was sent, only its answer could not be read; `done`: the journey has reached its goal.
 */
export type Tag = 'busy' | 'told' | 'open' | 'gate' | 'form' | 'list' | 'failed' | 'sent' | 'done';

/** One sentence about the state for the user; a gate adds its alert, the missing requirement, and an alternative. */
export interface Meta {
  description: string;
  alert?: AlertId;
  lacks?: RequirementId;
  /** An alternative that stays on the page: the type of an event that the gate handles, and the label of its button. */
  instead?: { event: string; label: string };
}

/**
 * A journey's input: the facts, and journey-specific members. A journey starts at its gates; it reads its own data
 * after passing them.
 */
export type JourneyInput<Own extends object = object> = Own & { facts: Facts };

/** A journey's output. A journey without a result ends only with `cancelled`. */
export type JourneyOutput<Result = unknown> = { type: 'succeeded'; result: Result } | { type: 'cancelled' };

/**
 * What a journey emits while it runs. `facts.changed`: its actions have changed the facts, which must be read again.
 * `facts.known`: the new facts are given, and nothing else in them has changed.
 */
export type JourneyEmitted = { type: 'facts.changed' } | { type: 'facts.known'; facts: Facts };

/** The members of every journey's context. */
export interface JourneyContext {
  facts: Facts;
  failure: Problem | null;
}

/** The events that every journey handles: new facts, closing its gate, leaving it, retrying after a failure. */
export type JourneyEvent =
  { type: 'facts.arrived'; facts: Facts } | { type: 'alert.close' } | { type: 'form.cancel' } | { type: 'retry' };

/** Default descriptions of these events, for charts; a transition may override them. */
export const journeyWords: Readonly<Record<string, string>> = {
  'alert.close': press('Close'),
  'facts.arrived': 'The facts arrive',
  'form.cancel': press('Cancel'),
  retry: press('Try again'),
};

/** Whether an event comes from the user, not from a port, a delay or another machine. */
export const isUsers = (type: string): boolean => !/^(xstate|facts|journey|poll)\./.test(type);

/** Guard: the facts do not meet the requirement. */
export const lacks = when(
  'this is missing',
  ({ context }: { context: JourneyContext }, { need }: { need: RequirementId }): boolean =>
    !requirement(need).met(context.facts),
);

function alertOf(need: RequirementId): AlertId {
  const { alert } = requirement(need);
  if (!alert) throw new Error(`The requirement ${need} has no alert and cannot be a gate`);
  return alert;
}

/** One check for each requirement, in the declared order, then the target `passed`. For a state's `always`. */
export const checks = <Target extends string>(requires: readonly RequirementId[], passed: Target) => [
  ...requires.map((need) => ({ guard: { type: 'lacks' as const, params: { need } }, target: alertOf(need) })),
  { target: passed },
];

/** A gate, named after its alert; closing it ends the journey (behaviour, section 8). */
const gateOf = (need: RequirementId) => ({
  tags: ['gate' as const],
  meta: { description: 'Something that the step requires is missing', alert: alertOf(need), lacks: need },
  on: {
    'alert.close': { target: 'cancelled' },
    'facts.arrived': { target: 'checking', actions: 'learn' as const },
  },
});

/**
 * The initial states of a journey: `checking`, which leads to `passed`, and a gate for each requirement. A gate is left
 * as soon as new facts meet its requirement. The chart supplies the guard `lacks` and the action `learn`.
 */
export const entrance = <Target extends string>(requires: readonly RequirementId[], passed: Target) => ({
  ...Object.fromEntries(requires.map((need) => [alertOf(need), gateOf(need)])),
  checking: { always: checks(requires, passed) },
});

/** The final state of a cancelled journey. */
export const left = {
  type: 'final',
  meta: { description: 'The journey is left' },
  output: { type: 'cancelled' },
} as const;

/** The final state of a successful journey; its result is the context's `result`. */
export const made = (description: string) =>
  ({
    type: 'final',
    tags: ['done'],
    meta: { description },
    output: ({ context }: { context: { result: unknown } }) => ({ type: 'succeeded', result: context.result }),
  }) as const;

/** A journey's output is that of its final state. */
export const outputOf = ({ event }: { event: { output?: unknown } }): never => event.output as never; // set by `left` or `made`

/** The changes of a journey's action `learn`: the facts of `facts.arrived`. */
export const learnt = (event: { type: string; facts?: Facts }): { facts: Facts } | object =>
  event.facts ? { facts: event.facts } : {};
