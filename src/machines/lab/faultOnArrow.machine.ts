import { assign, emit, setup } from 'xstate';
import type { FaultRule } from '#contract/controlShapes.ts';
import type { Problem } from '#contract/problem.ts';
import { notAgain, type Repeat } from '#rules/replay.ts';
import { actionTexts, effect, failureOf } from '../lib/effect.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import type { Tag } from '../lib/state.ts';

/** A call to repeat with a fault; the rule's seed is a number of its own, by which it is found if its id is lost. */
export interface FaultedRun {
  rule: FaultRule;
  repeat: Repeat;
}

/** The new entry of the repeated call, and whether the call itself succeeded. */
export interface FaultedCall {
  id: string;
  succeeded: boolean;
}

type FaultEvent = ({ type: 'fault.run' } & FaultedRun) | { type: 'confirm' | 'dismiss' | 'retry' | 'lab.changed' };

interface FaultContext {
  run: FaultedRun | null;
  /** Why the call was not repeated. */
  failure: Problem | null;
  /** Why the fault could not be removed. */
  unremoved: Problem | null;
}

interface Args {
  context: FaultContext;
  event: FaultEvent;
}

const run = [
  {
    guard: 'isNewRequest',
    target: 'asking',
    actions: 'choose',
    description: pressLabel('Run it again'),
  },
  { guard: 'mayRepeat', target: 'running', actions: 'choose' },
] as const;

/**
 * Sets a fault for one call and repeats that call. A fault that the call did not reach is removed again, so that it
 * does not happen to another one: if the repeat failed, and for a fault of a call also if it succeeded. Faults of what
 * follows a call, such as its webhooks, stay until they happen. A new request is confirmed first. Effects: `run`, which
 * sets the fault and repeats the call, and `disarm`, which removes the rule if its fault has not happened. Emits `sent`
 * with the new entry, and `facts.changed` after each run.
 */
export const faultOnArrowMachine = setup({
  types: {
    context: {} as FaultContext,
    events: {} as FaultEvent,
    emitted: {} as { type: 'facts.changed' } | { type: 'sent'; id: string },
    tags: {} as Tag,
  },
  actors: {
    run: effect<FaultedRun | null, FaultedCall>('writes', actionTexts('The call was repeated')),
    disarm: effect<FaultedRun | null, boolean>('clears', actionTexts('The fault is no longer set')),
  },
  guards: {
    isNewRequest: describedGuard(
      'it becomes a new request',
      ({ event }: Args) => event.type === 'fault.run' && event.repeat.key === 'new' && notAgain(event.repeat) === '',
    ),
    mayRepeat: describedGuard(
      'the call may be sent again',
      ({ event }: Args) => event.type === 'fault.run' && notAgain(event.repeat) === '',
    ),
    happensLater: describedGuard(
      'the call succeeded, and the fault is one of what follows it',
      ({ context }: Args, { succeeded }: FaultedCall) => succeeded && context.run?.rule.on !== 'call',
    ),
    wasRefused: describedGuard('the call was not repeated', ({ context }: Args) => context.failure !== null),
    wasReached: describedGuard('the fault had happened', (_: unknown, removed: boolean) => !removed),
  },
  actions: {
    choose: assign(({ event }) =>
      event.type === 'fault.run' ? { run: { rule: event.rule, repeat: event.repeat } } : {},
    ),
    clearFailures: assign({ failure: null, unremoved: null }),
    assignUnremoved: assign((_, { error }: { error: unknown }) => ({ unremoved: failureOf(error) })),
    clearUnremoved: assign({ unremoved: null }),
    emitSent: emit((_, { id }: FaultedCall) => ({ type: 'sent', id }) as const),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'faultOnArrow',
    meta: { reports: ['lab.changed'] },
    context: { run: null, failure: null, unremoved: null },
    initial: 'ready',
    states: {
      ready: { description: 'A fault can be chosen, and the call run again', on: { 'fault.run': run } },
      asking: {
        description: 'Asks before the call is sent as a new request',
        on: {
          confirm: { target: 'running', description: pressLabel('Run it again') },
          dismiss: { target: 'ready', description: pressLabel('Cancel') },
        },
      },
      running: {
        tags: ['busy'],
        description: 'Sets the fault and sends the call again',
        entry: 'clearFailures',
        exit: 'emitFactsChanged',
        invoke: {
          id: 'run',
          src: 'run',
          input: ({ context }) => context.run,
          onDone: [
            {
              guard: { type: 'happensLater', params: ({ event }) => event.output },
              target: 'ready',
              actions: { type: 'emitSent', params: ({ event }) => event.output },
            },
            { target: 'disarming', actions: { type: 'emitSent', params: ({ event }) => event.output } },
          ],
          onError: failsTo('disarming'),
        },
      },
      disarming: {
        tags: ['busy'],
        description: 'Removes the fault if it has not happened',
        invoke: {
          id: 'disarm',
          src: 'disarm',
          input: ({ context }) => context.run,
          onDone: [
            { guard: 'wasRefused', target: 'refused' },
            { guard: { type: 'wasReached', params: ({ event }) => event.output }, target: 'ready' },
            { target: 'unreached' },
          ],
          onError: {
            target: 'armed',
            actions: { type: 'assignUnremoved', params: ({ event }: { event: { error: unknown } }) => event },
          },
        },
      },
      refused: {
        tags: ['failed'],
        description: 'The call was not run again; its fault is not set',
        on: { 'fault.run': run },
      },
      unreached: {
        description: 'The call was sent again without reaching the fault, which was removed',
        on: { 'fault.run': run },
      },
      armed: {
        tags: ['failed'],
        description: 'The fault may still be set: it could not be removed',
        on: {
          retry: { target: 'disarming', actions: 'clearUnremoved', description: pressLabel('Remove the fault') },
          // Somebody may have removed it, as by "Stop all".
          'lab.changed': {
            target: 'disarming',
            actions: 'clearUnremoved',
            description: 'the faults of the lab have changed',
          },
        },
      },
    },
  });
