import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { AlertId } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { requirement, type RequirementId } from '../requirements.ts';
import { pressLabel, describedGuard } from './describe.ts';
import { activeNodes, type Tag } from './state.ts';

/** What a gate adds to the sentence about its state (`description`): what it requires, or its alert and an alternative. */
export interface Meta {
  /** That sentence with names from the context of the journey, where a gate shows them. */
  describe?: (context: never) => string;
  /** What the journey requires, in the order of its alerts: the first one that is missing is shown. */
  requires?: readonly RequirementId[];
  alert?: AlertId;
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

/** What distinguishes the types of one journey’s chart from those of another. */
interface OwnTypes {
  context: JourneyContext;
  events?: EventObject;
  input?: object;
  result?: unknown;
}

/**
 * The types of a journey's chart: its context, its events besides those of every journey, what its input holds besides
 * the facts, and its result if it has one.
 */
interface JourneyTypes<Own extends OwnTypes> {
  context: Own['context'];
  events: JourneyEvent | Exclude<Own['events'], undefined>;
  input: Own extends { input: infer Input extends object } ? JourneyInput<Input> : JourneyInput;
  output: Own extends { result: infer Result } ? JourneyOutput<Result> : JourneyOutput<never>;
  emitted: JourneyEmitted;
  tags: Tag;
  meta: Meta;
}

/** What `setup` takes as the types of a journey's chart. */
export const journeyTypes = <Own extends OwnTypes>() => ({}) as JourneyTypes<Own>;

/** The members of every journey's context. */
export interface JourneyContext {
  facts: Facts;
  failure: Problem | null;
}

/** The events that every journey handles: new facts, closing its gate, leaving it, retrying after a failure. */
export type JourneyEvent =
  { type: 'facts.arrived'; facts: Facts } | { type: 'alert.close' } | { type: 'form.cancel' } | { type: 'retry' };

/** Default descriptions of these events, for charts; a transition may override them. */
export const journeyEventTexts: Readonly<Record<string, string>> = {
  'alert.close': pressLabel('Back to home'),
  'facts.arrived': 'The facts arrive',
  'form.cancel': pressLabel('Cancel'),
  retry: pressLabel('Try again'),
};

/** The alert of a requirement. Throws if it has none, and therefore cannot block a journey. */
export function alertOf(need: RequirementId): AlertId {
  const { alert } = requirement(need);
  if (!alert) throw new Error(`The requirement ${need} has no alert and cannot block a journey`);
  return alert;
}

/** Guard: the facts do not meet a requirement. */
export const isBlocked = (requires: readonly RequirementId[]) =>
  describedGuard('a requirement is missing', ({ context }: { context: JourneyContext }): boolean =>
    requires.some((need) => !requirement(need).isMet(context.facts)),
  );

/** The transition of new facts, where a journey stores them and stays in its state. */
export const storesFacts = {
  actions: { type: 'assignFacts', params: ({ event }: { event: { facts: Facts } }) => event },
} as const;

/** The state in which a journey checks what it requires, before it goes on to `next`. */
export const checkingState = <const Next extends string>(next: Next) =>
  ({ always: [{ guard: 'isBlocked', target: 'blocked' }, { target: next }] }) as const;

/**
 * The state of a journey that lacks something; which alert it shows follows from the facts (`gateOf`). Closing it ends
 * the journey (behaviour, section 8); new facts are checked again. Throws if a requirement has no alert.
 */
export function blockedState(requires: readonly RequirementId[]) {
  requires.forEach(alertOf);
  return {
    tags: ['gate'],
    description: 'A requirement of the step is missing',
    meta: { requires },
    on: {
      'alert.close': { target: 'cancelled' },
      'facts.arrived': { target: 'checking', ...storesFacts },
    },
  } as const;
}

/** What a gate shows: its alert, the requirement that is missing, its description, and an alternative. */
export interface ShownGate extends Pick<Meta, 'instead'> {
  description: string;
  alert: AlertId;
  missing?: RequirementId;
}

/** What a journey's gate shows; undefined if it is in none. */
export function gateOf(snapshot: AnyMachineSnapshot): ShownGate | undefined {
  if (!snapshot.hasTag('gate')) return undefined;
  const gate = activeNodes(snapshot).find(({ tags }) => tags.includes('gate'));
  const { describe, requires, instead, ...meta } = (gate?.meta ?? {}) as Meta; // what the charts' setup declares
  const description = describe?.(snapshot.context as never) ?? gate?.description ?? ''; // the context of its own chart
  const { facts } = snapshot.context as JourneyContext; // in every journey's context
  const lacks = requires?.find((need) => !requirement(need).isMet(facts));
  const alert = lacks ? alertOf(lacks) : meta.alert;
  return alert && { description, alert, ...(instead && { instead }), ...(lacks && { missing: lacks }) };
}

/** The final state of a cancelled journey. */
export const cancelledState = {
  type: 'final',
  description: 'The journey is left',
  output: { type: 'cancelled' },
} as const;

/** The final state of a successful journey; its result is the context's `result`. */
export const succeededState = (description: string) =>
  ({
    type: 'final',
    tags: ['done'],
    description,
    output: ({ context }: { context: { result: unknown } }) => ({ type: 'succeeded', result: context.result }),
  }) as const;

/** A journey's output is that of its final state. */
export const finalOutput = <Output>({ event }: { event: { output?: unknown } }): Output => event.output as Output; // set by the final state
