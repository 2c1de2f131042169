import { createTestModel } from '@xstate/test';
import { assign, createActor, getInitialSnapshot, getNextSnapshot, type SnapshotFrom } from 'xstate';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleEvent, JourneyLocation } from '#machines/console.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { everything, factsAfter } from './facts.ts';
import type { Deferred } from './deferredPorts.ts';
import { failure } from './fixtures.ts';
import { sentenceOf } from './paths.ts';
import { statesOf } from './pathsFaults.ts';
import { nowhere, recordInto, type Stage, type Walk } from './pathsReplay.ts';

export type ConsoleSnapshot = SnapshotFrom<typeof consoleMachine>;

/** How a page can be opened: directly, from the guided path, or to return to a page that required it. */
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
} as const satisfies Record<string, JourneyLocation>;

export type PageOpening = (typeof openings)[keyof typeof openings];

const facts = {
  'the organisation': factsAfter('organisation'),
  'the company': factsAfter('company'),
  everything,
};

/** Another page, on which a path ends. */
export const elsewhere: JourneyLocation = { journey: 'transfer', guided: false, back: null, query: '' };

/** All events of the console after a page was opened in this way. */
const eventsOf = (opening: PageOpening): ConsoleEvent[] => [
  { type: 'journey.loaded', journey: opening.journey },
  { type: 'journey.broken', journey: opening.journey, error: new Error('Loading chunk failed') },
  ...Object.values(facts).map((arrived) => ({ type: 'facts.arrived' as const, facts: arrived })),
  { type: 'facts.failed', failure },
  { type: 'facts.stale' },
  { type: 'subscription.switched' },
  { type: 'company.switched', by: 'setSetting' },
  { type: 'company.switched', by: 'createCompany' },
  { type: 'xstate.done.actor.step', output: { type: 'succeeded', result: { companyId: 'company-1' } } },
  { type: 'xstate.done.actor.step', output: { type: 'cancelled' } },
  { type: 'xstate.error.actor.step', error: new Error('The journey has died') },
  { type: 'next.accept' },
  { type: 'result.close' },
  { type: 'retry' },
  // Either only the journey-specific part of the address changes, or another page is opened.
  { type: 'address.changed', opening: { ...opening, query: '?size=50' } },
  { type: 'address.changed', opening: elsewhere },
  { type: 'address.changed', opening: null },
];

/** Whether a journey can succeed; the others only show something. */
const canSucceed = (id: JourneyId): boolean => statesOf(models[id].machine).some(({ tags }) => tags.includes('done'));

const open = ['working', 'returning', 'offering', 'complete'];
const stays = (event: ConsoleEvent) =>
  event.type === 'address.changed' && event.opening !== null && event.opening !== elsewhere;

/**
 * Whether an event is possible: a reading is answered once, a journey ends once, and only rendered controls can be
 * pressed.
 */
function isPossible({ value, context }: ConsoleSnapshot, event: ConsoleEvent): boolean {
  const { reading, loaded, opening, made, next, failure: why } = context;
  const runs = open.includes(value) && made === null;
  // While leaving, the address changes without a user's event.
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
    case 'company.switched':
      return runs && !reading;
    case 'xstate.done.actor.step':
      return runs && (event.output.type === 'cancelled' || (opening !== null && canSucceed(opening.journey)));
    case 'xstate.error.actor.step':
      return value === 'working' && runs && opening?.journey === 'company';
    case 'next.accept':
      return value === 'returning' || (value === 'offering' && next !== opening?.journey);
    case 'result.close':
      // While the journey runs, its own way out is shown instead.
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
  if (event.type === 'company.switched') return `company.switched by ${event.by}`;
  if (event.type !== 'address.changed') return event.type;
  return event.opening
    ? `address.changed to ${stays(event) ? 'more of the page' : 'another page'}`
    : 'address.changed to home';
}

/**
 * What the guards read besides the state. The opening never changes, and the facts are those that have just arrived.
 */
const situation = ({ value, context }: ConsoleSnapshot): string => {
  const { next, loaded, reading, fresh, failure: why, made } = context;
  return JSON.stringify([value, next, loaded, reading, fresh, why !== null, made !== null]);
};

export interface ConsolePath {
  name: string;
  end: ConsoleSnapshot;
  /** Events by name, each with the resulting snapshot. */
  steps: { name: string; event: ConsoleEvent; snapshot: ConsoleSnapshot }[];
  /** Walks the path on a stage, by default a running machine, and records the walk. Throws at the first difference. */
  replay: (walk: Walk, open?: OpenStage) => Promise<void>;
}

/** Starts a path: opens a page, or starts a console without one. The machine's transitions are recorded in `walk`. */
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

/** The machine without effects, because @xstate/test executes none. */
const walkable = consoleMachine.provide({
  actions: Object.fromEntries(effects.map((name) => [name, assign({})])),
});

/** The console's snapshot just after that page was opened. */
const opened = (opening: JourneyLocation): ConsoleSnapshot =>
  getNextSnapshot(walkable, getInitialSnapshot(walkable), { type: 'address.changed', opening });

/**
 * All shortest paths of the console from one opening until another page is open. The console's machine has no
 * invocations or delays, because @xstate/test does not support them.
 */
export function consolePaths(opening: PageOpening): ConsolePath[] {
  const events = eventsOf(opening);
  const model = createTestModel(walkable, {
    // All events are handled in every state; impossible ones are marked for the filter.
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

/** The paths of the console from each opening that are possible, walked on a running machine, each for itself. */
export async function walkedOnConsole(isWanted: (path: ConsolePath) => boolean = () => true) {
  const walked = Object.entries(openings).flatMap(([how, opening]) =>
    consolePaths(opening)
      .filter(isWanted)
      .map((path) => ({ how, opening, path, walk: nowhere(), cost: 5 + path.steps.length })),
  );
  for (const { path, walk } of walked) await path.replay(walk);
  return walked;
}
