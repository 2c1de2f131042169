import { setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import type { Tag } from '../lib/gate.ts';
import { effect, actionTexts } from '../lib/effect.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';
import { pressLabel } from '../lib/describe.ts';

const ask = { 'empty.ask': { target: 'asking', description: pressLabel('Empty the sandbox …') } } as const;

/**
 * Empties the sandbox once the user confirms. Effect: `empty`. Emits `facts.changed` when it may have been emptied,
 * because the console's companies end with it.
 */
export const emptyingMachine = setup({
  types: {
    context: {} as { failure: Problem | null },
    events: {} as { type: 'empty.ask' } | { type: 'confirm' } | { type: 'dismiss' },
    emitted: {} as { type: 'facts.changed' },
    tags: {} as Tag,
    meta: {} as { description: string },
  },
  actors: { empty: effect<void, void>('writes', actionTexts('It is empty')) },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'emptying',
    context: { failure: null },
    initial: 'resting',
    states: {
      resting: { meta: { description: 'The sandbox can be emptied' }, on: ask },
      asking: {
        meta: { description: 'Asks before everything in the sandbox is deleted' },
        on: {
          confirm: { target: 'emptying', description: pressLabel('Empty the sandbox') },
          dismiss: { target: 'resting', description: pressLabel('Cancel') },
        },
      },
      emptying: {
        tags: ['busy'],
        meta: { description: 'The sandbox is emptied' },
        entry: 'clearFailure',
        invoke: { id: 'empty', src: 'empty', onDone: { target: 'emptied' }, onError: failsTo('refused') },
      },
      emptied: { meta: { description: 'The sandbox is empty' }, entry: 'emitFactsChanged', on: ask },
      refused: {
        tags: ['failed'],
        meta: { description: 'The sandbox was not emptied, or the outcome is unknown' },
        entry: 'emitFactsChanged',
        on: ask,
      },
    },
  });
