import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import type { ProgramVerdict } from '#contract/programShapes.ts';
import type { Tag } from '../lib/gate.ts';
import { actionTexts, effect, readOneTexts } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { describedGuard, pressLabel, type Reported } from '../lib/describe.ts';

/** The verdict, and when a webhook was first answered by the program's own receiver; '' if none was. */
export type FollowedVerdict = ProgramVerdict & { webhookAt: string };

type VerdictEvent = { type: 'scenario.run'; scenario: string } | { type: 'facts.stale' } | { type: 'retry' };

interface VerdictContext {
  verdict: FollowedVerdict | null;
  /** The scenario that was chosen last; '' before the first one. */
  scenario: string;
  failure: Problem | null;
}

/** Time (ms) after which the verdict is read again. */
export const verdictInterval = 2000;

const assignsVerdict = {
  type: 'assignVerdict',
  params: ({ event }: { event: { output: FollowedVerdict } }) => ({ verdict: event.output }),
} as const;

/**
 * The verdict of the latest verification of a program, which is followed while the page is open, and the run of one of
 * its scenarios. Effects: `readVerdict`, and `runScenario`, which takes the scenario's id.
 */
export const verdictMachine = setup({
  types: {
    context: {} as VerdictContext,
    events: {} as VerdictEvent,
    tags: {} as Tag,
    meta: {} as { description: string } | Reported,
  },
  actors: {
    readVerdict: effect<void, FollowedVerdict>('reads', readOneTexts('The verdict')),
    runScenario: effect<string, void>('writes', actionTexts('The scenario is started')),
  },
  delays: { verdictInterval },
  guards: {
    mayRun: describedGuard(
      'this console may start the program, none runs, and the scenario has failed',
      ({ context: { verdict }, event }: { context: VerdictContext; event: VerdictEvent }) =>
        event.type === 'scenario.run' &&
        verdict?.running === null &&
        verdict.blocked === '' &&
        (verdict.report?.failed ?? []).some(({ id }) => id === event.scenario),
    ),
  },
  actions: {
    choose: assign(({ event }) => (event.type === 'scenario.run' ? { scenario: event.scenario } : {})),
    assignVerdict: assign((_, { verdict }: { verdict: FollowedVerdict }) => ({ verdict })),
  },
})
  .extend({ actions: journeyActions, guards: journeyGuards })
  .createMachine({
    id: 'verdict',
    meta: { reports: ['facts.stale'] },
    context: { verdict: null, scenario: '', failure: null },
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
          'scenario.run': {
            guard: 'mayRun',
            target: 'starting',
            actions: 'choose',
            description: pressLabel('Run this scenario again'),
          },
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
          refused: {
            tags: ['failed'],
            meta: { description: 'The scenario was not started, or that is unknown' },
            on: { retry: { target: 'refreshing', description: pressLabel('Try again') } },
          },
        },
      },
      starting: {
        tags: ['list', 'busy'],
        meta: { description: 'Starts a scenario' },
        entry: 'clearFailure',
        invoke: {
          id: 'runScenario',
          src: 'runScenario',
          input: ({ context }) => context.scenario,
          onDone: 'rereading',
          onError: failsTo('shown.refused'),
        },
      },
      rereading: {
        tags: ['list'],
        meta: { description: 'Reads how far the scenario is; no other scenario can be started yet' },
        on: { 'facts.stale': { target: 'rereading', reenter: true } },
        invoke: {
          id: 'readVerdict',
          src: 'readVerdict',
          onDone: { target: 'shown', actions: assignsVerdict },
          onError: failsTo('unread'),
        },
      },
    },
  });
