import type { SnapshotFrom } from 'xstate';
import type { consoleMachine } from './console.machine.ts';
import { journeyOf } from './journeys.ts';

type ConsoleSnapshot = SnapshotFrom<typeof consoleMachine>;

/** Whether the earlier result of the step is shown instead of the step. */
export const showsEarlier = (snapshot: ConsoleSnapshot): boolean => snapshot.matches({ earlier: 'shown' });

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
