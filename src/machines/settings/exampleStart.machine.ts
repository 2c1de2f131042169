import { setup } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { actionTexts, effect } from '../lib/effect.ts';
import type { Tag } from '../lib/gate.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';
import { missingExamples, type Change } from './changes.ts';

interface TakeExamples {
  type: 'examples.take';
  /** What the page shows. */
  facts: Facts;
}

const take = {
  'examples.take': { guard: 'hasExamples', target: 'saving', description: pressLabel('Start with examples') },
} as const;

/**
 * Begins the guided path with the examples of the sandbox, which saves the settings and fills each later form. Effect:
 * `start`, which takes the settings. Emits `facts.changed` once they are saved.
 */
export const exampleStartMachine = setup({
  types: {
    context: {} as { failure: Problem | null },
    events: {} as TakeExamples,
    emitted: {} as { type: 'facts.changed' },
    tags: {} as Tag,
    meta: {} as { description: string },
  },
  actors: { start: effect<readonly Change[], void>('writes', actionTexts('The settings are saved')) },
  guards: {
    hasExamples: describedGuard(
      'a setting with an example is not set',
      ({ event: { facts } }: { event: TakeExamples }) => missingExamples({ facts, queue: [] }).length > 0,
    ),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'exampleStart',
    context: { failure: null },
    initial: 'ready',
    states: {
      ready: { meta: { description: 'The settings are not chosen' }, on: take },
      saving: {
        tags: ['busy'],
        meta: { description: 'The settings are being saved' },
        entry: 'clearFailure',
        invoke: {
          id: 'start',
          src: 'start',
          input: ({ event }) => missingExamples({ facts: event.facts, queue: [] }),
          onDone: { target: 'started', actions: 'emitFactsChanged' },
          onError: failsTo('refused'),
        },
      },
      started: { type: 'final', tags: ['done'], meta: { description: 'The settings are saved' } },
      refused: {
        tags: ['failed'],
        meta: { description: 'The settings were not saved, or the outcome is unknown' },
        on: take,
      },
    },
  });
