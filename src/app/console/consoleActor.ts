import {
  createActor,
  fromCallback,
  type ActorOptions,
  type ActorRefFrom,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleContext, ConsoleEvent, JourneyCode } from '#machines/console.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { stateOf } from '#machines/lib/state.ts';
import { draftOf, storeDraft } from '../client/drafts.ts';
import { setStepName, setSwitchListener } from '../client/companyOfTab.ts';

export type ConsoleActor = ActorRefFrom<typeof consoleMachine>;

/** What the console's machine needs of its surroundings. */
export interface ConsoleEffects {
  /** Reads the facts. Rejects with a Problem. */
  load: () => Promise<Facts>;
  /** Loads a journey's code. */
  loadJourney: (id: JourneyId) => Promise<JourneyCode>;
}

/** Runs an actor's work unless it is stopped at once, as React's StrictMode does before it starts it again. */
function unlessStopped(run: () => Promise<void>): () => void {
  let isStopped = false;
  queueMicrotask(() => void (isStopped || run()));
  return () => {
    isStopped = true;
  };
}

/** The console's machine with its actors. */
export const consoleLogic = ({ load, loadJourney }: ConsoleEffects) =>
  consoleMachine.provide({
    actors: {
      readFacts: fromCallback<AnyEventObject, undefined>(({ sendBack }) =>
        unlessStopped(() =>
          load().then(
            (facts) => sendBack({ type: 'facts.arrived', facts } satisfies ConsoleEvent),
            (failure: Problem) => sendBack({ type: 'facts.failed', failure } satisfies ConsoleEvent),
          ),
        ),
      ),
      loadCode: fromCallback<AnyEventObject, { journey: JourneyId | undefined }>(({ sendBack, input: { journey } }) =>
        unlessStopped(async () => {
          if (!journey) return;
          await loadJourney(journey).then(
            (code) => {
              const draft = (guided: boolean) => draftOf(journey, guided);
              sendBack({ type: 'journey.loaded', journey, code: { ...code, draft } } satisfies ConsoleEvent);
            },
            (error: unknown) => sendBack({ type: 'journey.broken', journey, error } satisfies ConsoleEvent),
          );
        }),
      ),
      listen: fromCallback<AnyEventObject, { step: AnyActorRef | null; journey: JourneyId | undefined }>(
        ({ sendBack, input: { step, journey } }) => {
          if (!step || !journey) return undefined;
          const reports = [
            step.on('facts.changed', () => sendBack({ type: 'facts.stale' } satisfies ConsoleEvent)),
            step.on('facts.known', ({ facts }: { facts: Facts }) =>
              sendBack({ type: 'facts.known', facts } satisfies ConsoleEvent),
            ),
            storeDraft(journey, step),
          ];
          return () => reports.forEach((report) => report.unsubscribe());
        },
      ),
    },
  });

/** The journey under way as `journey/state`; '' for none. */
export const placeIn = ({ opening, step }: ConsoleContext): string =>
  opening && step ? `${opening.journey}/${stateOf(step.getSnapshot() as AnyMachineSnapshot)}` : ''; // journeys are machines

/** Creates and starts the console's machine without a page. */
export function startConsole(effects: ConsoleEffects, clock?: ActorOptions<AnyStateMachine>['clock']): ConsoleActor {
  const actor = createActor(consoleLogic(effects), clock && { clock }).start();
  setStepName(() => placeIn(actor.getSnapshot().context));
  setSwitchListener((by) => actor.send({ type: 'company.switched', by }));
  return actor;
}
