import { TestModel } from '@xstate/test';
import {
  assign,
  createActor,
  getInitialSnapshot,
  type AnyActorRef,
  getNextSnapshot,
  type ActorLogic,
  type SnapshotFrom,
} from 'xstate';
import { consoleMachine } from '#machines/console.machine.ts';
import type { Facts } from '#contract/facts.ts';
import { freshFor, type ConsoleEvent, type JourneyLocation } from '#machines/console.ts';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { everything, factsAfter, withFacts } from './facts.ts';
import type { Deferred } from './deferredPorts.ts';
import { failure } from './fixtures.ts';
import { activeNodes } from '#machines/lib/state.ts';
import { sentenceOf } from './paths.ts';
import { statesOf } from './pathsFaults.ts';
import { nowhere, recordInto, type Stage, type Walk } from './pathsReplay.ts';

export type ConsoleSnapshot = SnapshotFrom<typeof consoleMachine>;

/**
 * How a page can be opened: directly, from the guided path, or to return to a page that required it. Each takes transitions
 * that the others do not; what is both guided and opened for a gate takes none of its own.
 */
export const openings = {
  directly: { journey: 'company', guided: false, back: null, query: '' },
  'from the guided path': { journey: 'company', guided: true, back: null, query: '' },
  'to repeat a step of the guided path': { journey: 'creditor', guided: true, back: null, query: '' },
  'to set up the guided path': { journey: 'settings', guided: true, back: null, query: '' },
  'to come back to a gate': { journey: 'company', guided: false, back: '/onboardingsubscription', query: '' },
} as const satisfies Record<string, JourneyLocation>;

export type PageOpening = (typeof openings)[keyof typeof openings];

const made = {
  id: '0f6e1d5c-0000-4000-8000-000000000001',
  name: 'Paper mill',
  at: '2026-01-31T09:00:00.000Z',
  ms: 12,
  method: 'POST',
  url: '/api-msg-v1/creditorputs',
  status: 202,
  interactionId: 'interaction-1',
};
export const facts = {
  'no settings': factsAfter('nothing'),
  'the organisation': factsAfter('organisation'),
  'the company': factsAfter('company'),
  'the company in part': withFacts(factsAfter('company'), { unread: ['providers'], unreadBecause: failure }),
  everything: withFacts(everything, { made: { creditor: made } }),
};

/** Another page, on which a path ends. */
export const elsewhere: JourneyLocation = { journey: 'transfer', guided: false, back: null, query: '' };

/** The same page, opened when the facts are no longer new. */
const later: JourneyLocation = { ...elsewhere, query: '?later=true' };

let passed = 0;
const steady = performance.now.bind(performance);

/** Lets time pass until the facts are no longer new. */
export function letFactsAge(): void {
  passed += freshFor;
  performance.now = () => steady() + passed;
}

/** Whether the event comes when the facts are no longer new. */
export const isLater = (event: ConsoleEvent): boolean => event.type === 'address.changed' && event.opening === later;

/** The code of any journey. */
const code = { machine: models.company.machine };

/** All events of the console from outside after a page was opened in this way. */
const eventsOf = (opening: PageOpening): ConsoleEvent[] => [
  ...Object.values(facts).map((arrived) => ({ type: 'facts.arrived' as const, facts: arrived })),
  { type: 'facts.known', facts: facts['the company'] },
  { type: 'facts.known', facts: facts['the company in part'] },
  { type: 'facts.failed', failure },
  { type: 'facts.stale' },
  // After the facts: of two shortest paths the first is walked, and a browser can bring this one about.
  { type: 'journey.loaded', journey: opening.journey, code },
  { type: 'journey.broken', journey: opening.journey, error: new Error('Loading chunk failed') },
  { type: 'journey.completed' },
  { type: 'subscription.switched' },
  { type: 'company.switched', by: 'setSetting' },
  { type: 'company.switched', by: 'createCompany' },
  { type: 'xstate.done.actor.step', output: { type: 'succeeded', result: { companyId: 'company-1' } } },
  { type: 'xstate.done.actor.step', output: { type: 'cancelled' } },
  { type: 'xstate.error.actor.step', error: new Error('The journey has died') },
  { type: 'next.accept' },
  { type: 'another.start' },
  { type: 'result.close' },
  { type: 'retry' },
  // Either only the journey-specific part of the address changes, or another page is opened.
  { type: 'address.changed', opening: { ...opening, query: '?size=50' } },
  { type: 'address.changed', opening: elsewhere },
  { type: 'address.changed', opening: later },
  { type: 'address.changed', opening: null },
];

/** Whether a journey can succeed; the others only show something. */
const canSucceed = (id: JourneyId): boolean => statesOf(models[id].machine).some(({ tags }) => tags.includes('done'));

const open = ['working', 'returning', 'offering', 'complete'];
const resting = open.slice(1);
const stays = (event: ConsoleEvent) =>
  event.type === 'address.changed' && event.opening !== null && event.opening.journey !== elsewhere.journey;

const isEarlier = (result: string): boolean => ['earlier', 'meanwhile'].includes(result);

/** Whether the page offers to go on: not while the user makes another record. */
export const isOffered = ({ value: { page, result }, context: { opening, made } }: ConsoleSnapshot): boolean => {
  const repeats = opening !== null && journeyOf(opening.journey).another !== undefined;
  return resting.includes(page) && (page === 'returning' || !repeats || isEarlier(result) || made !== null);
};

/**
 * Whether an event is possible: a reading is answered once, a journey ends once, and only rendered controls can be
 * pressed.
 */
function isPossible(snapshot: ConsoleSnapshot, event: ConsoleEvent): boolean {
  const { value, context } = snapshot;
  const { page, code: codeState, facts: factsState, result } = value;
  const { opening, made, next, failure: why } = context;
  const [isReading, runs] = [factsState === 'reading', open.includes(page) && made === null];
  const showsEarlier = isEarlier(result) && open.includes(page); // in place of the form
  // While leaving, the address changes without a user's event.
  if (page === 'leaving') return false;
  if (page === 'broken') return event.type === 'address.changed' && event.opening === null;
  switch (event.type) {
    case 'journey.loaded':
    case 'journey.broken':
      return page === 'loading' && codeState === 'loading';
    case 'facts.arrived':
      return isReading && (opening?.journey === 'settings' || event.facts !== facts['no settings']);
    case 'facts.failed':
      return isReading;
    case 'facts.known':
      return runs && page === 'working';
    case 'facts.stale':
      return (runs || page === 'unavailable') && !isReading;
    case 'subscription.switched':
    case 'company.switched':
      return runs && !isReading;
    case 'xstate.done.actor.step':
      return (
        runs &&
        !showsEarlier &&
        (event.output.type === 'cancelled' || (opening !== null && canSucceed(opening.journey)))
      );
    case 'xstate.error.actor.step':
      return page === 'working' && runs && opening?.journey === 'company';
    case 'next.accept':
      return isOffered(snapshot) && page !== 'complete' && (page === 'returning' || next !== opening?.journey);
    case 'another.start':
      return runs && showsEarlier;
    case 'result.close':
      // While the journey runs, its own way out is shown instead.
      return page === 'unavailable' || (resting.includes(page) && made !== null) || showsEarlier;
    case 'retry':
      return page === 'unavailable' || (page === 'showing' && why !== null);
    case 'address.changed':
      return event.opening === null || page === 'working';
    case 'journey.completed':
      return false; // raised by the machine itself
  }
}

function nameOf(event: ConsoleEvent): string {
  if (event.type === 'facts.arrived' || event.type === 'facts.known')
    return `${event.type} with ${Object.entries(facts).find(([, each]) => each === event.facts)?.[0]}`;
  if (event.type === 'xstate.done.actor.step') return `the journey has ${event.output.type}`;
  if (event.type === 'xstate.error.actor.step') return 'the journey dies';
  if (event.type === 'company.switched') return `company.switched by ${event.by}`;
  if (event.type !== 'address.changed') return event.type;
  if (isLater(event)) return 'address.changed to another page, later';
  return event.opening
    ? `address.changed to ${stays(event) ? 'more of the page' : 'another page'}`
    : 'address.changed to home';
}

/**
 * What the guards read besides the state. The opening never changes, and the facts are those that have just arrived.
 */
const situation = ({ value, context }: ConsoleSnapshot): string => {
  const { next, failure: why, made } = context;
  return JSON.stringify([value, next, why !== null, made !== null]);
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
    act: (event) => {
      if (isLater(event as ConsoleEvent)) letFactsAge(); // the paths hold no other events
      return Promise.resolve(actor.send(event as ConsoleEvent));
    },
    snapshot: () => actor.getSnapshot(),
    close: () => actor.stop(),
  });
};

const effects = ['listen', 'close', 'passOnToStep'];

/** The form of a company as it opens with facts. */
const forms = new Map<Facts | null, AnyActorRef>();

function formBeside(facts: Facts | null): AnyActorRef {
  const form = forms.get(facts) ?? createActor(code.machine, { input: { facts: facts ?? everything } });
  forms.set(facts, form);
  return form;
}

/** The machine without journeys, which do not go on, and without a clock. */
const withoutJourneys = consoleMachine.provide({
  guards: { mayHaveChanged: ({ event }) => isLater(event) },
  actions: {
    ...Object.fromEntries(effects.map((name) => [name, assign({})])),
    open: assign(({ context: { facts: known } }) => ({ step: formBeside(known) })),
  },
});

/** What the machine decides, without effects. */
const decisions: ActorLogic<ConsoleSnapshot, ConsoleEvent> = {
  getInitialSnapshot: () => getInitialSnapshot(withoutJourneys),
  transition: (snapshot, event) => getNextSnapshot(withoutJourneys, snapshot, event),
  getPersistedSnapshot: (snapshot) => snapshot,
};

/** The console's snapshot just after that page was opened. */
const opened = (opening: JourneyLocation): ConsoleSnapshot =>
  getNextSnapshot(withoutJourneys, getInitialSnapshot(withoutJourneys), { type: 'address.changed', opening });

/**
 * All shortest paths of the console from one opening until another page is open. The console's machine has no
 * invocations or delays, because @xstate/test does not support them.
 */
export function consolePaths(opening: PageOpening): ConsolePath[] {
  const known = generated.get(opening) ?? generate(opening);
  generated.set(opening, known);
  return known;
}

/** Each generated once: it takes seconds. */
const generated = new Map<PageOpening, ConsolePath[]>();

function generate(opening: PageOpening): ConsolePath[] {
  const events = eventsOf(opening);
  const model = new TestModel(decisions, {
    // All events are handled in every state.
    events: (snapshot) => events.filter((event) => isPossible(snapshot, event)),
    serializeEvent: nameOf,
    fromState: opened(opening),
    stopCondition: ({ value, context }) => value.page === 'home' || context.opening?.journey === elsewhere.journey,
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
        activeNodes(snapshot).forEach(({ id }) => walk.entered.add(id));
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
