import {
  __unsafe_getAllOwnEventDescriptors as ownEventDescriptors,
  type ActorLogic,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ContextFrom,
  type EventFrom,
  type EventObject,
  type InputFrom,
  type MachineImplementationsFrom,
} from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { alerts } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import { isIgnored } from '../../scripts/charts/chartOf.ts';
import { gateOf } from '#machines/lib/gate.ts';
import { effectsOf, type Effect } from '#machines/lib/effect.ts';
import { originOf, typesOf, type Origin } from '../../scripts/charts/origins.ts';
import { activeNodes, descriptionOf, invokedIn, stateOf } from '#machines/lib/state.ts';
import { failure } from './fixtures.ts';
import { advance, begin, runningEffects } from './invoked.ts';

type ActorsOf<M extends AnyStateMachine> = MachineImplementationsFrom<M>['actors'];

/** The possible answers of each effect of a machine, by name; a failure is always tried as well. */
type OwnAnswers<M extends AnyStateMachine> = {
  [
    Name in keyof ActorsOf<M> as NonNullable<ActorsOf<M>[Name]> extends Effect<infer _I, infer _O> ? Name : never
  ]-?: NonNullable<ActorsOf<M>[Name]> extends Effect<infer _I, infer O> ? Readonly<Record<string, O>> : never;
};

/** The same of the machines that it invokes. */
type InvokedAnswers<M extends AnyStateMachine> = {
  [Name in keyof ActorsOf<M>]-?: NonNullable<ActorsOf<M>[Name]> extends Effect<infer _I, infer _O>
    ? never
    : NonNullable<ActorsOf<M>[Name]> extends AnyStateMachine
      ? OwnAnswers<NonNullable<ActorsOf<M>[Name]>>
      : never;
}[keyof ActorsOf<M>];

type All<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer Both) => void ? Both : never;

type Answers<M extends AnyStateMachine> = OwnAnswers<M> &
  ([InvokedAnswers<M>] extends [never] ? object : All<InvokedAnswers<M>>);

/** Payloads of events, tried in every state that handles the event; events without payloads need no entry. */
type Payloads<M extends AnyStateMachine> = {
  [E in Exclude<EventFrom<M>, { type: 'facts.arrived' }> as keyof Omit<E, 'type'> extends never ? never : E['type']]: (
    context: ContextFrom<M>,
  ) => readonly Omit<E, 'type'>[];
};

interface TypedModel<M extends AnyStateMachine> {
  /** Named facts with which a journey starts, and which arrive while it is in a gate. */
  facts?: Readonly<Record<string, Facts>>;
  /** Inputs besides the facts with which the machine starts, if it has any. */
  inputs?: readonly Omit<InputFrom<M>, 'facts'>[];
  answers: Answers<M>;
  /** Whether an answer is tried in a context; by default every answer is tried whenever its port is called. */
  tries?: (context: ContextFrom<M>, answer: string) => boolean;
  events: Payloads<M>;
  /** What the guards read besides the state; situations that differ in it are explored separately. */
  reads?: (context: ContextFrom<M>) => unknown;
  /** Whether the machine fails with its port, and so its invoker receives the error. */
  fails?: boolean;
  /** Why facts that arrive do not replace those with which the machine started; by default they do in each state. */
  keepsFacts?: string;
}

/** A machine with everything needed to walk it, without its types. */
export interface Model {
  machine: AnyStateMachine;
  facts: Readonly<Record<string, Facts>>;
  inputs: readonly unknown[];
  answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  tries: (context: unknown, answer: string) => boolean;
  events: Readonly<Record<string, (context: unknown) => readonly object[]>>;
  reads: (context: unknown) => unknown;
  fails: boolean;
  keepsFacts: string;
}

/** The model of a machine. Curried, so that the first call fixes the types of the second. */
export const modelOf =
  <M extends AnyStateMachine>(machine: M) =>
  (model: TypedModel<M>): Model =>
    ({
      machine,
      facts: {},
      inputs: [undefined],
      tries: () => true,
      reads: () => null,
      fails: false,
      keepsFacts: '',
      ...model,
    }) as unknown as Model; // checked above, walked without types

export interface Step {
  event: EventObject;
  /** The event in words. */
  name: string;
  snapshot: AnyMachineSnapshot;
}

/** One path through a machine from `start`; each step has the resulting snapshot. */
export interface Path {
  name: string;
  /** The name of the facts with which the journey starts; '' for none. */
  facts: string;
  input: unknown;
  start: AnyMachineSnapshot;
  steps: readonly Step[];
}

/** A step as returned by xstate/graph. */
interface Taken {
  event: EventObject;
  state: AnyMachineSnapshot;
}

type Cause = Omit<Origin, 'cause'> & { cause: Origin['cause'] | 'user' };

/** The cause of an event: a port by name (also for what a poll tells), a delay by name, or the user. */
export const causeOf = (machine: AnyStateMachine, { type }: EventObject): Cause =>
  originOf(machine, type) ?? { cause: 'user', of: type };

/** Whether the event reports that a poll's patience is exceeded, with or without an answer. */
export const isOverdue = (event: Answered): boolean => event.snapshot?.context.overdue === true;

/** The event of a port's answer, or of a poll's snapshot. */
export type Answered = EventObject & {
  output?: unknown;
  snapshot?: { context: { answer: unknown; overdue: boolean } };
};

/** Whether a poll continues after the event. */
export const isInterim = ({ snapshot }: Answered): boolean => snapshot !== undefined;

/** What an effect has answered by the event. */
export const answerIn = ({ snapshot, output }: Answered): unknown => (snapshot ? snapshot.context.answer : output);

const tells = (port: string, answer: unknown, overdue: boolean): Answered => ({
  type: typesOf(port).told,
  snapshot: { context: { answer, overdue, times: answer === null ? 0 : 1 } as { answer: unknown; overdue: boolean } },
});

/** The events from a port's answers. A poll tells each in a snapshot, and when its patience is exceeded. */
function answersOf({ machine, answers, tries }: Model, port: string, context: unknown): EventObject[] {
  const tried = Object.entries(answers[port] ?? {}).filter(([name]) => tries(context, name));
  if (tried.length === 0) throw new Error(`The model has no answer for the port ${port}`);
  if (effectsOf(machine)[port]?.declared.polls)
    return [...tried.map(([, output]) => tells(port, output, false)), tells(port, null, true)];
  return tried.map(([, output]) => ({ type: typesOf(port).done, output, actorId: port }));
}

/**
 * The facts that arrive in a snapshot. In a gate these are the first ones, which may lead to another gate, and the last
 * ones, which open it; elsewhere the last ones, which the journey only stores. Each gate is reached from some of the
 * facts with which a journey starts.
 */
function arrivalsIn({ facts }: Model, snapshot: AnyMachineSnapshot): { facts: Facts }[] {
  const all = Object.values(facts).map((each) => ({ facts: each }));
  return snapshot.hasTag('gate') && all.length > 1 ? [...all.slice(0, 1), ...all.slice(-1)] : all.slice(-1);
}

/** All events possible in a snapshot: ports answer and fail, delays pass, the user causes every handled event. */
export function eventsOf(model: Model, snapshot: AnyMachineSnapshot): EventObject[] {
  if (snapshot.status !== 'active') return [];
  const ports = runningEffects(snapshot);
  const delays = (ownEventDescriptors(invokedIn(snapshot) ?? snapshot) as string[]).filter(
    (type) => originOf(model.machine, type)?.cause === 'time',
  );
  const innermost = activeNodes(snapshot).toSorted((a, b) => b.path.length - a.path.length);
  const ignores = (type: string) =>
    innermost
      .find(({ transitions }) => transitions.has(type))
      ?.transitions.get(type)
      ?.every(isIgnored);
  const heard = (ownEventDescriptors(snapshot) as string[]).filter(
    (type) => !originOf(model.machine, type) && !ignores(type),
  );
  const payloads = (type: string) =>
    type === 'facts.arrived' ? arrivalsIn(model, snapshot) : (model.events[type]?.(snapshot.context) ?? [{}]);
  return [
    ...ports.flatMap((port) => [
      ...answersOf(model, port, snapshot.context),
      { type: typesOf(port).failed, error: failure, actorId: port },
    ]),
    ...[...delays, ...heard].flatMap((type) => payloads(type).map((payload) => ({ type, ...payload }))),
  ];
}

const factsName = ({ facts }: Model, given: unknown): string =>
  Object.entries(facts).find(([, each]) => each === given)?.[0] ?? '';

function nameOf(model: Model, event: Answered & { facts?: unknown }): string {
  const { cause, of } = causeOf(model.machine, event);
  if (isOverdue(event)) return `${of} gives nothing for long`;
  if (cause === 'failure') return `${of} fails`;
  if (cause === 'time') return `${of} passes`;
  if (cause === 'answer') {
    const [name] = Object.entries(model.answers[of] ?? {}).find(([, each]) => each === answerIn(event)) ?? [];
    return `${of} gives ${name}`;
  }
  if (of === 'facts.arrived') return `facts arrive with ${factsName(model, event.facts)}`;
  const payload = Object.entries(event).flatMap(([key, value]) => (key === 'type' ? [] : JSON.stringify(value)));
  return [of, ...payload].join(' ');
}

/** A state in a sentence: a gate's alert, otherwise the description. */
export function sentenceOf(snapshot: AnyMachineSnapshot): string {
  const gate = gateOf(snapshot);
  return gate ? alerts[gate.alert] : descriptionOf(snapshot) || JSON.stringify(snapshot.value);
}

/** Removes paths that are a prefix of a longer one. */
function longest(paths: readonly Path[]): Path[] {
  const begun = new Set<string>();
  return [...paths]
    .sort((a, b) => b.steps.length - a.steps.length)
    .filter(({ input, steps }) => {
      let line = JSON.stringify(input);
      const lines = [line, ...steps.map(({ name }) => (line += `\n${name}`))];
      const isNew = !begun.has(line);
      for (const each of lines) begun.add(each);
      return isNew;
    });
}

/** The state and whatever the guards read; in a gate also its alert, so that each alert is visited. */
const situationOf = ({ reads }: Model, snapshot: AnyMachineSnapshot): string =>
  JSON.stringify([stateOf(snapshot), gateOf(snapshot)?.alert, reads(snapshot.context)]);

/** A path with the name that follows from where it begins, what happens on it and where it ends. */
export function named({ facts, input, start, steps }: Omit<Path, 'name'>): Path {
  const happened = [...(facts ? [`opening with ${facts}`] : []), ...steps.map(({ name }) => name)].join(', ');
  return { name: `${sentenceOf(steps.at(-1)?.snapshot ?? start)} after ${happened}`, facts, input, start, steps };
}

function pathOf(model: Model, input: unknown, start: AnyMachineSnapshot, taken: readonly Taken[]): Path {
  const steps = taken.map(({ event, state }) => ({ event, name: nameOf(model, event), snapshot: state }));
  return named({ facts: factsName(model, (input as { facts?: unknown } | undefined)?.facts), input, start, steps });
}

/** A machine with the machines that it invokes, as one. */
const composed = (machine: AnyStateMachine): ActorLogic<AnyMachineSnapshot, EventObject, unknown> => ({
  transition: (snapshot, event) => advance(machine, snapshot, event).snapshot,
  getInitialSnapshot: (_, input) => begin(machine, input).snapshot,
  getPersistedSnapshot: (snapshot) => snapshot,
});

/** A machine's inputs: for each input of its own, the facts with which a journey starts, most complete first. */
function inputsOf({ facts, inputs }: Model): unknown[][] {
  const given = Object.values(facts).toReversed();
  if (given.length === 0) return inputs.map((own) => [own]);
  return inputs.map((own) => given.map((each) => ({ ...(own as object | undefined), facts: each })));
}

/**
 * The shortest paths through a machine that take every event in every situation. A situation is the state and whatever
 * the guards read. Situations explored from more complete facts are not explored again from others: a path ends there.
 * Throws if the model has no answer for a port that is called.
 */
export function pathsThrough(model: Model): Path[] {
  const pathsFrom = (input: unknown, explored: Set<string>): Path[] => {
    const before = new Set(explored);
    return getShortestPaths(composed(model.machine), {
      input,
      events: (snapshot) => {
        const situation = situationOf(model, snapshot);
        explored.add(situation);
        return before.has(situation) ? [] : eventsOf(model, snapshot);
      },
      // The key includes the event; otherwise one transition into a situation would stand for all of them.
      serializeState: (snapshot, event, from) =>
        `${situationOf(model, snapshot)} by ${event && nameOf(model, event)} from ${from && situationOf(model, from)}`,
      serializeEvent: (event) => nameOf(model, event),
      limit: 20_000, // a chart whose context grows for ever is an error, not an exhausted heap
    }).map(
      ({ steps: [start, ...steps] }) => pathOf(model, input, (start as { state: AnyMachineSnapshot }).state, steps), // a path has at least its start
    );
  };
  return longest(
    inputsOf(model).flatMap((alike) => {
      const explored = new Set<string>();
      return alike.flatMap((input) => pathsFrom(input, explored));
    }),
  );
}

/**
 * The simple paths through a machine, which visit no situation twice, of at most `length` steps. Replaces
 * `getSimplePaths` of xstate/graph, which has no limit: a payment has millions of simple paths.
 */
export function simplePathsThrough(model: Model, length: number): Path[] {
  return inputsOf(model)
    .flat()
    .flatMap((input) => {
      const start = begin(model.machine, input).snapshot;
      const found: Path[] = [];
      const walk = (taken: readonly Taken[], visited: readonly string[]) => {
        const here = taken.at(-1)?.state ?? start;
        const onward =
          taken.length < length
            ? eventsOf(model, here)
                .map((event) => ({ event, state: advance(model.machine, here, event).snapshot }))
                .filter(({ state }) => !visited.includes(situationOf(model, state)))
            : [];
        if (onward.length === 0) found.push(pathOf(model, input, start, taken));
        for (const next of onward) walk([...taken, next], [...visited, situationOf(model, next.state)]);
      };
      walk([], [situationOf(model, start)]);
      return found;
    });
}
