import { assign, emit, type AnyMachineSnapshot } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { repetitionHelps } from '#rules/repetition.ts';
import { describedGuard } from './describe.ts';
import { failureOf } from './effect.ts';
import type { JourneyContext, JourneyEmitted } from './gate.ts';
import type { Invoking } from './state.ts';

type Change = Partial<JourneyContext & Invoking>;

/* eslint-disable @typescript-eslint/no-explicit-any -- an action is invariant in context and events, and these fit every journey's */
/** An action of several machines that assigns from its params. */
export const assigns = <Params>(change: (params: Params) => Change) =>
  assign<any, any, Params, any, never>((_, params) => change(params));

/** An action of several machines that assigns the same each time. */
const clears = (change: Change) => assign<any, any, undefined, any, never>(change);

const emits = <Emitted extends JourneyEmitted>(emitted: Emitted) => emit<any, any, undefined, any, Emitted>(emitted);
/* eslint-enable @typescript-eslint/no-explicit-any */

/** The actions of every journey. */
export const journeyActions = {
  assignFacts: assigns(({ facts }: { facts: Facts }) => ({ facts })),
  assignFailure: assigns(({ error }: { error: unknown }) => ({ failure: failureOf(error) })),
  clearFailure: clears({ failure: null }),
  emitFactsChanged: emits({ type: 'facts.changed' }),
};

/** Whether what has failed may have taken effect. */
export const isUnknown = ({ failure }: Pick<JourneyContext, 'failure'>): boolean =>
  failure !== null && (failure.outcome ?? 'unknown') === 'unknown';

/** The guards of every journey. */
export const journeyGuards = {
  canHelp: describedGuard(
    'a repetition can help',
    ({ context: { failure } }: { context: Pick<JourneyContext, 'failure'> }): boolean =>
      failure === null || repetitionHelps(failure),
  ),
  isUnknown: describedGuard(
    'it may have taken effect',
    ({ context }: { context: Pick<JourneyContext, 'failure'> }): boolean => isUnknown(context),
  ),
};

/** The actions of a journey that invokes a machine: it mirrors its state and its failure. */
export const invokingActions = {
  mirrorInvoked: assigns(({ snapshot }: { snapshot: AnyMachineSnapshot }) => ({
    invoked: snapshot,
    failure: (snapshot.context as Pick<JourneyContext, 'failure'>).failure, // of every machine that a journey invokes
  })),
  forgetInvoked: clears({ invoked: null }),
};

/** The journey mirrors the snapshots of the machine that it invokes. */
export const mirrored = {
  type: 'mirrorInvoked',
  params: ({ event }: { event: { snapshot: AnyMachineSnapshot } }) => event,
} as const;

/** The journey's failure is that of the effect which has just failed. */
export const assignsFailure = {
  type: 'assignFailure',
  params: ({ event }: { event: { error: unknown } }) => event,
} as const;

/** The transition of a failed effect: the failure is shown in the state `target`. */
export const failsTo = <const Target extends string>(target: Target) => ({ target, actions: assignsFailure }) as const;
