import { assign, emit, enqueueActions, setup } from 'xstate';
import { consoleGuards, nextStep, type ConsoleContext, type ConsoleEvent, type Go } from './console.ts';
import { addressOf } from './journeys.ts';
import { pressLabel } from '#machines/lib/describe.ts';

const going = ({ made }: ConsoleContext, to: string): Go => ({ type: 'go', to, done: made?.journey ?? null });

const pure = () => {};

const closed = { target: 'leaving', actions: 'goHome' } as const;
/** The journey has ended without a result. */
const leftAlone = { description: 'The journey ends', guard: 'wasLeft', ...closed } as const;
/** Actions on every success: store the journey's result and read the facts again. */
const kept = ['keepMade', 'read'] as const;

const offered = { guard: 'offers', target: 'offering', actions: ['learn', 'tell'] } as const;

/** Transitions on new facts, for each state that receives them; `rest` is the default branch. */
const arrived = <Rest extends object>(rest: Rest) => [
  offered,
  { guard: 'completes' as const, target: 'complete' as const, actions: ['learn', 'tell'] as const },
  { ...rest, actions: ['learn', 'tell'] as const },
];

/** Transitions once the step is done; the journey may continue and create more. */
const onceDone = {
  'facts.arrived': arrived({ target: 'working' as const }),
  'xstate.done.actor.step': [leftAlone, { actions: kept }],
  'result.close': closed,
} as const;

/**
 * The wizard: opens the journey at the address with the facts, receives its output, and emits `go` to navigate. On the
 * guided path a success stays on the page and offers the next step. A journey opened to provide another page's missing
 * requirement returns to that page. After a journey opened directly, success and Cancel navigate to the root
 * (behaviour, section 2). A journey ends with its company: once calls go out for another one, the home page opens.
 *
 * The program supplies the actions with effects. `load` loads the journey's code (answered by `journey.loaded` or
 * `journey.broken`). `readFacts` reads the facts (answered by `facts.arrived` or `facts.failed`; of overlapping
 * readings only the last one is answered). `open` spawns the journey under the id `step`, `close` stops it, `tell`
 * sends it the facts. Without these actions the machine has no effects, and tests send it the events.
 */
export const consoleMachine = setup({
  types: {
    context: {} as ConsoleContext,
    events: {} as ConsoleEvent,
    emitted: {} as Go,
    meta: {} as { description: string },
  },
  guards: consoleGuards,
  actions: {
    load: pure,
    readFacts: pure,
    open: pure,
    close: pure,
    tell: pure,
    take: assign(({ event }) =>
      event.type === 'address.changed' ? { opening: event.opening, loaded: false, step: null, made: null } : {},
    ),
    forgetStep: assign({ step: null, made: null }),
    read: enqueueActions(({ enqueue }) => {
      enqueue.assign({ reading: true, fresh: true });
      enqueue('readFacts');
    }),
    readUnlessFresh: enqueueActions(({ check, enqueue }) => {
      if (!check('isFresh')) enqueue('read');
    }),
    learn: assign(({ context, event }) =>
      event.type === 'facts.arrived'
        ? {
            facts: event.facts,
            failure: null,
            reading: false,
            fresh: context.fresh && event.facts.unreadBecause === null,
            next: nextStep(context, event.facts),
          }
        : {},
    ),
    noteFailure: assign(({ event }) =>
      event.type === 'facts.failed' ? { failure: event.failure, reading: false, fresh: false } : {},
    ),
    noteCode: assign({ loaded: true }),
    noteError: assign(({ event }) => ('error' in event ? { error: event.error } : {})),
    /** Each journey reads the facts anew, unless it was offered on the basis of facts just read. */
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
    'facts.stale': { actions: 'read' },
    'subscription.switched': { target: '.starting', actions: ['close', 'forgetStep', 'read'] },
    // What is open belongs to the company before; so do its polls and writes, which end with it.
    'company.switched': [
      { guard: 'isOwnSwitch', actions: 'read' },
      { target: '.leaving', actions: ['close', 'forgetStep', 'read', 'goHome'] },
    ],
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
      meta: { description: 'Waits for the journey’s code and the facts' },
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
      meta: { description: 'The journey’s code did not arrive, or it stopped with an error' },
    },
    unavailable: {
      meta: { description: 'The facts could not be read, or not those that the journey’s gates check' },
      on: {
        retry: { target: 'starting' },
        'facts.arrived': { target: 'starting', actions: 'learn' },
        'result.close': { description: pressLabel('Close'), ...closed },
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
          leftAlone,
          { guard: 'comesBack', target: 'leaving', actions: [...kept, 'goBack'] },
          { guard: 'isGuided', target: 'showing', actions: kept },
          { target: 'leaving', actions: [...kept, 'goHome'] },
        ],
      },
    },
    showing: {
      meta: { description: 'Shows the result while it reads the facts again' },
      // A journey that ends is not the last row: another follows, done or not.
      on: { 'facts.arrived': [offered, { actions: ['learn', 'tell'] }], retry: { actions: 'read' } },
    },
    returning: {
      meta: { description: 'A requirement of the page before now exists; returning to it is offered' },
      on: {
        'xstate.done.actor.step': [leftAlone, { target: 'leaving', actions: [...kept, 'goBack'] }],
        'next.accept': {
          description: pressLabel('Next', 'Back to'),
          target: 'leaving',
          actions: ['reuseFacts', 'goBack'],
        },
      },
    },
    offering: {
      meta: { description: 'The step is done; the next step is offered' },
      on: { ...onceDone, 'next.accept': { target: 'leaving', actions: ['reuseFacts', 'goNext'] } },
    },
    complete: {
      meta: { description: 'Every row of the guided path is done' },
      on: onceDone,
    },
    leaving: { meta: { description: 'The page goes to another address' } },
  },
});
