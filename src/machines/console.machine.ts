import {
  assign,
  cancel,
  emit,
  enqueueActions,
  fromCallback,
  raise,
  setup,
  spawnChild,
  stateIn,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from 'xstate';
import { describedGuard, pressLabel } from '#machines/lib/describe.ts';
import {
  consoleGuards,
  nextStep,
  unavailableBecause,
  type ConsoleContext,
  type ConsoleEvent,
  type Go,
} from './console.ts';
import { addressOf, type JourneyId } from './journeys.ts';

const going = ({ made }: ConsoleContext, to: string): Go => ({ type: 'go', to, done: made?.journey ?? null });

/** An actor that the program supplies; without it, tests send its events. */
const supplied = <Input>() => fromCallback<AnyEventObject, Input>(() => undefined);

const closed = { target: 'leaving', actions: 'goHome' } as const;
/** The journey has ended without a result. */
const leftAlone = { description: 'The journey ends', guard: 'wasLeft', ...closed } as const;

const offered = { guard: 'offers', target: 'offering', actions: 'tell' } as const;

/** Transitions of the page on new facts, for each state that receives them; `rest` is the default branch. */
const arrived = <Rest extends object>(rest: Rest) => [
  offered,
  { guard: 'completes' as const, target: 'complete' as const, actions: 'tell' as const },
  { ...rest, actions: 'tell' as const },
];

/** Transitions once the step is done; the journey may continue and create more. */
const onceDone = {
  'facts.arrived': arrived({ target: 'working' as const }),
  'xstate.done.actor.step': [leftAlone, { actions: 'keepMade' }],
  'result.close': closed,
} as const;

/** New facts of a state in which they are not being read: as old as those before. */
const known = [{ guard: 'isPartial', target: 'stale', actions: 'learn' }, { actions: 'learn' }] as const;
const readAnew = [{ guard: 'staysHere' }, { target: 'reading' }] as const;

/**
 * The console: reads the facts, loads the code of the journey at the address, opens it with both, receives its output,
 * and emits `go` to navigate. On the guided path a success stays on the page and offers the next step. A journey opened
 * to provide another page's missing requirement returns to that page. After a journey opened directly, success and
 * Cancel navigate to the root (behaviour, section 2). A journey ends with its company: once calls go out for another
 * one, the home page opens.
 *
 * The program supplies the actors. `readFacts` reads the facts and answers with `facts.arrived` or `facts.failed`; a
 * further reading stops the one before. `loadCode` loads a journey's code (`journey.loaded`, `journey.broken`). `listen`
 * passes on what the journey reports of the facts.
 */
export const consoleMachine = setup({
  types: {
    context: {} as ConsoleContext,
    events: {} as ConsoleEvent,
    emitted: {} as Go,
    meta: {} as { description: string },
  },
  actors: {
    readFacts: supplied<undefined>(),
    loadCode: supplied<{ journey: JourneyId | undefined }>(),
    listen: supplied<{ step: AnyActorRef | null; guided: boolean; journey: JourneyId | undefined }>(),
  },
  delays: {
    /** Older facts are read again for a new journey, because changes made in other tabs cause no event here. */
    freshFor: 10_000,
  },
  guards: {
    ...consoleGuards,
    isReading: describedGuard('the facts are being read', stateIn({ facts: 'reading' })),
  },
  actions: {
    readFacts: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('facts');
      enqueue.spawnChild('readFacts', { id: 'facts' });
    }),
    startAging: raise({ type: 'facts.aged' }, { id: 'aging', delay: 'freshFor' }),
    stopAging: cancel('aging'),
    load: enqueueActions(({ context, enqueue }) => {
      enqueue.stopChild('code');
      enqueue.spawnChild('loadCode', { id: 'code', input: { journey: context.opening?.journey } });
    }),
    open: assign(({ context, spawn }) => {
      const { code, opening, facts } = context;
      if (!code || !opening) return {};
      const start = spawn as unknown as (logic: AnyStateMachine, options: object) => AnyActorRef; // setup knows no journeys
      const own = code.input?.(new URLSearchParams(opening.query));
      return { step: start(code.machine, { id: 'step', input: { ...own, facts } }) };
    }),
    listen: spawnChild('listen', {
      id: 'listener',
      input: ({ context: { step, opening } }) => ({
        step,
        journey: opening?.journey,
        guided: opening?.guided === true,
      }),
    }),
    close: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('step');
      enqueue.stopChild('listener');
    }),
    tell: enqueueActions(({ context, event, enqueue }) => {
      const { step } = context;
      const runs = (step?.getSnapshot() as AnyMachineSnapshot | undefined)?.status === 'active'; // journeys are machines
      if (step && runs && !unavailableBecause(context)) enqueue.sendTo(step, event);
    }),
    take: assign(({ event }) =>
      event.type === 'address.changed' ? { opening: event.opening, code: null, step: null, made: null } : {},
    ),
    forgetStep: assign({ step: null, made: null }),
    learn: assign(({ context, event }) =>
      event.type === 'facts.arrived' ? { facts: event.facts, failure: null, next: nextStep(context, event.facts) } : {},
    ),
    assignFailure: assign(({ event }) => (event.type === 'facts.failed' ? { failure: event.failure } : {})),
    assignCode: assign(({ event }) => (event.type === 'journey.loaded' ? { code: event.code } : {})),
    assignError: assign(({ event }) => ('error' in event ? { error: event.error } : {})),
    keepMade: assign(({ context, event }) =>
      context.opening && event.type === 'xstate.done.actor.step' && event.output.type === 'succeeded'
        ? { made: { journey: context.opening.journey, result: event.output.result } }
        : {},
    ),
    passOn: enqueueActions(({ event, enqueue }) => {
      if (event.type === 'facts.known') enqueue.raise({ type: 'facts.arrived', facts: event.facts });
    }),
    useFacts: raise({ type: 'facts.used' }),
    reuseFacts: raise({ type: 'facts.reused' }),
    findResult: raise({ type: 'journey.completed' }),
    goHome: emit(({ context }) => going(context, '/')),
    goBack: emit(({ context }) => going(context, context.opening?.back ?? '/')),
    goNext: emit(({ context }) => going(context, context.next ? addressOf(context.next, { guided: true }) : '/')),
  },
}).createMachine({
  id: 'console',
  type: 'parallel',
  context: {
    opening: null,
    facts: null,
    failure: null,
    code: null,
    error: null,
    step: null,
    made: null,
    next: null,
  },
  states: {
    facts: {
      meta: { description: 'The facts that the journeys’ gates check' },
      initial: 'reading',
      on: {
        'facts.stale': { description: 'The facts may have changed', target: '.reading' },
        'facts.failed': { description: 'The facts do not arrive', target: '.failed', actions: 'assignFailure' },
        'subscription.switched': '.reading',
        'company.switched': '.reading',
        'xstate.done.actor.step': [{ description: 'The journey ends', guard: 'wasLeft' }, '.reading'],
        retry: '.reading',
        'facts.known': { description: 'The journey knows the facts after its change', actions: 'passOn' },
      },
      states: {
        reading: {
          meta: { description: 'The facts are being read' },
          entry: ['stopAging', 'readFacts'],
          on: {
            // What is being read may be older.
            'facts.known': { target: 'reading', reenter: true },
            'facts.arrived': [
              { guard: 'isPartial', target: 'stale', actions: 'learn' },
              { target: 'fresh', actions: ['learn', 'startAging'] },
            ],
          },
        },
        fresh: {
          meta: { description: 'The next journey opens with these facts' },
          on: {
            'facts.used': { description: 'A journey opens', target: 'used' },
            'facts.aged': { description: 'Ten seconds pass', target: 'stale' },
            'facts.arrived': known,
          },
        },
        used: {
          meta: { description: 'A journey has opened with these facts; the next journey needs newer facts' },
          on: {
            'facts.reused': { description: 'The offered step is accepted', target: 'fresh' },
            'facts.aged': { target: 'stale' },
            'facts.arrived': known,
            'address.changed': readAnew,
          },
        },
        stale: {
          meta: { description: 'These facts are old or incomplete; the next journey needs newer facts' },
          on: { 'facts.arrived': { actions: 'learn' }, 'address.changed': readAnew },
        },
        failed: {
          meta: { description: 'The last reading failed; earlier facts stay' },
          on: {
            'facts.known': 'reading',
            'address.changed': readAnew,
          },
        },
      },
    },
    page: {
      meta: { description: 'What the page shows' },
      initial: 'home',
      on: {
        'address.changed': [
          { guard: 'staysHere' },
          {
            description: 'Open a page',
            guard: 'opensJourney',
            target: '.deciding',
            actions: ['close', 'take'],
          },
          { target: '.home', actions: ['close', 'take'] },
        ],
        'facts.arrived': { actions: 'tell' },
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
        home: { meta: { description: 'No journey is open' } },
        deciding: {
          always: [
            { guard: 'isReading', target: 'loading' },
            { guard: 'isUnavailable', target: 'unavailable' },
            { guard: 'isReady', target: 'opening', actions: ['open', 'listen'] },
            { target: 'loading' },
          ],
        },
        loading: {
          meta: { description: 'Waits for the journey’s code and the facts' },
          on: {
            'journey.loaded': { guard: 'isMeant', target: 'deciding' },
            'journey.broken': { guard: 'isMeant', target: 'broken' },
            'facts.arrived': 'deciding',
            'facts.failed': 'deciding',
          },
        },
        broken: {
          meta: { description: 'The journey’s code did not arrive, or it stopped with an error' },
        },
        unavailable: {
          meta: { description: 'The facts could not be read, or not those that the journey’s gates check' },
          on: {
            retry: 'deciding',
            'facts.arrived': 'deciding',
            'result.close': { description: pressLabel('Close'), ...closed },
          },
        },
        opening: {
          entry: 'useFacts',
          always: [
            { guard: 'mayReturn', target: 'returning', actions: 'findResult' },
            { guard: 'offers', target: 'offering', actions: 'findResult' },
            { guard: 'completes', target: 'complete', actions: 'findResult' },
            { target: 'working' },
          ],
        },
        working: {
          meta: { description: 'The journey is under way' },
          on: {
            'facts.arrived': [{ guard: 'mayReturn', target: 'returning', actions: 'tell' }, ...arrived({})],
            'xstate.done.actor.step': [
              leftAlone,
              { guard: 'comesBack', target: 'leaving', actions: ['keepMade', 'goBack'] },
              { guard: 'isGuided', target: 'showing', actions: 'keepMade' },
              { target: 'leaving', actions: ['keepMade', 'goHome'] },
            ],
          },
        },
        showing: {
          meta: { description: 'Shows the result while newer facts are read' },
          // A journey that ends is not the last row: another follows, done or not.
          on: { 'facts.arrived': [offered, { actions: 'tell' }] },
        },
        returning: {
          meta: { description: 'A requirement of the page before now exists; returning to it is offered' },
          on: {
            'xstate.done.actor.step': [leftAlone, { target: 'leaving', actions: ['keepMade', 'goBack'] }],
            'result.close': closed,
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
    },
    code: {
      meta: { description: 'The code of the journey' },
      initial: 'none',
      on: {
        'address.changed': [{ guard: 'staysHere' }, { guard: 'opensJourney', target: '.loading' }, { target: '.none' }],
      },
      states: {
        none: { meta: { description: 'No journey is open' } },
        loading: {
          meta: { description: 'The code is being loaded' },
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
        loaded: { meta: { description: 'The journey can be opened' } },
        failed: { meta: { description: 'The journey’s code could not be loaded' } },
      },
    },
    earlier: {
      meta: { description: 'Whether the step was done before it was opened' },
      initial: 'none',
      on: {
        'address.changed': [{ guard: 'staysHere' }, { target: '.none' }],
        'subscription.switched': '.none',
      },
      states: {
        none: {
          meta: { description: 'It was not, or the page is not open yet' },
          on: {
            'journey.completed': { description: 'The step was done before', guard: 'isRepeatable', target: 'shown' },
          },
        },
        shown: {
          meta: { description: 'The earlier result is shown; the step can be started once more' },
          on: {
            'another.start': { description: pressLabel('Create another', 'Pay another'), target: 'another' },
          },
        },
        another: { meta: { description: 'The step is shown, for another result' } },
      },
    },
  },
});
