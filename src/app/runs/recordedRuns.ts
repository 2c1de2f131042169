import { useMemo } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { JourneyContext } from '#machines/lib/gate.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#runner/actions.ts';
import { walkOf } from '#runner/record.ts';
import { currentScope } from '../api/companyOfTab.ts';
import { isListOf, isObjectOf, isText, storedValue } from '../api/storedValue.ts';
import { sessionStore } from '../api/storage.ts';
import { isRehearsing, isRun } from './runStorage.ts';

/** Maximum number of journeys kept. */
const most = 100;

/** A journey that the user did, and the scope of the company in which it was done. */
interface Recorded {
  scope: string;
  walk: Walk;
}

const nothing: readonly Recorded[] = [];
/** The journeys done in this tab, in session storage. */
const recorded = storedValue('walked', sessionStore, nothing, isListOf(isObjectOf({ scope: isText, walk: isRun })));

/** The journeys that the user did in this tab in the company with this scope, in order. */
export function useRecordedRuns(scope: string): readonly Walk[] {
  const all = recorded.use();
  return useMemo(() => all.flatMap((each) => (each.scope === scope ? [each.walk] : [])), [all, scope]);
}

/** Forgets the journeys of the company with this scope. */
export function clearRecordedRuns(scope: string): void {
  const others = recorded.read().filter((each) => each.scope !== scope);
  recorded.keep(others.length === 0 ? nothing : others);
}

/** The journeys after which another company is current: they belong to the company that they have created. */
const creating: readonly JourneyId[] = ['organisation', 'company'];

/**
 * Records a journey that is being left; one opened again without a change is recorded once. A rehearsal is none of the
 * user's journeys.
 */
export function saveRecordedRun(journey: JourneyId, snapshot: AnyMachineSnapshot): void {
  const walk = isRehearsing() ? null : walkOf(journey, snapshot);
  if (!walk) return;
  const { facts } = snapshot.context as JourneyContext; // any journey's
  const scope = creating.includes(journey) ? currentScope() || facts.scope : facts.scope;
  const before = recorded.read();
  const text = JSON.stringify({ scope, walk });
  const isRepeated = snapshot.status !== 'done' && before.some((each) => JSON.stringify(each) === text);
  if (!isRepeated) recorded.keep([...before, { scope, walk }].slice(-most));
}
