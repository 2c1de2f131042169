import type { SnapshotFrom } from 'xstate';
import type { consoleMachine } from './console.machine.ts';
import type { Made } from '#contract/facts.ts';
import { journeyOf, madeBy } from './journeys.ts';

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
