import { assign, emit, enqueueActions, setup, type AnyActorRef } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { JourneyOutput } from './gate.ts';
import { addressOf, hasResult, nextJourney, type JourneyId } from './journeys.ts';
import { press, when } from './say.ts';
import { hasProvided, unreadFor } from './ways.ts';

/** How a journey's page was opened: from the guided path, or to come back to another page; else directly. */
export interface Opening {
  journey: JourneyId;
  guided: boolean;
  /** Address to return to once this journey has provided what that page's gate lacked. */
  back: `/${string}` | null;
  /** The query of the address, for what is the journey's own. */
  query: string;
}

export interface ConsoleContext {
  /** Null on pages without a journey. */
  opening: Opening | null;
  /** The last facts that could be read, also while a later reading failed. */
  facts: Facts | null;
  /** Why the last reading failed. */
  failure: Problem | null;
  /** The facts are being read. */
  reading: boolean;
  /** The facts have been read, or are being read, for what is opened next. */
  fresh: boolean;
  /** The code of the journey is there. */
  loaded: boolean;
  /** Why it is not, or what the journey has died of. */
  error: unknown;
  /** The journey's running machine; its last snapshot stays after its end. */
  step: AnyActorRef | null;
  /** What the journey has made. */
  made: { journey: JourneyId; result: unknown } | null;
  /** The first row of the guided path that is not done. */
  next: JourneyId | null;
}

export type ConsoleEvent =
  | { type: 'address.changed'; opening: Opening | null }
  | { type: 'journey.loaded'; journey: JourneyId }
  | { type: 'journey.broken'; journey: JourneyId; error: unknown }
  | { type: 'facts.arrived'; facts: Facts }
  | { type: 'facts.failed'; failure: Problem }
  | { type: 'facts.stale' }
  | { type: 'subscription.switched' }
  | { type: 'xstate.done.actor.step'; output: JourneyOutput }
  | { type: 'xstate.error.actor.step'; error: unknown }
  | { type: 'next.accept' }
  | { type: 'result.close' }
  | { type: 'retry' };

/** Where the page goes to; `done` is the journey that has made something. */
export interface Go {
  type: 'go';
  to: string;
  done: JourneyId | null;
}

interface Args {
  context: ConsoleContext;
  event: ConsoleEvent;
}

const isSame = (one: Opening | null, other: Opening | null): boolean =>
  one !== null && one.journey === other?.journey && one.guided === other.guided && one.back === other.back;

/** The facts that an event brings, else those that are there. */
const factsIn = ({ context, event }: Args): Facts | null =>
  event.type === 'facts.arrived' ? event.facts : context.facts;

/** Why the journey cannot be opened: the facts were not read, or not what its gates ask. */
export const unavailableBecause = ({ opening, facts, failure }: ConsoleContext): Problem | null =>
  failure ?? (opening && facts && unreadFor(opening.journey, facts));

const hasGiven = (args: Args): boolean => {
  const { opening } = args.context;
  const facts = factsIn(args);
  return opening !== null && opening.guided && facts !== null && hasResult(opening.journey, facts);
};

const going = ({ made }: ConsoleContext, to: string): Go => ({ type: 'go', to, done: made?.journey ?? null });

const pure = () => {};

const ends = 'The journey ends';

/** What the facts lead to, for each state in which they arrive; `rest` if to nothing else. */
const arrived = <Rest extends object>(rest: Rest) => [
  { guard: 'offers' as const, target: 'offering' as const, actions: ['learn', 'tell'] as const },
  { guard: 'completes' as const, target: 'complete' as const, actions: ['learn', 'tell'] as const },
  { ...rest, actions: ['learn', 'tell'] as const },
];

/**
 * The wizard: opens the journey at the address, with the facts, hears its end, and says where the page goes. From the
 * guided path a success stays and offers the next step; opened to provide what another page lacked it goes back there;
 * opened directly, success and Cancel go to the root (behaviour, section 2). It emits `go`.
 *
 * The program supplies what works: `load` gets the journey's code (answered by `journey.loaded` or `journey.broken`),
 * `readFacts` reads the facts (answered by `facts.arrived` or `facts.failed`; of readings that overlap the last one is
 * answered), `open` spawns the journey under the id `step`, `close` stops it, `tell` sends it the facts. Without them the
 * machine is pure, its events those of a test.
 */
export const consoleMachine = setup({
  types: {
    context: {} as ConsoleContext,
    events: {} as ConsoleEvent,
    emitted: {} as Go,
    meta: {} as { description: string },
  },
  guards: {
    staysHere: ({ context, event }) => event.type === 'address.changed' && isSame(context.opening, event.opening),
    opensJourney: when(
      'it is a journey’s',
      ({ event }: Args) => event.type === 'address.changed' && event.opening !== null,
    ),
    /** The program adds that they are not old. */
    isFresh: ({ context }) => context.fresh,
    isMeant: when(
      'the page is still open',
      ({ context, event }: Args) => 'journey' in event && event.journey === context.opening?.journey,
    ),
    isUnavailable: when(
      'they could not be read',
      ({ context }: Args) => !context.reading && unavailableBecause(context) !== null,
    ),
    isReady: when(
      'both are there',
      ({ context }: Args) => !context.reading && context.loaded && context.facts !== null,
    ),
    wasLeft: when(
      'it was left',
      ({ event }: Args) => event.type === 'xstate.done.actor.step' && event.output.type === 'cancelled',
    ),
    comesBack: when('another page waits for it', ({ context }: Args) => typeof context.opening?.back === 'string'),
    isGuided: when('opened from the guided path', ({ context }: Args) => context.opening?.guided === true),
    /** Pages that show rather than end, such as the settings, come back by the user's press. */
    mayReturn: when('what another page lacks is there', (args: Args) => {
      const facts = factsIn(args);
      const { journey, back = null } = args.context.opening ?? {};
      return journey !== undefined && back !== null && facts !== null && hasProvided(journey, back, facts);
    }),
    offers: when(
      'done, and another step is left',
      (args: Args) => hasGiven(args) && nextJourney(factsIn(args) as Facts) !== undefined, // hasGiven has seen them
    ),
    completes: when('this step is done', hasGiven),
  },
  actions: {
    load: pure,
    readFacts: pure,
    open: pure,
    close: pure,
    tell: pure,
    take: assign(({ event }) =>
      event.type === 'address.changed' ? { opening: event.opening, loaded: false, step: null, made: null } : {},
    ),
    forgetStep: assign({ step: null }),
    noteReading: assign({ reading: true, fresh: true }),
    readUnlessFresh: enqueueActions(({ check, enqueue }) => {
      if (check('isFresh')) return;
      enqueue('noteReading');
      enqueue('readFacts');
    }),
    learn: assign(({ context, event }) =>
      event.type === 'facts.arrived'
        ? {
            facts: event.facts,
            failure: null,
            reading: false,
            fresh: context.fresh && event.facts.unreadBecause === null,
            next: nextJourney(event.facts) ?? null,
          }
        : {},
    ),
    noteFailure: assign(({ event }) =>
      event.type === 'facts.failed' ? { failure: event.failure, reading: false, fresh: false } : {},
    ),
    noteCode: assign({ loaded: true }),
    noteError: assign(({ event }) => ('error' in event ? { error: event.error } : {})),
    /** Facts serve one journey, unless they are what the next one is offered by. */
    useFacts: assign({ fresh: false }),
    reuseFacts: assign({ fresh: ({ context }) => !context.failure && context.facts?.unreadBecause === null }),
    keepMade: assign(({ context, event }) =>
      context.opening && event.type === 'xstate.done.actor.step' && event.output.type === 'succeeded'
        ? { made: { journey: context.opening.journey, result: event.output.result } }
        : {},
    ),
    goHome: emit(({ context }) => going(context, '/')),
    goBack: emit(({ context }) => going(context, context.opening?.back ?? '/')),
    goNext: emit(({ context }) => going(context, context.next ? addressOf(context.next, { guided: true }) : '/')),
  },
}).createMachine({
  id: 'console',
  context: {
    opening: null,
    facts: null,
    failure: null,
    reading: false,
    fresh: false,
    loaded: false,
    error: null,
    step: null,
    made: null,
    next: null,
  },
  initial: 'home',
  on: {
    'address.changed': [
      { guard: 'staysHere' },
      { guard: 'opensJourney', target: '.starting', actions: ['close', 'take'] },
      { target: '.home', actions: ['close', 'take'] },
    ],
    'facts.stale': { actions: ['noteReading', 'readFacts'] },
    'subscription.switched': { target: '.starting', actions: ['close', 'forgetStep', 'noteReading', 'readFacts'] },
    'facts.arrived': { actions: ['learn', 'tell'] },
    'facts.failed': { description: 'The facts do not arrive', actions: 'noteFailure' },
    'xstate.error.actor.step': { target: '.broken', actions: 'noteError' },
  },
  states: {
    home: {
      meta: { description: 'No journey is open' },
      entry: 'readUnlessFresh',
      on: {
        'address.changed': {
          description: 'Open a page',
          guard: 'opensJourney',
          target: 'starting',
          actions: ['close', 'take'],
        },
      },
    },
    starting: { entry: ['load', 'readUnlessFresh'], always: { target: 'deciding' } },
    deciding: {
      always: [
        { guard: 'isUnavailable', target: 'unavailable' },
        { guard: 'isReady', target: 'opening', actions: 'open' },
        { target: 'loading' },
      ],
    },
    loading: {
      meta: { description: 'The journey’s code and the facts are awaited' },
      on: {
        'journey.loaded': {
          description: 'The journey’s code arrives',
          guard: 'isMeant',
          target: 'deciding',
          actions: 'noteCode',
        },
        'journey.broken': {
          description: 'The journey’s code does not arrive',
          guard: 'isMeant',
          target: 'broken',
          actions: 'noteError',
        },
        'facts.arrived': { target: 'deciding', actions: 'learn' },
        'facts.failed': { target: 'deciding', actions: 'noteFailure' },
      },
    },
    broken: {
      meta: { description: 'The journey’s code did not arrive, or it has died' },
    },
    unavailable: {
      meta: { description: 'The facts could not be read, or not what the journey’s gates ask' },
      on: {
        retry: { target: 'starting' },
        'facts.arrived': { target: 'starting', actions: 'learn' },
        'result.close': { description: press('Close'), target: 'leaving', actions: 'goHome' },
      },
    },
    opening: {
      entry: 'useFacts',
      always: [
        { guard: 'mayReturn', target: 'returning' },
        { guard: 'offers', target: 'offering' },
        { guard: 'completes', target: 'complete' },
        { target: 'working' },
      ],
    },
    working: {
      meta: { description: 'The journey is under way' },
      on: {
        'facts.arrived': [{ guard: 'mayReturn', target: 'returning', actions: ['learn', 'tell'] }, ...arrived({})],
        'xstate.done.actor.step': [
          { description: ends, guard: 'wasLeft', target: 'leaving', actions: 'goHome' },
          { guard: 'comesBack', target: 'leaving', actions: ['keepMade', 'noteReading', 'readFacts', 'goBack'] },
          { guard: 'isGuided', target: 'showing', actions: ['keepMade', 'noteReading', 'readFacts'] },
          { target: 'leaving', actions: ['keepMade', 'noteReading', 'readFacts', 'goHome'] },
        ],
      },
    },
    showing: {
      meta: { description: 'The result is shown while the facts are read again' },
      on: { 'facts.arrived': arrived({}), retry: { actions: ['noteReading', 'readFacts'] } },
    },
    returning: {
      meta: { description: 'What another page lacked is there; the way back to it is offered' },
      on: {
        'xstate.done.actor.step': [
          { description: ends, guard: 'wasLeft', target: 'leaving', actions: 'goHome' },
          { target: 'leaving', actions: ['keepMade', 'noteReading', 'readFacts', 'goBack'] },
        ],
        'next.accept': { description: press('Next', 'Back to'), target: 'leaving', actions: ['reuseFacts', 'goBack'] },
      },
    },
    offering: {
      meta: { description: 'The step is done and the next one is offered' },
      on: {
        'facts.arrived': arrived({ target: 'working' as const }),
        'xstate.done.actor.step': [
          { description: ends, guard: 'wasLeft', target: 'leaving', actions: 'goHome' },
          { actions: ['keepMade', 'noteReading', 'readFacts'] },
        ],
        'next.accept': { target: 'leaving', actions: ['reuseFacts', 'goNext'] },
        'result.close': { target: 'leaving', actions: 'goHome' },
      },
    },
    complete: {
      meta: { description: 'Every row of the guided path is done' },
      on: {
        'facts.arrived': arrived({ target: 'working' as const }),
        'xstate.done.actor.step': [
          { description: ends, guard: 'wasLeft', target: 'leaving', actions: 'goHome' },
          { actions: ['keepMade', 'noteReading', 'readFacts'] },
        ],
        'result.close': { target: 'leaving', actions: 'goHome' },
      },
    },
    leaving: { meta: { description: 'The page goes to another address' } },
  },
});
