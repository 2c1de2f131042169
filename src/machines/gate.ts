import type { AlertId } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { requirement, type RequirementId } from './requirements.ts';
import { press, when } from './say.ts';

/**
 * How a page is drawn: `busy` work goes on, `told` the step's own component says which, `gate` something required is missing, `form` and `list` the step's own
 * component, `failed` context.failure is to be shown, `done` the journey has reached its aim.
 */
export type Tag = 'busy' | 'told' | 'gate' | 'form' | 'list' | 'failed' | 'done';

/** For people: one sentence about the state; a gate adds its alert, what it lacks, and what else can be done there. */
export interface Meta {
  description: string;
  alert?: AlertId;
  lacks?: RequirementId;
  /** A way to stay on the page: the type of an event that the gate hears, and what its button says. */
  instead?: { event: string; label: string };
}

/**
 * What a journey starts with: the facts, and what is its own. It begins at its gates; what it reads of its own comes
 * after them.
 */
export type JourneyInput<Own extends object = object> = Own & { facts: Facts };

/** How a journey ends. Pages that show rather than make something are only ever left. */
export type JourneyOutput<Result = unknown> = { type: 'succeeded'; result: Result } | { type: 'cancelled' };

/**
 * What a journey tells while it goes on: what it has done changes the facts, which are to be read again, or
 * `facts.known`: these are the facts now, and nothing else of them has changed.
 */
export type JourneyEmitted = { type: 'facts.changed' } | { type: 'facts.known'; facts: Facts };

/** What every journey's context holds. */
export interface JourneyContext {
  facts: Facts;
  failure: Problem | null;
}

/** What every journey understands: new facts, closing its gate, leaving it, trying again what failed. */
export type JourneyEvent =
  { type: 'facts.arrived'; facts: Facts } | { type: 'alert.close' } | { type: 'form.cancel' } | { type: 'retry' };

/** These events in words, for charts; a transition may say otherwise. */
export const journeyWords: Readonly<Record<string, string>> = {
  'alert.close': press('Close'),
  'facts.arrived': 'The facts arrive',
  'form.cancel': press('Cancel'),
  retry: press('Try again'),
};

/** Whether the user makes an event; all others come from a port, from time or from another machine. */
export const isUsers = (type: string): boolean => !/^(xstate|facts|journey|poll)\./.test(type);

/** Guard: the requirement is not met by the facts. */
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

/** One check for each requirement, in the declared order, then the way in. For a state's `always`. */
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
 * The states in which a journey begins: `checking`, which leads to `passed`, and a gate for each requirement, which opens
 * by itself when new facts have what it lacks. The chart supplies the guard `lacks` and the action `learn`.
 */
export const entrance = <Target extends string>(requires: readonly RequirementId[], passed: Target) => ({
  ...Object.fromEntries(requires.map((need) => [alertOf(need), gateOf(need)])),
  checking: { always: checks(requires, passed) },
});

/** The final state of a journey that was left. */
export const left = {
  type: 'final',
  meta: { description: 'The journey is left' },
  output: { type: 'cancelled' },
} as const;

/** The final state of a journey that has made what is in its context as `result`. */
export const made = (description: string) =>
  ({
    type: 'final',
    tags: ['done'],
    meta: { description },
    output: ({ context }: { context: { result: unknown } }) => ({ type: 'succeeded', result: context.result }),
  }) as const;

/** A journey's output: that of the final state it has reached. */
export const outputOf = ({ event }: { event: { output?: unknown } }): never => event.output as never; // `left` or `made` gave it

/** What a journey's action `learn` assigns: the facts of `facts.arrived`. */
export const learnt = (event: { type: string; facts?: Facts }): { facts: Facts } | object =>
  event.facts ? { facts: event.facts } : {};
