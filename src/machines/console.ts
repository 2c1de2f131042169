import type { AnyActorRef, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { CallName } from '#contract/calls.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { isCreated, isMadeBeside } from '#machines/lib/beside.ts';
import type { Draft } from '#machines/lib/draft.ts';
import type { JourneyOutput } from '#machines/lib/gate.ts';
import { blockers, hasResult, journeyOf, madeBy, nextJourney, rowAfter, type JourneyId } from './journeys.ts';
import { describedGuard } from '#machines/lib/describe.ts';
import { repetitionHelps } from '#rules/repetition.ts';
import { hasProvided, unreadFor } from './unblock.ts';

/** How a journey's page was opened: from the guided path, to return to another page afterwards, or directly. */
export interface JourneyLocation {
  journey: JourneyId;
  guided: boolean;
  /** Address to return to once this journey has provided what that page's gate requires. */
  back: `/${string}` | null;
  /** Whether another record is to be created: an existing one neither ends the journey nor leads back. */
  another?: true;
  /** The record that the address names, if it names one. */
  about?: string;
  /** The query of the address, for journey-specific parameters. */
  query: string;
}

/**
 * A journey's machine with its effects supplied; `input` derives its journey-specific input from the address, `draft`
 * reads what the user has not sent yet.
 */
export interface JourneyCode {
  machine: AnyStateMachine;
  input?: (query: URLSearchParams) => object;
  draft?: (guided: boolean) => Draft;
}

export interface ConsoleContext {
  /** Null on pages without a journey. */
  opening: JourneyLocation | null;
  /** The facts as last read; kept if a later reading fails. */
  facts: Facts | null;
  /** When they were read, in ms of the page's steady clock. */
  readAt: number;
  /** Why the last reading failed. */
  failure: Problem | null;
  /** The journey's code, once it is loaded. */
  code: JourneyCode | null;
  /** Why the code could not be loaded, or the error that stopped the journey. */
  error: unknown;
  /** The journey's machine; its last snapshot stays available after its end. */
  step: AnyActorRef | null;
  /** The journey's result. */
  made: { journey: JourneyId; result: unknown } | null;
  /** The row of the guided path that is offered next: see `nextStep`. */
  next: JourneyId | null;
}

export type ConsoleEvent =
  | { type: 'address.changed'; opening: JourneyLocation | null }
  | { type: 'journey.loaded'; journey: JourneyId; code: JourneyCode }
  | { type: 'journey.broken'; journey: JourneyId; error: unknown }
  /** The journey that opens was done before. */
  | { type: 'journey.completed' }
  | { type: 'facts.arrived'; facts: Facts }
  /** The journey knows the facts as its own change has left them. */
  | { type: 'facts.known'; facts: Facts }
  | { type: 'facts.failed'; failure: Problem }
  | { type: 'facts.stale' }
  | { type: 'subscription.switched' }
  /** Calls go out for another company from now on; `by` is the call that switched it. */
  | { type: 'company.switched'; by: CallName }
  | { type: 'xstate.done.actor.step'; output: JourneyOutput }
  | { type: 'xstate.error.actor.step'; error: unknown }
  | { type: 'next.accept' }
  | { type: 'another.start' }
  | { type: 'result.close' }
  | { type: 'retry' };

/** Navigation to an address; `done` is the journey that has just succeeded. */
export interface Go {
  type: 'go';
  to: string;
  done: JourneyId | null;
}

/** How long facts count as new, in ms: changes made by programs and other browsers cause no event here. */
export const freshFor = 10_000;

interface Args {
  context: ConsoleContext;
  event: ConsoleEvent;
}

const isSame = (one: JourneyLocation | null, other: JourneyLocation | null): boolean =>
  one !== null &&
  one.journey === other?.journey &&
  one.guided === other.guided &&
  one.back === other.back &&
  one.another === other.another &&
  one.about === other.about;

/** The facts of the event, else those of the context. */
const factsIn = ({ context, event }: Args): Facts | null =>
  event.type === 'facts.arrived' ? event.facts : context.facts;

/**
 * Why the journey cannot be opened: the facts, or those that its first gate checks, could not be read. Null if it can.
 */
export const unavailableBecause = ({ opening, facts, failure }: ConsoleContext): Problem | null =>
  failure ?? (opening && facts && unreadFor(opening.journey, facts));

/**
 * The first row of the guided path that is not done. Once all are, the row after the journey that has just ended, because
 * webhooks may complete that row before the user has seen it: a batch, for example. Null if there is none.
 */
export function nextStep({ opening, made }: Pick<ConsoleContext, 'opening' | 'made'>, facts: Facts): JourneyId | null {
  const isEnded = opening !== null && made?.journey === opening.journey;
  return nextJourney(facts) ?? (isEnded ? rowAfter(opening.journey, facts) : undefined) ?? null;
}

/** Whether the journey is still to create another record. */
const createsAnother = ({ opening, made }: ConsoleContext): boolean => opening?.another === true && made === null;

const hasGiven = (args: Args): boolean => {
  const { opening } = args.context;
  if (createsAnother(args.context)) return false;
  const facts = factsIn(args);
  return opening !== null && opening.guided && facts !== null && hasResult(opening.journey, facts);
};

/** The journeys whose own call creates a company and switches to it. */
const creates: Partial<Record<CallName, JourneyId>> = { createOrganisation: 'organisation', createCompany: 'company' };

const createsIt = ({ context: { opening }, event }: Args): boolean =>
  event.type === 'company.switched' && opening !== null && creates[event.by] === opening.journey;

const mayReturn = (args: Args): boolean => {
  const facts = factsIn(args);
  const { journey, back = null } = args.context.opening ?? {};
  if (journey === undefined || back === null || facts === null || createsAnother(args.context)) return false;
  return hasProvided(journey, back, facts);
};

/** Whether the page shows what there is of the step first, however it was opened. */
const asksFirst = (args: Args): boolean => {
  const { opening } = args.context;
  const facts = factsIn(args);
  if (opening === null || facts === null || createsAnother(args.context)) return false;
  return journeyOf(opening.journey).another?.asks === true && hasResult(opening.journey, facts);
};

/** Whether there is an earlier result of the step that can be shown: what follows it can be offered. */
const hasEarlier = (args: Args): boolean => {
  const { opening } = args.context;
  const facts = factsIn(args);
  if (asksFirst(args)) return true;
  if (opening === null || facts === null || madeBy(opening.journey, facts) === undefined) return false;
  return hasGiven(args) || mayReturn(args);
};

/** What the open form is to create was created elsewhere since the form was opened. */
const isMadeElsewhere = (args: Args): boolean => {
  const { opening, step, made } = args.context;
  const facts = factsIn(args);
  const kind = opening?.journey && journeyOf(opening.journey).resource;
  if (!step || !facts || made !== null || !isCreated(kind)) return false;
  return isMadeBeside(step.getSnapshot() as AnyMachineSnapshot, kind, facts); // journeys are machines
};

/** The guards of the console's machine. */
export const consoleGuards = {
  staysHere: describedGuard(
    'the page is open',
    ({ context, event }: Args): boolean => event.type === 'address.changed' && isSame(context.opening, event.opening),
  ),
  opensJourney: describedGuard(
    'the address is a journey’s',
    ({ event }: Args) => event.type === 'address.changed' && event.opening !== null,
  ),
  createsIt: describedGuard('the open journey has created it', createsIt),
  isOwnSwitch: describedGuard(
    'no journey is open, or the open one has created it',
    (args: Args): boolean =>
      args.event.type === 'company.switched' && (args.context.opening === null || createsIt(args)),
  ),
  isMeant: describedGuard(
    'the page is still open',
    ({ context, event }: Args) => 'journey' in event && event.journey === context.opening?.journey,
  ),
  isPartial: describedGuard(
    'a part of them could not be read',
    ({ context }: Args) => context.facts !== null && context.facts.unreadBecause !== null,
  ),
  /** A gate must not say that something is missing which a program has provided since. */
  mayHaveChanged: describedGuard(
    'they are ten seconds old, or what the journey requires is missing',
    (args: Args): boolean => {
      const { context, event } = args;
      const opening = event.type === 'address.changed' ? event.opening : null;
      const isOld = performance.now() - context.readAt >= freshFor;
      return (
        isOld || (opening !== null && context.facts !== null && blockers(opening.journey, context.facts).length > 0)
      );
    },
  ),
  isUnavailable: describedGuard('they could not be read', ({ context }: Args) => unavailableBecause(context) !== null),
  canHelp: describedGuard('a repetition can help', ({ context: { failure, facts } }: Args) => {
    const problem = failure ?? facts?.unreadBecause ?? null;
    return problem === null || repetitionHelps(problem);
  }),
  isReady: describedGuard('both are there', ({ context }: Args) => context.code !== null && context.facts !== null),
  asksFirst: describedGuard('it exists already', asksFirst),
  isMadeElsewhere: describedGuard('a different record was created meanwhile', isMadeElsewhere),
  isRepeatable: describedGuard('the step can be repeated', (args: Args) => {
    const { opening, facts } = args.context;
    if (!opening || !facts || journeyOf(opening.journey).another === undefined) return false;
    return asksFirst(args) || madeBy(opening.journey, facts) !== undefined;
  }),
  wasLeft: describedGuard(
    'it was left',
    ({ event }: Args) => event.type === 'xstate.done.actor.step' && event.output.type === 'cancelled',
  ),
  hasSucceeded: describedGuard(
    'it has reached its goal',
    ({ event }: Args) => event.type === 'xstate.done.actor.step' && event.output.type === 'succeeded',
  ),
  comesBack: describedGuard(
    'the page before requires it',
    ({ context }: Args) => typeof context.opening?.back === 'string',
  ),
  isGuided: describedGuard('opened from the guided path', ({ context }: Args) => context.opening?.guided === true),
  /** For journeys that do not end by themselves, such as the settings: the user returns by pressing a button. */
  mayReturn: describedGuard('the requirement of the page before exists', mayReturn),
  hasLost: describedGuard('it is no longer there', (args: Args) => !hasEarlier(args)),
  hasEarlier: describedGuard('it is there again', hasEarlier),
  offers: describedGuard(
    'done, and more steps follow',
    (args: Args) => hasGiven(args) && nextStep(args.context, factsIn(args) as Facts) !== null, // hasGiven has checked them
  ),
  completes: describedGuard('this step is done', hasGiven),
  /** The user has gone on from a journey that has nothing to show. */
  goesOn: describedGuard(
    'the user continues',
    ({ context: { opening, made }, event }: Args): boolean =>
      opening !== null &&
      journeyOf(opening.journey).continues === true &&
      (made !== null || (event.type === 'xstate.done.actor.step' && event.output.type === 'succeeded')),
  ),
};
