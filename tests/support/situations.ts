import { isDeepStrictEqual } from 'node:util';
import type { AnyMachineSnapshot } from 'xstate';
import type { JourneyContext, JourneyEvent } from '#machines/lib/gate.ts';
import type { Tag } from '#machines/lib/state.ts';
import { hasTag, stateOf, type Invoking } from '#machines/lib/state.ts';
import { failure } from './fixtures.ts';
import { advance, begin } from './invoked.ts';
import { answerIn, causeOf, isInterim, type Answered, type Model, type Path } from './paths.ts';

/** A situation on a path, with the situation before it and the event between them. */
interface Change {
  event: Answered;
  before: AnyMachineSnapshot;
  after: AnyMachineSnapshot;
  /** Whether the event caused actions, in addition to changes of the situation. */
  acted: boolean;
}

/** The changes along a path. Replays the path, because generated paths share the snapshots of their situations. */
function changesOn({ machine }: Model, { input, steps }: Path): Change[] {
  let before = begin(machine, input);
  return steps.map(({ event }) => {
    const { snapshot: after, acted } = advance(machine, before, event);
    const change = { event, before, after, acted };
    before = after;
    return change;
  });
}

const drawnTags: ReadonlySet<string> = new Set<Tag>([
  'busy',
  'told',
  'open',
  'gate',
  'form',
  'list',
  'failed',
  'sent',
  'done',
]);
const placeOf = (at: AnyMachineSnapshot): string => `${at.machine.id} ${JSON.stringify(stateOf(at))}`;
const contextOf = ({ context }: AnyMachineSnapshot) => context as JourneyContext; // what every journey's context holds

/** Why the page could not render a situation; see Tag. */
function undrawn(situation: AnyMachineSnapshot): string[] {
  const at = placeOf(situation);
  const context = contextOf(situation);
  return [
    ...[...situation.tags].flatMap((tag) => (drawnTags.has(tag) ? [] : `${at} has the tag "${tag}" that nobody draws`)),
    ...(situation.status === 'active' && situation.tags.size === 0 ? [`${at} is not drawn`] : []),
    ...(hasTag(situation, 'failed') && !context.failure ? [`${at} failed and does not say why`] : []),
    ...(context.facts === undefined || context.failure === undefined ? [`${at} knows no facts or no failure`] : []),
    ...Object.entries(context).flatMap(([name, value]) => (value === undefined ? `${at} has lost its ${name}` : [])),
  ];
}

/** Faults in showing a port's failure: it must be shown, and cleared when the user continues. */
function untold({ event, before, after }: Change): string[] {
  const { cause, of } = causeOf(after.machine, event);
  const told = hasTag(after, 'failed') && contextOf(after).failure === failure;
  return [
    ...(cause === 'failure' && !told ? [`${placeOf(before)} does not tell that ${of} failed`] : []),
    ...(cause === 'user' && hasTag(after, 'busy') && contextOf(after).failure
      ? [`${placeOf(after)} still tells what had failed before ${of}`]
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
 * All faults of the situations on a journey's paths: what a page could not render, does not show or does not store, and
 * where it would hang.
 */
export function situationFaults(model: Model, paths: readonly Path[]): string[] {
  const changes = paths.flatMap((path) => changesOn(model, path));
  const situations = [...paths.map(({ start }) => start), ...changes.map(({ after }) => after)];
  return [
    ...new Set([
      ...situations.flatMap(undrawn),
      ...changes.flatMap(untold),
      ...changes.flatMap(stuck),
      ...dropped(changes),
    ]),
  ];
}
