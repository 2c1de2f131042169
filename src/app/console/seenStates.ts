import type { FailureCode } from '#contract/problem.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { isListOf, isObjectOf, isTableOf, isText, storedValue } from '../api/storedValue.ts';
import { localStore } from '../api/storage.ts';

/** What the user of this browser has seen: states of each journey, by dotted names, and failures by codes. */
export interface SeenStates {
  states: Partial<Record<JourneyId, readonly string[]>>;
  failures: readonly FailureCode[];
}

const none: SeenStates = { states: {}, failures: [] };
const isMet = isObjectOf({ states: isTableOf(isListOf(isText)), failures: isListOf(isText) });
const kept = storedValue('met', localStore, none, isMet);

export const useSeenStates = kept.use;
export const clearSeenStates = (): void => kept.keep(none);

/** Records that a journey was in a state, and the failure shown there, if any. */
export function recordSeenState(journey: JourneyId, state: string, failure: FailureCode | null): void {
  const { states, failures } = kept.read();
  const before = states[journey] ?? [];
  const isNew = !before.includes(state);
  const fails = failure !== null && !failures.includes(failure);
  if (!isNew && !fails) return;
  kept.keep({
    states: isNew ? { ...states, [journey]: [...before, state] } : states,
    failures: fails ? [...failures, failure] : failures,
  });
}
