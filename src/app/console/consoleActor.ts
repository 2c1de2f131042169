import {
  assign,
  createActor,
  type ActorRef,
  enqueueActions,
  type ActorOptions,
  type ActorRefFrom,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
  type Snapshot,
} from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import { unavailableBecause, type ConsoleEvent } from '#machines/console.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { stateOf } from '#machines/lib/state.ts';
import { keepDraft, restoreDraft } from '../step/drafts.ts';
import type { SuppliedJourney } from '../effects/supplied.ts';
import { setStepName, setSwitchListener } from '../api/companyOfTab.ts';

export type ConsoleActor = ActorRefFrom<typeof consoleMachine>;

/** What the console's machine needs of its surroundings. */
export interface ConsoleEffects {
  /** Reads the facts. Rejects with a Problem. */
  load: () => Promise<Facts>;
  /** Loads a journey's code. */
  loadJourney: (id: JourneyId) => Promise<SuppliedJourney>;
}

/**
 * Maximum age (ms) of the facts given to a new journey. Older ones are read again, because changes made in other tabs
 * cause no event here.
 */
const freshFor = 10_000;

/**
 * The console's machine with its effects, the inspector with which its actor has to be created (it stores drafts), and
 * a function that names the journey under way as `journey/state` ('' for none).
 */
export function consoleLogic({ load, loadJourney }: ConsoleEffects) {
  const loaded = new Map<JourneyId, SuppliedJourney>();
  let open: { journey: JourneyId; step: AnyActorRef } | null = null;
  let turn = 0;
  let readAt = 0;
  /** Sends an event to the machine; answers that arrive after it has stopped are ignored. */
  const answer = (
    actor: Pick<ActorRef<Snapshot<unknown>, ConsoleEvent>, 'getSnapshot' | 'send'>,
    event: ConsoleEvent,
  ): void => {
    if (actor.getSnapshot().status === 'active') actor.send(event);
  };
  const logic = consoleMachine.provide({
    guards: {
      isFresh: ({ context }) => context.fresh && (context.reading || performance.now() - readAt < freshFor),
    },
    actions: {
      load: ({ context, self }) => {
        const journey = context.opening?.journey;
        if (!journey || context.loaded) return;
        void loadJourney(journey).then(
          (supplied) => {
            loaded.set(journey, supplied);
            answer(self, { type: 'journey.loaded', journey });
          },
          (error: unknown) => answer(self, { type: 'journey.broken', journey, error }),
        );
      },
      readFacts: ({ self }) => {
        const mine = (turn += 1);
        void load().then(
          (facts) => {
            if (mine !== turn) return;
            readAt = performance.now();
            answer(self, { type: 'facts.arrived', facts });
          },
          (failure: Problem) => mine === turn && answer(self, { type: 'facts.failed', failure }),
        );
      },
      open: assign(({ context, spawn, self }) => {
        const { journey, query, guided } = context.opening as NonNullable<typeof context.opening>; // entered only with a journey
        const supplied = loaded.get(journey) as SuppliedJourney; // loaded before
        const own = supplied.input?.(new URLSearchParams(query));
        const start = spawn as unknown as (logic: AnyStateMachine, options: object) => AnyActorRef; // the type of setup knows no journeys
        const step = start(supplied.machine, { id: 'step', input: { ...own, facts: context.facts } });
        open = { journey, step };
        step.on('facts.changed', () => self.send({ type: 'facts.stale' }));
        step.on('facts.known', ({ facts }: { facts: Facts }) => {
          const { reading, failure } = self.getSnapshot().context;
          // A reading in progress may return older facts than these.
          self.send(reading || failure ? { type: 'facts.stale' } : { type: 'facts.arrived', facts });
        });
        restoreDraft(journey, step, guided);
        return { step };
      }),
      close: enqueueActions(({ enqueue }) => {
        open = null;
        enqueue.stopChild('step');
      }),
      tell: enqueueActions(({ context, event, enqueue }) => {
        const { step } = context;
        const runs = (step?.getSnapshot() as AnyMachineSnapshot | undefined)?.status === 'active';
        if (step && runs && !unavailableBecause(context)) enqueue.sendTo(step, event);
      }),
    },
  });
  return {
    logic,
    inspect: (seen: InspectionEvent): void => {
      if (seen.type === '@xstate.event' && open && seen.actorRef === open.step) keepDraft(open.journey, seen.event);
    },
    place: (): string => (open ? `${open.journey}/${stateOf(open.step.getSnapshot() as AnyMachineSnapshot)}` : ''),
  };
}

/** Creates and starts the console's machine without a page. */
export function startConsole(effects: ConsoleEffects, clock?: ActorOptions<AnyStateMachine>['clock']): ConsoleActor {
  const { logic, inspect, place } = consoleLogic(effects);
  setStepName(place);
  const actor = createActor(logic, { inspect, ...(clock && { clock }) }).start();
  setSwitchListener((by) => actor.send({ type: 'company.switched', by }));
  return actor;
}
