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
import { describedGuard, type Reported } from '#machines/lib/describe.ts';
import {
  consoleGuards,
  nextStep,
  unavailableBecause,
  type ConsoleContext,
  type ConsoleEvent,
  type Go,
} from './console.ts';
import { addressOf, hasResult, type JourneyId } from './journeys.ts';

const going = ({ made }: ConsoleContext, to: string): Go => ({ type: 'go', to, done: made?.journey ?? null });

/** An actor that the program supplies; without it, tests send its events. */
const supplied = <Input>() => fromCallback<AnyEventObject, Input>(() => undefined);

/**
 * What the console's machine is made of. The program supplies the actors: `readFacts` reads the facts and answers with
 * `facts.arrived` or `facts.failed`; a further reading stops the one before. `loadCode` loads a journey's code
 * (`journey.loaded`, `journey.broken`). `listen` passes on what the journey reports of the facts.
 */
export const consoleSetup = setup({
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
