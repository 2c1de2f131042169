import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { readOneTexts } from '../lib/effect.ts';
import type { Meta, Tag } from '../lib/gate.ts';
import { journeyActions } from '../lib/journeyActions.ts';
import { poll, readingIn, type Reading } from '../lib/poll.ts';
import type { Invoking } from '../lib/state.ts';
import { isDecided, type SubscriptionRow } from './rows.ts';

/** The effect that polls a subscription. */
const watchRow = poll<SubscriptionRow, SubscriptionRow>(readOneTexts('The subscription'));

interface ApprovalContext {
  /** The subscription as last read. */
  row: SubscriptionRow;
  /** Whether it has been undecided for longer than expected. */
  overdue: boolean;
  failure: Problem | null;
}

/**
 * The provider's page, on which a person approves a subscription: while it is open, the subscription is polled until it
 * is decided. A failed poll does not close the page, which keeps its input. Whoever invokes it closes the page by
 * leaving. Effect: `watchRow`.
 */
export const approvalMachine = setup({
  types: {
    context: {} as ApprovalContext,
    input: {} as SubscriptionRow,
    output: {} as SubscriptionRow,
    events: {} as { type: 'retry' },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: { watchRow },
  guards: {
    isDecided: describedGuard(
      'it is decided',
      (_: object, { answer }: Reading<SubscriptionRow>) => answer !== null && isDecided(answer),
    ),
  },
  actions: {
    assignReading: assign(({ context }, { answer, overdue }: Reading<SubscriptionRow>) => ({
      row: answer ?? context.row,
      overdue,
    })),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'approval',
    context: ({ input }) => ({ row: input, overdue: false, failure: null }),
    initial: 'waiting',
    output: ({ context }) => context.row,
    states: {
      waiting: {
        meta: { description: 'Polls the subscription until it is decided' },
        invoke: {
          id: 'watchRow',
          src: 'watchRow',
          input: ({ context }) => context.row,
          onSnapshot: [
            {
              guard: { type: 'isDecided', params: ({ event }) => readingIn(event) },
              target: 'decided',
              actions: { type: 'assignReading', params: ({ event }) => readingIn(event) },
            },
            { actions: { type: 'assignReading', params: ({ event }) => readingIn(event) } },
          ],
          onError: { target: 'unanswered', actions: { type: 'assignFailure', params: ({ event }) => event } },
        },
      },
      unanswered: {
        tags: ['failed'],
        meta: { description: 'Asking failed; the approval page stays open' },
        on: { retry: { target: 'waiting', actions: 'clearFailure', description: pressLabel('Try again') } },
      },
      decided: { type: 'final', meta: { description: 'The provider has decided' } },
    },
  });

/** The open approval; undefined if there is none. */
export const approvalIn = ({ invoked }: Invoking): ApprovalContext | undefined =>
  invoked?.machine.id === approvalMachine.id ? (invoked.context as ApprovalContext) : undefined; // of that machine
