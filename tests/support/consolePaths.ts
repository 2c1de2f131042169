import { createTestModel } from '@xstate/test';
import { assign, createActor, getInitialSnapshot, getNextSnapshot, type SnapshotFrom } from 'xstate';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleEvent, Opening } from '#machines/console.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { everything, factsAfter } from './facts.ts';
import type { Deferred } from './live.ts';
import { failure } from './material.ts';
import { sentenceOf } from './paths.ts';
import { statesOf } from './pathsFaults.ts';
import { recordInto, type Stage, type Walk } from './pathsReplay.ts';

export type ConsoleSnapshot = SnapshotFrom<typeof consoleMachine>;

/** Ways to open a page: directly, from the guided path, and to come back to the page whose gate spoke. */
export const openings = {
  directly: { journey: 'company', guided: false, back: null, query: '' },
  'from the guided path': { journey: 'company', guided: true, back: null, query: '' },
  'as the last row of the guided path': { journey: 'batch', guided: true, back: null, query: '' },
  'to come back to a gate': { journey: 'company', guided: false, back: '/onboardingsubscription', query: '' },
  'from the guided path, to come back to a gate': {
    journey: 'company',
    guided: true,
    back: '/onboardingsubscription',
    query: '',
  },
} as const satisfies Record<string, Opening>;

export type PageOpening = (typeof openings)[keyof typeof openings];

const facts = {
  'the organisation': factsAfter('organisation'),
  'the company': factsAfter('company'),
  everything,
};

/** Another page, on which a path ends. */
export const elsewhere: Opening = { journey: 'transfer', guided: false, back: null, query: '' };

/** Everything that can happen to the console of a page that was opened like this. */
const eventsOf = (opening: PageOpening): ConsoleEvent[] => [
  { type: 'journey.loaded', journey: opening.journey },
  { type: 'journey.broken', journey: opening.journey, error: new Error('Loading chunk failed') },
  ...Object.values(facts).map((arrived) => ({ type: 'facts.arrived' as const, facts: arrived })),
  { type: 'facts.failed', failure },
  { type: 'facts.stale' },
  { type: 'subscription.switched' },
  { type: 'xstate.done.actor.step', output: { type: 'succeeded', result: { companyId: 'company-1' } } },
  { type: 'xstate.done.actor.step', output: { type: 'cancelled' } },
  { type: 'xstate.error.actor.step', error: new Error('The journey has died') },
  { type: 'next.accept' },
  { type: 'result.close' },
  { type: 'retry' },
  // Only what is the journey's own changes in its address, or another page is opened.
  { type: 'address.changed', opening: { ...opening, query: '?size=50' } },
  { type: 'address.changed', opening: elsewhere },
  { type: 'address.changed', opening: null },
];

/** Whether a journey can make something; the others show rather than end. */
const canSucceed = (id: JourneyId): boolean => statesOf(models[id].machine).some(({ tags }) => tags.includes('done'));

const open = ['working', 'returning', 'offering', 'complete'];
const stays = (event: ConsoleEvent) =>
  event.type === 'address.changed' && event.opening !== null && event.opening !== elsewhere;

/** Whether an event can happen: a reading is answered once, a journey ends once, and only what is drawn can be pressed. */
function isPossible({ value, context }: ConsoleSnapshot, event: ConsoleEvent): boolean {
  const { reading, loaded, opening, made, next, failure: why } = context;
  const runs = open.includes(value) && made === null;
  // Where it leaves to, the address has changed by itself.
  if (value === 'leaving') return false;
  if (value === 'broken') return event.type === 'address.changed' && event.opening === null;
  switch (event.type) {
    case 'journey.loaded':
    case 'journey.broken':
      return value === 'loading' && !loaded;
    case 'facts.arrived':
    case 'facts.failed':
      return reading;
    case 'facts.stale':
      return (runs || value === 'unavailable') && !reading;
    case 'subscription.switched':
      return runs && !reading;
    case 'xstate.done.actor.step':
      return runs && (event.output.type === 'cancelled' || (opening !== null && canSucceed(opening.journey)));
    case 'xstate.error.actor.step':
      return value === 'working' && runs && opening?.journey === 'company';
    case 'next.accept':
      return value === 'returning' || (value === 'offering' && next !== opening?.journey);
    case 'result.close':
      // While the journey runs, its own way out is there.
      return value === 'unavailable' || (['offering', 'complete'].includes(value) && made !== null);
    case 'retry':
      return value === 'unavailable' || (value === 'showing' && why !== null);
    case 'address.changed':
      return event.opening === null || value === 'working';
  }
}

function nameOf(event: ConsoleEvent): string {
  if (event.type === 'facts.arrived')
    return `facts with ${Object.entries(facts).find(([, each]) => each === event.facts)?.[0]}`;
  if (event.type === 'xstate.done.actor.step') return `the journey has ${event.output.type}`;
  if (event.type === 'xstate.error.actor.step') return 'the journey dies';
  if (event.type !== 'address.changed') return event.type;
  return event.opening
    ? `address.changed to ${stays(event) ? 'more of the page' : 'another page'}`
    : 'address.changed to home';
}

/** What the guards read beside the state: the opening never changes, the facts are those that have just arrived. */
const situation = ({ value, context }: ConsoleSnapshot): string => {
  const { next, loaded, reading, fresh, failure: why, made } = context;
  return JSON.stringify([value, next, loaded, reading, fresh, why !== null, made !== null]);
};

export interface ConsolePath {
  name: string;
  end: ConsoleSnapshot;
  /** Events by name, each with the snapshot that it leads to. */
  steps: { name: string; event: ConsoleEvent; snapshot: ConsoleSnapshot }[];
  /** Walks the path on a stage, a running machine by default, and adds to `walk` what happened. Throws where the two part. */
  replay: (walk: Walk, open?: OpenStage) => Promise<void>;
}

/** Begins a path: opens a page, or starts a console alone. What its machine does is added to `walk`. */
export type OpenStage = (opening: PageOpening, walk: Walk) => Promise<Omit<Stage, keyof Deferred>>;

const startConsole: OpenStage = (opening, walk) => {
  const actor = createActor(consoleMachine, { inspect: recordInto(walk) });
  actor.start();
  actor.send({ type: 'address.changed', opening });
  return Promise.resolve({
    act: (event) => Promise.resolve(actor.send(event as ConsoleEvent)), // the paths hold no other events
    snapshot: () => actor.getSnapshot(),
    close: () => actor.stop(),
  });
};

const effects = ['load', 'readFacts', 'open', 'close', 'tell', 'goHome', 'goBack', 'goNext'];

/** The machine without what it does: @xstate/test executes nothing. */
const walkable = consoleMachine.provide({
  actions: Object.fromEntries(effects.map((name) => [name, assign({})])),
});

/** The console as it is when that page has just been opened. */
const opened = (opening: Opening): ConsoleSnapshot =>
  getNextSnapshot(walkable, getInitialSnapshot(walkable), { type: 'address.changed', opening });

/**
 * Every shortest path of the console from one opening until it is at another page. Its machine is kept free of
 * invocations and delays for the sake of @xstate/test, which accepts no others.
 */
export function consolePaths(opening: PageOpening): ConsolePath[] {
  const events = eventsOf(opening);
  const model = createTestModel(walkable, {
    // What is heard is taken in any case, what cannot happen is marked for the filter.
    events: (snapshot) => events.map((event) => (isPossible(snapshot, event) ? event : { ...event, impossible: true })),
    filter: (_, event) => !('impossible' in event),
    serializeEvent: nameOf,
    fromState: opened(opening),
    stopCondition: ({ value, context }) => value === 'home' || context.opening === elsewhere,
    serializeState: (snapshot, event, before) =>
      `${situation(snapshot)} by ${event && nameOf(event)} from ${before && situation(before)}`,
  });
  return model.getShortestPaths().map((path) => ({
    name: `${sentenceOf(path.state)} after ${path.steps
      .slice(1)
      .map(({ event }) => nameOf(event))
      .join(', ')}`,
    end: path.state,
    steps: path.steps.slice(1).map(({ event, state }) => ({ name: nameOf(event), event, snapshot: state })),
    replay: async (walk, openStage = startConsole) => {
      const stage = await openStage(opening, walk);
      const check = (expected: ConsoleSnapshot) => {
        const snapshot = stage.snapshot() as ConsoleSnapshot; // each stage runs a console
        const [is, should] = [situation(snapshot), situation(expected)];
        if (is !== should) throw new Error(`The console is in ${is} and should be in ${should}`);
        stage.check?.();
        snapshot._nodes.forEach(({ id }) => walk.entered.add(id));
      };
      const act = ({ event }: { event: ConsoleEvent }) => stage.act(event);
      const actions = Object.fromEntries(events.map(({ type }) => [type, act]));
      try {
        await path.test({ states: { '*': check }, events: actions });
      } finally {
        stage.close();
      }
    },
  }));
}
