import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { journeyAt, type JourneyId } from '#machines/journeys.ts';
import { wizardMachine, type Opening } from '#machines/wizard.machine.ts';

/** How the address says that a page was opened; `then` counts only if there is a journey. */
export function openingOf(journey: JourneyId, query: URLSearchParams): Opening {
  const then = query.get('then') ?? '';
  const [path = ''] = then.split('?');
  return {
    journey,
    guided: query.get('guided') === 'true',
    back: journeyAt(path) ? (then as `/${string}`) : null, // a journey's path starts with a slash
  };
}

/**
 * Runs the wizard of one page: tells it the facts and the journey's end, goes where it says. The page it goes to
 * learns from the router's state what was done.
 */
export function useWizard(
  opening: Opening,
  { facts, done, closed }: { facts: Facts | null; done: boolean; closed: boolean },
) {
  const wizard = useActorRef(wizardMachine, { input: opening });
  const snapshot = useSelector(wizard, (now) => now);
  const navigate = useNavigate();
  const { destination } = snapshot.context;
  useEffect(() => {
    // Facts are read once more when the wizard has already said where to go.
    if (facts && wizard.getSnapshot().status === 'active') wizard.send({ type: 'facts.arrived', facts });
  }, [wizard, facts]);
  useEffect(() => {
    if (done) wizard.send({ type: 'journey.done' });
  }, [wizard, done]);
  useEffect(() => {
    if (closed) wizard.send({ type: 'journey.closed' });
  }, [wizard, closed]);
  useEffect(() => {
    if (destination !== null) void navigate(destination, done ? { state: { done: opening.journey } } : {});
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each destination; the rest is fixed by then
  }, [destination]);
  return { wizard, snapshot };
}
