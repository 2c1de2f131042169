import { isDeepStrictEqual } from 'node:util';
import type { AnyMachineSnapshot } from 'xstate';
import { effectsOf } from '#machines/lib/effect.ts';
import type { FormState } from '#machines/lib/form.ts';
import { isUsers } from '../../scripts/charts/origins.ts';
import type { JourneyContext, JourneyEvent } from '#machines/lib/gate.ts';
import { hasTag, stateOf, type Invoking } from '#machines/lib/state.ts';
import { failure } from './fixtures.ts';
import { advance, begin, type Advanced, type Asked } from './invoked.ts';
import { answerIn, causeOf, eventsOf, isInterim, type Answered, type Model, type Path } from './paths.ts';

/** A situation on a path, with the situation before it and the event between them. */
interface Change extends Omit<Advanced, 'snapshot'> {
  event: Answered;
  /** The event in words. */
  name: string;
  before: AnyMachineSnapshot;
  after: AnyMachineSnapshot;
}

/** What happens on some paths: where they begin, and each change, once for all paths that begin alike. */
export interface Happening {
  beginnings: Advanced[];
  changes: Change[];
}

/** Walks the paths again, because generated paths share the snapshots of their situations. */
export function happeningOn({ machine }: Model, paths: readonly Path[]): Happening {
  const begun = new Map<string, Advanced>();
  const known = new Map<string, Change>();
  for (const { input, facts, steps } of paths) {
    let line = JSON.stringify([facts, input]);
    const beginning = begun.get(line) ?? begin(machine, input);
    begun.set(line, beginning);
    let before = beginning.snapshot;
    for (const { event, name } of steps) {
      line += `\n${name}`;
      const change = known.get(line) ?? { event, name, before, ...changed(advance(machine, before, event)) };
      known.set(line, change);
      before = change.after;
    }
  }
  return { beginnings: [...begun.values()], changes: [...known.values()] };
}

const changed = ({ snapshot: after, ...caused }: Advanced) => ({ after, ...caused });

const placeOf = (at: AnyMachineSnapshot): string => `${at.machine.id} ${JSON.stringify(stateOf(at))}`;
const contextOf = ({ context }: AnyMachineSnapshot) => context as JourneyContext; // what every journey's context holds

/** What a situation lacks that the page reads. */
function lacking(situation: AnyMachineSnapshot): string[] {
  const at = placeOf(situation);
  const context = contextOf(situation);
  return [
    ...(hasTag(situation, 'failed') && !context.failure ? [`${at} failed and does not say why`] : []),
    ...(context.facts === undefined || context.failure === undefined ? [`${at} knows no facts or no failure`] : []),
    ...Object.entries(context).flatMap(([name, value]) => (value === undefined ? `${at} has lost its ${name}` : [])),
  ];
}

/** Faults in showing a port's failure: it must be shown, and cleared when the user continues or it is tried again. */
function untold({ event, before, after, moments, asked }: Change): string[] {
  const { cause, of } = causeOf(after.machine, event);
  const told = hasTag(after, 'failed') && contextOf(after).failure === failure;
  // A poll asks in the background.
  const asks = asked.some(({ effect }) => effectsOf(after.machine)[effect]?.declared.polls === false);
  return [
    ...(cause === 'failure' && !told ? [`${placeOf(before)} does not tell that ${of} failed`] : []),
    ...(hasTag(after, 'busy') && contextOf(after).failure
      ? [`${placeOf(after)} still tells what had failed before ${of}`]
      : []),
    ...(cause === 'user' && asks && moments.some((moment) => contextOf(moment).failure)
      ? [`${placeOf(after)} tells for a moment what had failed before ${of}`]
      : []),
  ];
}

/** What a journey knows, with what the machine knows that it invokes. */
function remembered(situation: AnyMachineSnapshot): object {
  const { invoked, ...context } = contextOf(situation) as JourneyContext & Partial<Invoking>;
  return { ...context, failure: null, invoked: (invoked?.context as object | undefined) ?? null };
}

/** Ports whose answers change nothing. */
function dropped(changes: readonly Change[]): string[] {
  const answers = changes.filter(
    ({ event, after }) =>
      causeOf(after.machine, event).cause === 'answer' && (answerIn(event) ?? undefined) !== undefined,
  );
  const nameOf = ({ event, before }: Change) =>
    `${placeOf(before)} does not keep what ${causeOf(before.machine, event).of} answers`;
  const kept = answers.filter(({ before, after }) => !isDeepStrictEqual(remembered(before), remembered(after)));
  const names = new Set(kept.map(nameOf));
  return answers.map(nameOf).filter((name) => !names.has(name));
}

/** User's events that must have an effect where the chart takes them: those common to all journeys. */
const leading: ReadonlySet<string> = new Set<JourneyEvent['type']>(['alert.close', 'form.cancel', 'retry']);

/** Events without an effect. A poll may repeat a known answer. */
const stuck = ({ event, before, after, acted }: Change): string[] =>
  !isInterim(event) &&
  (causeOf(after.machine, event).cause !== 'user' || (leading.has(event.type) && before.can(event))) &&
  !acted &&
  placeOf(before) === placeOf(after)
    ? [`${placeOf(before)} stays as it is by ${event.type}`]
    : [];

/**
 * All faults of the situations on a journey's paths: what a page lacks, does not show or does not store, and
 * where it would hang.
 */
export function situationFaults({ beginnings, changes }: Happening): string[] {
  const situations = [...beginnings.map(({ snapshot }) => snapshot), ...changes.map(({ after }) => after)];
  return [
    ...new Set([
      ...situations.flatMap(lacking),
      ...changes.flatMap(untold),
      ...changes.flatMap(stuck),
      ...dropped(changes),
    ]),
  ];
}

/** The facts and answers of a model, and the members of its answers that are lists, by their names. */
const namesOf = ({ facts, answers }: Model): Map<unknown, string> =>
  new Map(
    [facts, ...Object.values(answers)]
      .flatMap((each) => Object.entries(each as object) as [string, unknown][])
      .flatMap(([name, value]) =>
        [value, ...(Array.isArray(value) ? (value as unknown[]) : [])].map((of) => [of, name] as const),
      )
      .filter(([of]) => typeof of === 'object'),
  );

/** A value in one line; what the model names by that name. */
const written = (names: ReadonlyMap<unknown, string>, value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => names.get(each) ?? each);

const causeIn = ({ machine }: Model, { event, name }: Change): string => {
  const { cause, of } = causeOf(machine, event);
  return cause === 'answer' ? `${of} answers` : name;
};

/** Names that each of some lists has, and in brackets those that only some have. */
function inAll(lists: readonly (readonly string[])[]): string {
  const names = [...new Set(lists.flat())].toSorted();
  return names.map((name) => (lists.every((list) => list.includes(name)) ? name : `(${name})`)).join(' ');
}

/** The tags of each state, its failures and errors, and what the user can do there: a line for each. In brackets: at times. */
function offeredIn(model: Model, situations: readonly AnyMachineSnapshot[]): string[] {
  const states = new Map<string, AnyMachineSnapshot[]>();
  for (const snapshot of situations.filter(({ status }) => status === 'active'))
    states.set(stateOf(snapshot), [...(states.get(stateOf(snapshot)) ?? []), snapshot]);
  const shown = ({ context, tags }: AnyMachineSnapshot) => {
    const { failure: why, errors = [] } = context as Partial<JourneyContext & FormState>; // of those that have them
    return [...tags, ...(why ? ['with failure'] : []), ...(errors.length > 0 ? ['with errors'] : [])];
  };
  const possible = (snapshot: AnyMachineSnapshot) =>
    eventsOf(model, snapshot).flatMap((event) =>
      isUsers(model.machine, event.type) && snapshot.can(event) ? event.type : [],
    );
  return [...states].map(([state, all]) =>
    [`in ${state}:`, inAll(all.map(shown)), 'can', inAll(all.map(possible))].filter(Boolean).join(' '),
  );
}

/**
 * What a machine asks of the console, tells it and offers the user: a line for each effect that an event runs, with its
 * input, for each event that it emits, and for each state. Each once.
 */
export function askedIn(model: Model, { beginnings, changes }: Happening): string[] {
  const names = namesOf(model);
  const lineOf = ({ effect, input }: Asked) => `${effect} ${written(names, input)}`;
  return [
    ...new Set([
      ...beginnings.flatMap(({ asked }) => asked.map((each) => `at the start: ${lineOf(each)}`)),
      ...changes.flatMap((change) => change.asked.map((each) => `${causeIn(model, change)}: ${lineOf(each)}`)),
      ...changes.flatMap(({ name, emitted }) => emitted.map((type) => `${name}: tells ${type}`)),
      ...offeredIn(model, [...beginnings.map(({ snapshot }) => snapshot), ...changes.map(({ after }) => after)]),
    ]),
  ];
}
