import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import type { ProgramVerdict } from '#contract/programShapes.ts';
import type { Tag } from '../lib/gate.ts';
import { effect, readOneTexts } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { pressLabel, type Reported } from '../lib/describe.ts';

/** The verdict, and when a webhook was first answered by the program's own receiver; '' if none was. */
export type FollowedVerdict = ProgramVerdict & { webhookAt: string };

type VerdictEvent = { type: 'facts.stale' } | { type: 'retry' };

interface VerdictContext {
  verdict: FollowedVerdict | null;
  failure: Problem | null;
}

/** Time (ms) after which the verdict is read again. */
export const verdictInterval = 2000;

const assignsVerdict = {
  type: 'assignVerdict',
  params: ({ event }: { event: { output: FollowedVerdict } }) => ({ verdict: event.output }),
} as const;

/** The verdict of the latest verification of a program, which is followed while the page is open. Effect: `readVerdict`. */
export const verdictMachine = setup({
  types: {
    context: {} as VerdictContext,
    events: {} as VerdictEvent,
    tags: {} as Tag,
    meta: {} as { description: string } | Reported,
  },
  actors: {
    readVerdict: effect<void, FollowedVerdict>('reads', readOneTexts('The verdict')),
  },
  delays: { verdictInterval },
  actions: {
    assignVerdict: assign((_, { verdict }: { verdict: FollowedVerdict }) => ({ verdict })),
  },
})
  .extend({ actions: journeyActions, guards: journeyGuards })
  .createMachine({
    id: 'verdict',
    meta: { reports: ['facts.stale'] },
    context: { verdict: null, failure: null },
    initial: 'reading',
    states: {
      reading: {
        tags: ['busy'],
        meta: { description: 'Reads the verdict' },
        entry: 'clearFailure',
        invoke: {
          id: 'readVerdict',
          src: 'readVerdict',
          onDone: { target: 'shown', actions: assignsVerdict },
          onError: failsTo('unread'),
        },
      },
      unread: {
        tags: ['failed'],
        meta: { description: 'The verdict could not be read' },
        on: {
          retry: { guard: 'canHelp', target: 'reading', description: pressLabel('Try again') },
          'facts.stale': { target: 'reading' },
        },
      },
      shown: {
        tags: ['list'],
        meta: { description: 'The verdict as last read is shown' },
        initial: 'followed',
        on: {
          'facts.stale': { target: '.refreshing', description: 'The page becomes visible' },
        },
        states: {
          followed: {
            meta: { description: 'The verdict may have changed' },
            after: { verdictInterval: { target: 'refreshing', description: 'After two seconds' } },
          },
          refreshing: {
            meta: { description: 'Reads the verdict again; the previous one stays' },
            invoke: {
              id: 'readVerdict',
              src: 'readVerdict',
              onDone: { target: 'followed', actions: assignsVerdict },
              onError: failsTo('#verdict.unread'),
            },
          },
        },
      },
    },
  });
