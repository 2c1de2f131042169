import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot, InspectionEvent } from 'xstate';
import type { FormState } from '#machines/form.ts';
import type { JourneyContext } from '#machines/gate.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { stateOf } from '#machines/state.ts';
import { draftedChoices, draftOf, dropDraft, keepDraft } from './drafts.ts';
import type { LiveJourney } from './pages.ts';

/** What StepHost reads of a journey's context: the common members, those of a form, what came back. */
export const contextOf = (snapshot: AnyMachineSnapshot) =>
  snapshot.context as JourneyContext & Partial<FormState> & { result?: unknown }; // every journey's context extends JourneyContext

/** The outermost state, whichever of its inner ones is active. */
const placeOf = (snapshot: AnyMachineSnapshot): string => stateOf(snapshot).replace(/\..*/, '');

const isWorking = ({ children }: { children: object }): boolean => Object.keys(children).length > 0;

/** Makes the choices of before a reload that the journey takes now; gives those that wait for their turn. */
function choose(journey: AnyActorRef, choices: readonly AnyEventObject[]): AnyEventObject[] {
  return choices.filter((choice) => {
    const may = (journey.getSnapshot() as AnyMachineSnapshot).can(choice); // of an actor of some machine
    if (may) journey.send(choice);
    return !may;
  });
}

/**
 * Gives back what was chosen and typed before a reload as soon as a form is open, and forgets it when the journey has
 * ended. Choices are given back once: later they are the user's.
 */
function useDraft(id: JourneyId, journey: AnyActorRef, snapshot: AnyMachineSnapshot): void {
  const waiting = useRef<AnyEventObject[]>(null);
  const { form } = contextOf(snapshot);
  const editable = snapshot.hasTag('form') && !snapshot.hasTag('busy');
  // What was sent is no draft, even though its answer is still awaited.
  const ended = snapshot.hasTag('done') || snapshot.hasTag('told') || snapshot.status === 'done';
  useEffect(() => {
    if (!editable) return;
    waiting.current = choose(journey, waiting.current ?? draftedChoices(id));
    const now = contextOf(journey.getSnapshot() as AnyMachineSnapshot); // of an actor of some machine
    if (!now.form || !now.values) return;
    for (const draft of draftOf(id, now.form, now.values)) journey.send({ type: 'form.change', ...draft });
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
    ...(live.clock && { clock: live.clock }),
    inspect: (inspected: InspectionEvent) => {
      if (inspected.type === '@xstate.event') keepDraft(id, inspected.event);
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
