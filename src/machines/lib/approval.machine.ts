import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { describedGuard, pressLabel } from './describe.ts';
import { provideEffects, readOneTexts, type Run } from './effect.ts';
import type { Tag } from './state.ts';
import { failsTo, journeyActions, journeyGuards } from './journeyActions.ts';
import { poll, readingIn, type Reading } from './poll.ts';

/** What is asked about while the page is open, and what is known of it. */
export interface Approvable<Asked, Known> {
  asked: Asked;
  known: Known;
}

interface ApprovalContext<Asked, Known> extends Approvable<Asked, Known> {
  /** Whether it has been undecided for longer than expected. */
  overdue: boolean;
  failure: Problem | null;
}

/**
 * The provider's page, on which a person approves a subscription, a message or a batch: while it is open, that is polled
 * until it is decided. A failed poll does not close the page, which keeps its input. Whoever invokes it closes the page
 * by leaving. Effect: `watch`.
 */
export function approvalChart<Asked, Known>(isDecided: (known: Known) => boolean) {
  const reading = ({ event: { snapshot } }: { event: { snapshot: { context: unknown } } }) =>
    readingIn({ snapshot: snapshot as { context: Reading<Known> } }); // what `watch` answers about what is asked
  return setup({
    types: {
      context: {} as ApprovalContext<Asked, Known>,
      input: {} as Approvable<Asked, Known>,
      output: {} as Known,
      events: {} as { type: 'retry' },
      tags: {} as Tag,
      meta: {},
    },
    actors: { watch: poll<unknown, unknown>(readOneTexts('Its status')) }, // XState infers no types from type parameters
    guards: {
      isDecided: describedGuard(
        'it is decided',
        (_: object, { answer }: Reading<Known>) => answer !== null && isDecided(answer),
      ),
    },
    actions: {
      assignReading: assign(({ context }, { answer, overdue }: Reading<Known>) => ({
        known: answer ?? context.known,
        overdue,
      })),
    },
  })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .createMachine({
      id: 'approval',
      context: ({ input }) => ({ ...input, overdue: false, failure: null }),
      initial: 'waiting',
      output: ({ context }) => context.known,
      states: {
        waiting: {
          description: 'Polls until it is decided',
          invoke: {
            id: 'watch',
            src: 'watch',
            input: ({ context }: { context: Approvable<Asked, Known> }) => context.asked,
            onSnapshot: [
              {
                guard: { type: 'isDecided', params: reading },
                target: 'decided',
                actions: { type: 'assignReading', params: reading },
              },
              { actions: { type: 'assignReading', params: reading } },
            ],
            onError: failsTo('unanswered'),
          },
        },
        unanswered: {
          tags: ['failed'],
          description: 'Asking failed; the approval page stays open',
          on: {
            retry: {
              guard: 'canHelp',
              target: 'waiting',
              actions: 'clearFailure',
              description: pressLabel('Try again'),
            },
          },
        },
        decided: { type: 'final', description: 'The provider has decided' },
      },
    });
}

/** An approval with its effect. */
export const provideApproval = <Asked, Known>(
  machine: ReturnType<typeof approvalChart<Asked, Known>>,
  watch: Run<Asked, Known>,
) => provideEffects(machine, { watch: watch as Run<unknown, unknown> }); // it receives what the machine is asked
