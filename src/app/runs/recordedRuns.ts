import type { AnyMachineSnapshot } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#runner/actions.ts';
import { walkOf } from '#runner/record.ts';
import { storedValue } from '../api/storedValue.ts';
import { sessionStore } from '../api/storage.ts';
import { isRuns } from './runStorage.ts';

/** Maximum number of journeys kept. */
const most = 100;

const nothing: readonly Walk[] = [];
/** The journeys done in this tab, in session storage. */
const walked = storedValue('walked', sessionStore, nothing, isRuns);

/** The journeys done in this tab, in order. */
export const useRecordedRuns = walked.use;
export const clearRecordedRuns = (): void => walked.keep(nothing);

/** Records a journey that is being left; one opened again without a change is recorded once. */
export function saveRecordedRun(journey: JourneyId, snapshot: AnyMachineSnapshot): void {
  const walk = walkOf(journey, snapshot);
  if (!walk) return;
  const before = walked.read();
  const isRepeated = snapshot.status !== 'done' && before.some((each) => JSON.stringify(each) === JSON.stringify(walk));
  if (!isRepeated) walked.keep([...before, walk].slice(-most));
}
