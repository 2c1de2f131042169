import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, InspectionEvent, StateValue } from 'xstate';
import type { FormState } from '#machines/form.ts';
import type { JourneyContext } from '#machines/gate.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { draftOf, dropDraft, keepDraft } from './drafts.ts';
import type { LiveJourney } from './live.ts';

/** What StepHost reads of a journey's context: the common members, those of a form, what came back. */
export const contextOf = (snapshot: AnyMachineSnapshot) =>
  snapshot.context as JourneyContext & Partial<FormState> & { result?: unknown }; // every journey's context extends JourneyContext

/** The outermost state, whichever of its inner ones is active. */
const placeOf = ({ value }: { value: StateValue }): string =>
  typeof value === 'string' ? value : Object.keys(value).join();

const isWorking = ({ children }: { children: object }): boolean => Object.keys(children).length > 0;

/** Gives back what was typed before a reload as soon as a form is open, and forgets it when the journey has ended. */
function useDraft(id: JourneyId, journey: AnyActorRef, snapshot: AnyMachineSnapshot): void {
  const { form, values } = contextOf(snapshot);
  const editable = snapshot.hasTag('form') && !snapshot.hasTag('busy');
  const ended = snapshot.hasTag('done') || snapshot.status === 'done';
  useEffect(() => {
    if (!editable || !form || !values) return;
    for (const draft of draftOf(id, form, values)) journey.send({ type: 'form.change', ...draft });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when a form opens: later the values are the user's
  }, [id, journey, form, editable]);
  useEffect(() => {
    if (ended) dropDraft(id);
  }, [id, ended]);
}

/**
 * Runs a journey's machine for as long as its page is shown. Calls `onWorked` whenever work has ended and the journey
 * is in another state than before, because the facts may be different then; polling in one state does not count.
 */
export function useJourney(id: JourneyId, live: LiveJourney, query: URLSearchParams, onWorked: () => void) {
  const journey = useActorRef(live.machine, {
    input: live.input?.(query),
    inspect: (inspected: InspectionEvent) => {
      if (inspected.type !== '@xstate.event' || inspected.event.type !== 'form.change') return;
      const { field, value } = inspected.event as unknown as { field: string; value: string }; // the event of machines/form.ts
      keepDraft(id, field, value);
    },
  });
  const snapshot: AnyMachineSnapshot = useSelector(journey, (now) => now);
  useDraft(id, journey, snapshot);
  useEffect(() => {
    let before: AnyMachineSnapshot = journey.getSnapshot();
    const subscription = journey.subscribe((now: AnyMachineSnapshot) => {
      if (isWorking(before) && placeOf(now) !== placeOf(before)) onWorked();
      before = now;
    });
    return () => subscription.unsubscribe();
  }, [journey, onWorked]);
  return { journey, snapshot };
}
