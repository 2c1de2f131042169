import { createActorContext } from '@xstate/react';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ActorOptions, AnyStateMachine, InspectionEvent } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleEvent } from '#machines/console.ts';
import { loadFacts } from '../effects/facts.ts';
import { consoleLogic, placeIn, type ConsoleActor, type ConsoleEffects } from './consoleActor.ts';
import { importWithRetry } from '../client/importWithRetry.ts';
import { locationAt } from './journeyLocation.ts';
import { repeatFacts } from './onceBack.ts';
import { setStepName, setSwitchListener } from '../client/companyOfTab.ts';
import { isBatchEnd } from '#contract/status.ts';
import { hearOtherTabs } from '../client/otherTabs.ts';
import { subscribeToRecord } from '../client/recordEvents.ts';

/**
 * The ids of what the facts show and a webhook may change: payments with an unknown outcome, the last batch, the current
 * subscription.
 */
const awaitedIn = ({ pendingPayments, settings, batchStatus, subscription }: Facts): string[] => [
  ...pendingPayments.flatMap(({ key, settled }) => (settled ? [] : key)),
  ...(settings.batchId === '' || isBatchEnd(batchStatus) ? [] : [settings.batchId]),
  ...(subscription ? [subscription.subscriptionId] : []),
];

/** Reads the facts again when a webhook has changed what they show, or another tab something. */
export function useFactsUpdates(): void {
  const send = useSend();
  const ids = useConsole(({ context }) => (context.facts ? awaitedIn(context.facts).join(' ') : ''));
  useEffect(() => {
    const stops = ids
      .split(' ')
      .flatMap((id) => (id ? subscribeToRecord(id, () => send({ type: 'facts.stale' })) : []));
    return () => stops.forEach((stop) => stop());
  }, [ids, send]);
  useEffect(() => hearOtherTabs(() => send({ type: 'facts.stale' })), [send]);
}

const Console = createActorContext(consoleMachine);

/**
 * Selects a value from the console machine's snapshot and renders again when it changes. `select` must return a member
 * of the snapshot or a primitive.
 */
export const useConsole = Console.useSelector;

/** The console's machine itself, for code that runs journeys. */
export const useActor: () => ConsoleActor = Console.useActorRef;

/** Returns a function that sends an event to the console's machine. */
export const useSend = (): ((event: ConsoleEvent) => void) => useActor().send;

/** Connects machine and router in both directions. The target page reads from the router's state what was created. */
function RouterBinding() {
  const actor = useActor();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    const going = actor.on('go', ({ to, done }) => void navigate(to, done ? { state: { done } } : {}));
    actor.send({ type: 'address.changed', opening: locationAt(pathname, search) });
    return () => going.unsubscribe();
  }, [actor, navigate, pathname, search]);
  useEffect(() => repeatFacts(actor), [actor]);
  useEffect(() => {
    setStepName(() => placeIn(actor.getSnapshot().context));
    setSwitchListener((by) => actor.send({ type: 'company.switched', by }));
    return () => setSwitchListener(() => {});
  }, [actor]);
  return null;
}

async function loadJourney(id: Parameters<ConsoleEffects['loadJourney']>[0]) {
  const { suppliedJourneys } = await importWithRetry(() => import('../effects/journeys.ts'));
  return suppliedJourneys[id];
}

/** The first reading of the facts may have begun with the page; each further one is a call of `load`. */
function startingWith(first: Promise<Facts> | undefined, load: () => Promise<Facts>): () => Promise<Facts> {
  let begun = first;
  return () => {
    const reading = begun ?? load();
    begun = undefined;
    return reading;
  };
}

/** Runs the console's machine; nothing else does. `load` reads the facts; `first` is a reading already in progress. */
export function ConsoleProvider({
  load = loadFacts,
  first,
  clock,
  inspect,
  children,
  ...effects
}: Partial<ConsoleEffects> & {
  first?: Promise<Facts> | undefined;
  clock?: ActorOptions<AnyStateMachine>['clock'];
  inspect?: ((seen: InspectionEvent) => void) | undefined;
  children: ReactNode;
}) {
  const [{ logic, options }] = useState(() => ({
    logic: consoleLogic({ load: startingWith(first, load), loadJourney, ...effects }),
    options: {
      ...(inspect && { inspect }),
      ...(clock && { clock }),
    },
  }));
  return (
    <Console.Provider logic={logic} options={options}>
      <RouterBinding />
      {children}
    </Console.Provider>
  );
}

/** The state of the page's region in the console's machine. */
export const usePage = () => useConsole(({ value }) => value.page);

/** Whether the facts are being read. */
export const useIsReading = (): boolean => useConsole((snapshot) => snapshot.matches({ facts: 'reading' }));

/** What the panel of a failed reading of the facts offers: to read them again, where the machine accepts that. */
export function useReadAgain(): { onRetry: () => void; retry: 'reads' } | object {
  const send = useSend();
  const may = useConsole((snapshot) => snapshot.can({ type: 'retry' }));
  return may ? { onRetry: () => send({ type: 'retry' }), retry: 'reads' } : {};
}

/** The facts as last read; null before the first reading. */
export const useFacts = (): Facts | null => useConsole(({ context }) => context.facts);
