import { assign, emit, setup } from 'xstate';
import { languageOfCountry } from '#contract/constants.ts';
import { member } from '#contract/member.ts';
import type { Alternative } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { failureOf, effect, actionTexts } from '../lib/effect.ts';

/** A subscription that is to become the current one. */
export interface Selection {
  subscriptionId: string;
  providerId: string;
  country: string;
  /** Absent if the country has no language assigned (behaviour, section 4). */
  language?: string;
}

/** The effect that makes a subscription the current one. */
export const select = effect<Selection, void>('writes', actionTexts('The choice is stored'));

/** A selection with the provider's country and that country's language (behaviour, section 4). */
export const selecting = ({ subscriptionId, providerId, country }: Omit<Selection, 'language'>): Selection => {
  const language = member(languageOfCountry, country);
  return { subscriptionId, providerId, country, ...(language === undefined ? {} : { language }) };
};

/** The selection that makes a stored subscription the current one. */
export const selectionOf = ({ subscription: { subscriptionId }, providerId, country }: Alternative): Selection =>
  selecting({ subscriptionId, providerId, country });

/**
 * Switches to another subscription at a gate. Effect: `select`. Emits `facts.changed` when it has switched, and
 * `facts.stale` when it may have switched although it failed.
 */
export const switchingMachine = setup({
  types: {
    context: {} as { selection: Selection | null; failure: Problem | null },
    events: {} as { type: 'subscription.use'; selection: Selection },
    emitted: {} as { type: 'facts.changed' } | { type: 'facts.stale' },
    meta: {} as { description: string },
  },
  actors: { select },
  actions: { emitFactsChanged: emit({ type: 'facts.changed' }), emitFactsStale: emit({ type: 'facts.stale' }) },
}).createMachine({
  id: 'switching',
  context: { selection: null, failure: null },
  initial: 'offering',
  states: {
    offering: {
      meta: { description: 'Another subscription is offered, with the reason of an earlier failure' },
      on: {
        'subscription.use': {
          target: 'selecting',
          actions: assign(({ event }) => ({ selection: event.selection, failure: null })),
        },
      },
    },
    selecting: {
      meta: { description: 'The choice is being stored' },
      invoke: {
        id: 'select',
        src: 'select',
        input: ({ context }) => context.selection as Selection, // entered only with a selection
        onDone: { target: 'switched', actions: 'emitFactsChanged' },
        onError: {
          target: 'offering',
          actions: [assign({ failure: ({ event }) => failureOf(event.error) }), 'emitFactsStale'],
        },
      },
    },
    switched: { type: 'final', meta: { description: 'The subscription is the current one' } },
  },
});
