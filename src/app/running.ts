import {
  assign,
  createActor,
  enqueueActions,
  type ActorOptions,
  type ActorRefFrom,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
} from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import { unavailableBecause, type ConsoleContext, type ConsoleEvent, type Opening } from '#machines/console.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { stateOf } from '#machines/state.ts';
import { chunk } from '#steps/kit/chunk.ts';
import type { Step } from '#steps/steps.ts';
import { keepDraft, restoreDraft } from './drafts.ts';
import { readEarly } from './early.ts';
import type { Pages, SuppliedJourney } from './pages.ts';
import { callFor } from './scope.ts';

export type ConsoleActor = ActorRefFrom<typeof consoleMachine>;

export interface RunOptions {
  load: () => Promise<Facts>;
  /** The first reading of the facts, already in progress. */
  first?: Promise<Facts> | null;
  pages: Pages;
  clock?: ActorOptions<AnyStateMachine>['clock'];
  inspect?: ((seen: InspectionEvent) => void) | undefined;
  /** Called for each journey that is left, with its last snapshot. */
  left?: (journey: JourneyId, snapshot: AnyMachineSnapshot) => void;
}

/** The step component of each journey's actor. */
const drawnAs = new WeakMap<AnyActorRef, Step>();
export const stepOf = (journey: AnyActorRef): Step => drawnAs.get(journey) as Step; // set before it is spawned

/**
 * Maximum age (ms) of the facts given to a new journey. Older ones are read again, because changes made in other tabs
 * cause no event here.
 */
const freshFor = 10_000;

/** Creates and starts the console's machine with its effects: `load` reads the facts, `pages` load the journeys. */
export function runWith({ load, first, pages, clock, inspect, left }: RunOptions): ConsoleActor {
  const codes = new Map<JourneyId, { supplied: SuppliedJourney; Step: Step }>();
  let reading = first ?? null;
  let turn = 0;
  let readAt = 0;
  let readFor: Opening | null = null;
  /** Starts the first reads of the opened journey, once, while its code is loading. */
  function readFirst({ opening, loaded }: ConsoleContext, facts: Facts | null): void {
    if (!facts || !opening || loaded || readFor === opening) return;
    readFor = opening;
    readEarly(opening.journey, facts, opening.query);
  }
  const machine = consoleMachine.provide({
    guards: {
      isFresh: ({ context }) => context.fresh && (context.reading || performance.now() - readAt < freshFor),
    },
    actions: {
      load: ({ context }) => {
        const journey = context.opening?.journey;
        if (!journey || context.loaded) return;
        if (!context.reading) readFirst(context, context.facts);
        const { machine: loadMachine, step: loadStep } = pages[journey];
        void chunk(() => Promise.all([loadMachine(), loadStep()])).then(
          ([supplied, { default: Step }]) => {
            codes.set(journey, { supplied, Step });
            tell({ type: 'journey.loaded', journey });
          },
          (error: unknown) => tell({ type: 'journey.broken', journey, error }),
        );
      },
      readFacts: () => {
        const mine = (turn += 1);
        const now = reading ?? load();
        reading = null;
        void now.then(
          (facts) => {
            if (mine !== turn) return;
            readAt = performance.now();
            readFirst(actor.getSnapshot().context, facts);
            tell({ type: 'facts.arrived', facts });
          },
          (failure: Problem) => mine === turn && tell({ type: 'facts.failed', failure }),
        );
      },
      open: assign(({ context, spawn, self }) => {
        const { journey, query, guided } = context.opening as NonNullable<typeof context.opening>; // entered only with a journey
        const { supplied, Step } = codes.get(journey) as { supplied: SuppliedJourney; Step: Step }; // loaded before
        const own = supplied.input?.(new URLSearchParams(query));
        const start = spawn as unknown as (logic: AnyStateMachine, options: object) => AnyActorRef; // the type of setup knows no journeys
        const step = start(supplied.machine, { id: 'step', input: { ...own, facts: context.facts } });
        drawnAs.set(step, Step);
        step.on('facts.changed', () => self.send({ type: 'facts.stale' }));
        step.on('facts.known', ({ facts }: { facts: Facts }) => {
          const { reading, failure } = self.getSnapshot().context;
          // A reading in progress may return older facts than these.
          self.send(reading || failure ? { type: 'facts.stale' } : { type: 'facts.arrived', facts });
        });
        restoreDraft(journey, step, guided);
        return { step };
      }),
      close: enqueueActions(({ context: { step, opening }, enqueue }) => {
        const last = step?.getSnapshot() as AnyMachineSnapshot | undefined; // journeys are machines
        if (opening && last) enqueue(() => left?.(opening.journey, last));
        enqueue.stopChild('step');
      }),
      tell: enqueueActions(({ context, event, enqueue }) => {
        const { step } = context;
        const runs = (step?.getSnapshot() as AnyMachineSnapshot | undefined)?.status === 'active';
        if (step && runs && !unavailableBecause(context)) enqueue.sendTo(step, event);
      }),
    },
  });
  const actor = createActor(machine, {
    ...(clock && { clock }),
    inspect: (seen) => {
      inspect?.(seen);
      if (seen.type !== '@xstate.event') return;
      const { step, opening } = actor.getSnapshot().context;
      if (opening && seen.actorRef === step) keepDraft(opening.journey, seen.event);
    },
  });
  /** Sends an event to the machine; answers that arrive after it has stopped are ignored. */
  function tell(event: ConsoleEvent): void {
    if (actor.getSnapshot().status === 'active') actor.send(event);
  }
  callFor(() => {
    const { step, opening } = actor.getSnapshot().context;
    return step && opening ? `${opening.journey}/${stateOf(step.getSnapshot() as AnyMachineSnapshot)}` : '';
  });
  return actor.start();
}
