import { assign, emit, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { pressLabel } from '../lib/describe.ts';
import type { Tag } from '../lib/gate.ts';
import { journeyActions } from '../lib/journeyActions.ts';
import { select, type Selection } from './switching.ts';

/**
 * Switches to another subscription at a gate. Effect: `select`. Emits `facts.changed` when it has switched, and
 * `facts.stale` when it may have switched although it failed.
 */
export const switchingMachine = setup({
  types: {
    context: {} as { selection: Selection | null; failure: Problem | null },
    events: {} as { type: 'subscription.use'; selection: Selection },
    emitted: {} as { type: 'facts.changed' } | { type: 'facts.stale' },
    tags: {} as Tag,
    meta: {} as { description: string },
  },
  actors: { select },
  actions: {
    assignSelection: assign((_, { selection }: { selection: Selection }) => ({ selection })),
    emitFactsStale: emit({ type: 'facts.stale' }),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'switching',
    context: { selection: null, failure: null },
    initial: 'offering',
    states: {
      offering: {
        meta: { description: 'Another subscription is offered, with the reason of an earlier failure' },
        on: {
          'subscription.use': {
            target: 'selecting',
            actions: { type: 'assignSelection', params: ({ event }) => event },
            description: pressLabel('Use …'),
          },
        },
      },
      selecting: {
        tags: ['busy'],
        meta: { description: 'The choice is being stored' },
        entry: 'clearFailure',
        invoke: {
          id: 'select',
          src: 'select',
          input: ({ context }) => context.selection as Selection, // entered only with a selection
          onDone: { target: 'switched', actions: 'emitFactsChanged' },
          onError: {
            target: 'offering',
            actions: [{ type: 'assignFailure', params: ({ event }) => event }, 'emitFactsStale'],
          },
        },
      },
      switched: { type: 'final', tags: ['done'], meta: { description: 'The subscription is the current one' } },
    },
  });
