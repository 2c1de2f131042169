import type { SnapshotFrom } from 'xstate';
import type { consoleMachine } from './console.machine.ts';
import type { Made } from '#contract/facts.ts';
import { journeyAt, journeyOf, madeBy, nameOf, nextJourney, rowAfter, type JourneyId } from './journeys.ts';

type ConsoleSnapshot = SnapshotFrom<typeof consoleMachine>;

/** Whether another tab or a program has created what the open form was to create. */
export const isMadeMeanwhile = (snapshot: ConsoleSnapshot): boolean => snapshot.matches({ result: 'meanwhile' });

/** Whether an earlier result of the step is shown instead of the step. */
export const showsEarlier = (snapshot: ConsoleSnapshot): boolean =>
  snapshot.matches({ result: 'earlier' }) || isMadeMeanwhile(snapshot);

/** The record that the page shows in place of the step, its earlier or its own one; undefined while it shows the step. */
export function shownRecord(snapshot: ConsoleSnapshot): Made | undefined {
  const { opening, facts } = snapshot.context;
  const isShown = showsEarlier(snapshot) || snapshot.matches({ result: 'own' });
  return isShown && opening && facts ? madeBy(opening.journey, facts) : undefined;
}

/**
 * Whether the page offers what follows a step that is done: not beside a repeatable step that the user has still to do,
 * because the offer belongs to the earlier result. The way back to the page before is always offered.
 */
export function offersOnward(snapshot: ConsoleSnapshot): boolean {
  const { opening, step, made } = snapshot.context;
  const repeats = opening !== null && journeyOf(opening.journey).another !== undefined;
  const isOpen = step !== null && made === null;
  return !repeats || !isOpen || showsEarlier(snapshot) || snapshot.matches({ page: 'returning' });
}

/**
 * The label of the button that leads on once the step is done: back to the page with the missing requirement, or to the
 * next step; '' if none is offered, or if the journey's own button leads on.
 */
export function onwardLabel(snapshot: ConsoleSnapshot): string {
  const { opening, next } = snapshot.context;
  if (opening === null || !offersOnward(snapshot)) return '';
  const blocked = journeyAt(opening.back?.split('?')[0] ?? '');
  if (snapshot.matches({ page: 'returning' })) return `Back to ${blocked ? nameOf(blocked) : 'the page before'}`;
  // The journey is its own next step while it has not yet provided everything that the path needs.
  const leadsOn = snapshot.matches({ page: 'offering' }) && journeyOf(opening.journey).continues !== true;
  return leadsOn && next !== null && next !== opening.journey ? `Next: ${nameOf(next)}` : '';
}

/** The journey to which an earlier result leads that was opened without the path, so that nothing is offered; null for none. */
export function leadsTo(snapshot: ConsoleSnapshot): JourneyId | null {
  const { opening, facts } = snapshot.context;
  if (!opening || !facts || opening.guided || !showsEarlier(snapshot) || onwardLabel(snapshot) !== '') return null;
  return nextJourney(facts) ?? rowAfter(opening.journey, facts) ?? null;
}
