import { assign, setup } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { addressOf, hasResult, nextJourney, type JourneyId } from './journeys.ts';
import { hasProvided } from './ways.ts';

/** How a page was opened: from the guided path, or to come back to another page; else directly. */
export interface Opening {
  journey: JourneyId;
  guided: boolean;
  /** Path to return to once this journey has provided what that page's gate lacked. */
  back: `/${string}` | null;
}

export type WizardContext = Opening & { facts: Facts | null; next: JourneyId | null; destination: string | null };

export type WizardEvent =
  | { type: 'facts.arrived'; facts: Facts }
  | { type: 'journey.done' }
  | { type: 'journey.closed' }
  | { type: 'next.accept' }
  | { type: 'result.close' };

/**
 * What is next. It is pure: facts and the journey's end come in as events, `destination` is where the page goes.
 * From the guided path a success stays and offers the next step; opened to provide what another page lacked it goes
 * back there; opened directly, success and Cancel go to the root (behaviour, section 2).
 */
export const wizardMachine = setup({
  types: {
    context: {} as WizardContext,
    events: {} as WizardEvent,
    input: {} as Opening,
    meta: {} as { description: string },
  },
  guards: {
    comesBack: ({ context }) => context.back !== null,
    /** Pages that show rather than end, such as the settings, come back by the user's press. */
    mayReturn: ({ context, event }) =>
      context.back !== null &&
      event.type === 'facts.arrived' &&
      hasProvided(context.journey, context.back, event.facts),
    isGuided: ({ context }) => context.guided,
    offers: ({ context, event }) =>
      context.guided &&
      event.type === 'facts.arrived' &&
      hasResult(context.journey, event.facts) &&
      nextJourney(event.facts) !== undefined,
    completes: ({ context, event }) =>
      context.guided && event.type === 'facts.arrived' && hasResult(context.journey, event.facts),
  },
  actions: {
    learn: assign(({ event }) =>
      event.type === 'facts.arrived' ? { facts: event.facts, next: nextJourney(event.facts) ?? null } : {},
    ),
    goHome: assign({ destination: '/' }),
    goBack: assign({ destination: ({ context }) => context.back ?? '/' }),
    goNext: assign({ destination: ({ context }) => (context.next ? addressOf(context.next, { guided: true }) : '/') }),
  },
}).createMachine({
  id: 'wizard',
  context: ({ input }) => ({ ...input, facts: null, next: null, destination: null }),
  initial: 'working',
  states: {
    working: {
      meta: { description: 'The journey is under way' },
      on: {
        'facts.arrived': [
          { guard: 'mayReturn', target: 'returning', actions: 'learn' },
          { guard: 'offers', target: 'offering', actions: 'learn' },
          { guard: 'completes', target: 'complete', actions: 'learn' },
          { actions: 'learn' },
        ],
        'journey.done': [
          { guard: 'comesBack', target: 'leaving', actions: 'goBack' },
          { guard: 'isGuided', target: 'showing' },
          { target: 'leaving', actions: 'goHome' },
        ],
        'journey.closed': { target: 'leaving', actions: 'goHome' },
      },
    },
    showing: {
      meta: { description: 'The result is shown while the facts are read again' },
      on: {
        'facts.arrived': [
          { guard: 'offers', target: 'offering', actions: 'learn' },
          { guard: 'completes', target: 'complete', actions: 'learn' },
          { actions: 'learn' },
        ],
      },
    },
    returning: {
      meta: { description: 'What another page lacked is there; the way back to it is offered' },
      on: {
        'facts.arrived': { actions: 'learn' },
        'journey.done': { target: 'leaving', actions: 'goBack' },
        'journey.closed': { target: 'leaving', actions: 'goHome' },
        'next.accept': { target: 'leaving', actions: 'goBack' },
        'result.close': { target: 'leaving', actions: 'goHome' },
      },
    },
    offering: {
      meta: { description: 'The step is done and the next one is offered' },
      on: {
        'facts.arrived': [
          { guard: 'offers', actions: 'learn' },
          { guard: 'completes', target: 'complete', actions: 'learn' },
          { target: 'working', actions: 'learn' },
        ],
        'journey.closed': { target: 'leaving', actions: 'goHome' },
        'next.accept': { target: 'leaving', actions: 'goNext' },
        'result.close': { target: 'leaving', actions: 'goHome' },
      },
    },
    complete: {
      meta: { description: 'Every row of the guided path is done' },
      on: {
        'facts.arrived': [
          { guard: 'offers', target: 'offering', actions: 'learn' },
          { guard: 'completes', actions: 'learn' },
          { target: 'working', actions: 'learn' },
        ],
        'journey.closed': { target: 'leaving', actions: 'goHome' },
        'result.close': { target: 'leaving', actions: 'goHome' },
      },
    },
    leaving: { type: 'final', meta: { description: 'The page goes to its destination' } },
  },
});
