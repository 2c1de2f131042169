import { pressLabel, describedGuard, type Reported } from '#machines/lib/describe.ts';
import {
  type ConsoleEvent,
  consoleGuards,
  nextStep,
  unavailableBecause,
  type ConsoleContext,
  type Go,
} from './console.ts';
import {
  assign,
  emit,
  enqueueActions,
  fromCallback,
  or,
  raise,
  setup,
  spawnChild,
  stateIn,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from 'xstate';
import { addressOf, hasResult, type JourneyId } from './journeys.ts';

const going = ({ made }: ConsoleContext, to: string): Go => ({ type: 'go', to, done: made?.journey ?? null });

/** An actor that the program supplies; without it, tests send its events. */
const supplied = <Input>() => fromCallback<AnyEventObject, Input>(() => undefined);

/**
 * What the console's machine is made of. The program supplies the actors: `readFacts` reads the facts and answers with
 * `facts.arrived` or `facts.failed`; a further reading stops the one before. `loadCode` loads a journey's code
 * (`journey.loaded`, `journey.broken`). `listen` passes on what the journey reports of the facts.
 */
const consoleSetup = setup({
  types: {
    context: {} as ConsoleContext,
    events: {} as ConsoleEvent,
    emitted: {} as Go,
    /** The step is done, and what follows it is offered. */
    tags: {} as 'offered',
    meta: {} as Reported,
  },
  actors: {
    readFacts: supplied<undefined>(),
    loadCode: supplied<{ journey: JourneyId | undefined }>(),
    listen: supplied<{ step: AnyActorRef | null; journey: JourneyId | undefined }>(),
  },
  guards: {
    isReading: describedGuard('the facts are being read', stateIn({ facts: 'reading' })),
    showsEarlier: describedGuard(
      'an earlier result is shown',
      or([stateIn({ result: 'earlier' }), stateIn({ result: 'meanwhile' })]),
    ),
  },
  actions: {
    readFacts: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('facts');
      enqueue.spawnChild('readFacts', { id: 'facts' });
    }),
    load: enqueueActions(({ context, enqueue }) => {
      enqueue.stopChild('code');
      enqueue.spawnChild('loadCode', { id: 'code', input: { journey: context.opening?.journey } });
    }),
    open: assign(({ context, spawn }) => {
      const { code, opening, facts } = context;
      if (!code || !opening) return {};
      const start = spawn as unknown as (logic: AnyStateMachine, options: object) => AnyActorRef; // setup knows no journeys
      const own = code.input?.(new URLSearchParams(opening.query));
      const draft = code.draft?.(opening.guided && facts !== null && !hasResult(opening.journey, facts)); // examples are for the first one
      return { step: start(code.machine, { id: 'step', input: Object.assign({ facts }, own, draft && { draft }) }) };
    }),
    listen: spawnChild('listen', {
      id: 'listener',
      input: ({ context: { step, opening } }) => ({ step, journey: opening?.journey }),
    }),
    close: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('step');
      enqueue.stopChild('listener');
    }),
    passOnToStep: enqueueActions(({ context, event, enqueue }) => {
      const { step } = context;
      const runs = (step?.getSnapshot() as AnyMachineSnapshot | undefined)?.status === 'active'; // journeys are machines
      if (step && runs && !unavailableBecause(context)) enqueue.sendTo(step, event);
    }),
    assignOpening: assign(({ event }) =>
      event.type === 'address.changed' ? { opening: event.opening, code: null, step: null, made: null } : {},
    ),
    forgetStep: assign({ step: null, made: null }),
    assignFacts: assign(({ context, event }) =>
      event.type === 'facts.arrived' ? { facts: event.facts, failure: null, next: nextStep(context, event.facts) } : {},
    ),
    noteTime: assign(() => ({ readAt: performance.now() })),
    assignFailure: assign(({ event }) => (event.type === 'facts.failed' ? { failure: event.failure } : {})),
    assignCode: assign(({ event }) => (event.type === 'journey.loaded' ? { code: event.code } : {})),
    assignError: assign(({ event }) => ('error' in event ? { error: event.error } : {})),
    keepMade: assign(({ context, event }) =>
      context.opening && event.type === 'xstate.done.actor.step' && event.output.type === 'succeeded'
        ? { made: { journey: context.opening.journey, result: event.output.result } }
        : {},
    ),
    raiseArrived: enqueueActions(({ event, enqueue }) => {
      if (event.type === 'facts.known') enqueue.raise({ type: 'facts.arrived', facts: event.facts });
    }),
    findResult: raise({ type: 'journey.completed' }),
    goHome: emit(({ context }) => going(context, '/')),
    goBack: emit(({ context }) => going(context, context.opening?.back ?? '/')),
    // If the page's own step is the next one again, the root says so: its own address would open nothing.
    goNext: emit(({ context }) => {
      const { next, opening } = context;
      const isOther = next !== null && next !== opening?.journey;
      return going(context, isOther ? addressOf(next, { guided: true }) : '/');
    }),
  },
}).extend({ guards: consoleGuards });

/** The facts: when they are read, and whether the next journey may open with those that are there. */
const factsRegion = consoleSetup.createStateConfig({
  description: 'The facts that the journeys’ gates check',
  initial: 'reading',
  on: {
    'facts.stale': { description: 'The facts may have changed', target: '.reading' },
    'facts.failed': { description: 'The facts do not arrive', target: '.failed', actions: 'assignFailure' },
    'subscription.switched': '.reading',
    // A journey that creates a company ends with it, and then the facts are read.
    'company.switched': [{ guard: 'createsIt' }, '.reading'],
    'xstate.done.actor.step': [{ description: 'The journey ends', guard: 'wasLeft' }, '.reading'],
    retry: { guard: 'canHelp', target: '.reading' },
    'facts.known': { description: 'The journey knows the facts after its change', actions: 'raiseArrived' },
  },
  states: {
    reading: {
      description: 'The facts are being read',
      entry: 'readFacts',
      on: {
        // What is being read may be older.
        'facts.known': { target: 'reading', reenter: true },
        'facts.arrived': { target: 'known', actions: ['assignFacts', 'noteTime'] },
      },
    },
    known: {
      description: 'The journeys open with these facts, unless they are old or incomplete, or something is missing',
      on: {
        'facts.arrived': { actions: 'assignFacts' },
        'address.changed': [
          { guard: 'staysHere' },
          { guard: 'isPartial', target: 'reading' },
          { guard: 'mayHaveChanged', target: 'reading' },
        ],
      },
    },
    failed: {
      description: 'The last reading failed; earlier facts stay',
      on: {
        'facts.known': 'reading',
        'address.changed': [{ guard: 'staysHere' }, { target: 'reading' }],
      },
    },
  },
});

const closed = { target: 'leaving', actions: 'goHome' } as const;
/** The journey has ended without a result. */
const leftAlone = { description: 'The journey ends', guard: 'wasLeft', target: 'leaving', actions: 'goHome' } as const;

/** The user has gone on to the next step, or to the root after the last one. */
const goesOn = { guard: 'goesOn', target: 'leaving', actions: ['keepMade', 'goNext'] } as const;

const offered = { guard: 'offers', target: 'offering', actions: 'passOnToStep' } as const;

/** Transitions of the page on new facts, for each state that receives them; `rest` is the default branch. */
const arrived = <Rest extends object>(rest: Rest) => [
  offered,
  { guard: 'completes' as const, target: 'complete' as const, actions: 'passOnToStep' as const },
  { ...rest, actions: 'passOnToStep' as const },
];

/** Once the step is done, the journey may continue and create more. */
const continues = arrived({ target: 'working' as const });
const endsAgain = [leftAlone, goesOn, { actions: 'keepMade' }] as const;

/** The page: opens the journey at the address, and offers what follows its end. */
const pageRegion = consoleSetup.createStateConfig({
  description: 'What the page shows',
  initial: 'home',
  on: {
    'address.changed': [
      { guard: 'staysHere' },
      {
        description: 'Open a page',
        guard: 'opensJourney',
        target: '.deciding',
        actions: ['close', 'assignOpening'],
      },
      { target: '.home', actions: ['close', 'assignOpening'] },
    ],
    'facts.arrived': { actions: 'passOnToStep' },
    // A form that was opened beside fewer records is opened anew, with what was typed.
    'another.start': { guard: 'isMadeElsewhere', target: '.deciding', actions: ['close', 'forgetStep'] },
    'subscription.switched': {
      description: 'Another subscription is current',
      target: '.deciding',
      actions: ['close', 'forgetStep'],
    },
    // What is open belongs to the company before; so do its polls and writes, which end with it.
    'company.switched': [
      { description: 'Another company is current', guard: 'isOwnSwitch' },
      { target: '.leaving', actions: ['close', 'forgetStep', 'goHome'] },
    ],
    'xstate.error.actor.step': {
      description: 'The journey stops with an error',
      target: '.broken',
      actions: 'assignError',
    },
  },
  states: {
    home: { description: 'No journey is open' },
    deciding: {
      always: [
        { guard: 'isReading', target: 'loading' },
        { guard: 'isUnavailable', target: 'unavailable' },
        { guard: 'isReady', target: 'opening', actions: ['open', 'listen'] },
        { target: 'loading' },
      ],
    },
    loading: {
      description: 'Waits for the journey’s code and the facts',
      on: {
        'journey.loaded': { guard: 'isMeant', target: 'deciding' },
        'journey.broken': { guard: 'isMeant', target: 'broken' },
        'facts.arrived': 'deciding',
        'facts.failed': 'deciding',
      },
    },
    broken: {
      description: 'The journey’s code did not arrive, or it stopped with an error',
    },
    unavailable: {
      description: 'The facts could not be read, or not those that the journey’s gates check',
      on: {
        retry: { guard: 'canHelp', target: 'deciding' },
        'facts.arrived': 'deciding',
        'result.close': { description: pressLabel('Close'), target: 'leaving', actions: 'goHome' },
      },
    },
    opening: {
      always: [
        { guard: 'mayReturn', target: 'returning', actions: 'findResult' },
        { guard: 'offers', target: 'offering', actions: 'findResult' },
        { guard: 'completes', target: 'complete', actions: 'findResult' },
        { guard: 'asksFirst', target: 'working', actions: 'findResult' },
        { target: 'working' },
      ],
    },
    working: {
      description: 'The journey is under way',
      on: {
        'result.close': { guard: 'showsEarlier', target: 'leaving', actions: 'goHome' },
        'facts.arrived': [{ guard: 'mayReturn', target: 'returning', actions: 'passOnToStep' }, ...arrived({})],
        'xstate.done.actor.step': [
          leftAlone,
          { guard: 'comesBack', target: 'leaving', actions: ['keepMade', 'goBack'] },
          { guard: 'isGuided', target: 'showing', actions: 'keepMade' },
          { target: 'leaving', actions: ['keepMade', 'goHome'] },
        ],
      },
    },
    showing: {
      description: 'Shows the result while newer facts are read',
      // A journey that ends is not the last row: another follows, done or not.
      on: { 'facts.arrived': [goesOn, offered, { actions: 'passOnToStep' }] },
    },
    returning: {
      tags: ['offered'],
      description: 'A requirement of the page before now exists; returning to it is offered',
      on: {
        'xstate.done.actor.step': [leftAlone, { target: 'leaving', actions: ['keepMade', 'goBack'] }],
        'result.close': closed,
        'next.accept': {
          description: pressLabel('Next', 'Back to'),
          target: 'leaving',
          actions: 'goBack',
        },
      },
    },
    offering: {
      tags: ['offered'],
      description: 'The step is done; the next step is offered',
      on: {
        'facts.arrived': continues,
        'xstate.done.actor.step': endsAgain,
        'result.close': closed,
        'next.accept': { target: 'leaving', actions: 'goNext' },
      },
    },
    complete: {
      tags: ['offered'],
      description: 'Every row of the guided path is done',
      on: { 'facts.arrived': continues, 'xstate.done.actor.step': endsAgain, 'result.close': closed },
    },
    leaving: { description: 'The page goes to another address' },
  },
});

/** The code of the journey at the address. */
const codeRegion = consoleSetup.createStateConfig({
  description: 'The code of the journey',
  initial: 'none',
  on: {
    'address.changed': [{ guard: 'staysHere' }, { guard: 'opensJourney', target: '.loading' }, { target: '.none' }],
  },
  states: {
    none: { description: 'No journey is open' },
    loading: {
      description: 'The code is being loaded',
      entry: 'load',
      on: {
        'journey.loaded': {
          description: 'The journey’s code arrives',
          guard: 'isMeant',
          target: 'loaded',
          actions: 'assignCode',
        },
        'journey.broken': {
          description: 'The journey’s code does not arrive',
          guard: 'isMeant',
          target: 'failed',
          actions: 'assignError',
        },
      },
    },
    loaded: { description: 'The journey can be opened' },
    failed: { description: 'The journey’s code could not be loaded' },
  },
});

/**
 * The record that the page shows in place of the step: an earlier one until the user asks for another one, as long as it
 * exists; then the journey's own, once newer facts name it.
 */
const resultRegion = consoleSetup.createStateConfig({
  description: 'The record that is shown in place of the step',
  initial: 'none',
  on: {
    'address.changed': [{ guard: 'staysHere' }, { target: '.none' }],
    'subscription.switched': '.none',
    'company.switched': [{ guard: 'isOwnSwitch' }, { target: '.none' }],
    'xstate.done.actor.step': { description: 'The journey ends', guard: 'hasSucceeded', target: '.awaited' },
  },
  states: {
    none: {
      description: 'The step was not done before, or the page is not open yet',
      on: {
        'journey.completed': { description: 'The step was done before', guard: 'isRepeatable', target: 'earlier' },
        'facts.arrived': { guard: 'isMadeElsewhere', target: 'meanwhile' },
      },
    },
    earlier: {
      description: 'The earlier result is shown; the step can be started once more',
      on: {
        'another.start': { description: pressLabel('Create another', 'Pay another'), target: 'another' },
        'facts.arrived': { guard: 'hasLost', target: 'gone' },
      },
    },
    gone: {
      description: 'The earlier result is no longer there; the step is shown',
      on: { 'facts.arrived': { guard: 'hasEarlier', target: 'earlier' } },
    },
    meanwhile: {
      description:
        'Another tab or a program has created what the form was to create: asks before creating a second one',
      on: {
        'another.start': 'another',
        'facts.arrived': [{ guard: 'isMadeElsewhere' }, { target: 'another' }],
      },
    },
    another: {
      description: 'The step is shown, for another result',
      on: { 'facts.arrived': { guard: 'isMadeElsewhere', target: 'meanwhile' } },
    },
    awaited: {
      description: 'The journey has ended; its record is not read yet',
      on: { 'facts.arrived': 'own' },
    },
    own: { description: 'The record of the journey that has ended is shown' },
  },
});

/** What effects of the page and the open journey report, and the machine to itself. */
const reports: readonly ConsoleEvent['type'][] = [
  'facts.known' as const,
  'facts.failed' as const,
  'facts.stale' as const,
  'journey.loaded' as const,
  'journey.broken' as const,
  'journey.completed' as const,
  'subscription.switched' as const,
  'company.switched' as const,
];

/**
 * The console: reads the facts, loads the code of the journey at the address, opens it with both, receives its output,
 * and emits `go` to navigate. On the guided path a success stays on the page and offers the next step. A journey opened
 * to provide another page's missing requirement returns to that page. After a journey opened directly, success and
 * Cancel navigate to the root (behaviour, section 2). A journey ends with its company: once calls go out for another
 * one, the home page opens.
 */
export const consoleMachine = consoleSetup.createMachine({
  id: 'console',
  meta: { reports },
  type: 'parallel',
  context: {
    opening: null,
    facts: null,
    readAt: 0,
    failure: null,
    code: null,
    error: null,
    step: null,
    made: null,
    next: null,
  },
  states: { facts: factsRegion, page: pageRegion, code: codeRegion, result: resultRegion },
});
