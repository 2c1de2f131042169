import type { Problem } from '#contract/problem.ts';

/** What became of a message: the service only forwards it, the provider's webhook decides (upstream-api, section 6). */
export interface Outcome {
  state: 'waiting' | 'accepted' | 'refused';
  detail: string;
}

/** The part of a context that waiting for an outcome needs. */
export interface AnswerState {
  /** The debtor or creditor that the message was about. */
  resourceId: string;
  outcome: Outcome | null;
}

export const refusalOf = ({ detail }: Outcome): Problem => ({
  type: 'about:blank',
  title: 'The provider refused',
  status: 0,
  detail,
  code: 'upstream-refused',
  outcome: 'refused',
});

export const isAccepted = ({ context }: { context: AnswerState }): boolean => context.outcome?.state === 'accepted';
export const isRefused = ({ context }: { context: AnswerState }): boolean => context.outcome?.state === 'refused';

/**
 * Waiting for the provider's answer: wait, ask, decide. The chart supplies the port `askOutcome`, the action
 * `keepOutcome`, and says where each end leads.
 */
export const answering = <const Ends extends { accepted: object; refused: object; unanswered: string }>(ends: Ends) =>
  ({
    initial: 'waiting',
    on: { 'form.cancel': { target: 'closed' } },
    states: {
      waiting: {
        meta: { description: 'Waits before asking again' },
        after: { pollInterval: { target: 'asking' } },
      },
      asking: {
        meta: { description: 'Asks whether the provider has answered' },
        invoke: {
          id: 'askOutcome',
          src: 'askOutcome',
          input: ({ context }: { context: AnswerState }) => ({ resourceId: context.resourceId }),
          onDone: {
            target: 'deciding',
            actions: {
              type: 'keepOutcome',
              params: ({ event }: { event: { output: Outcome } }) => ({ outcome: event.output }),
            },
          },
          onError: {
            target: ends.unanswered,
            actions: { type: 'fail', params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }) },
          },
        },
      },
      deciding: {
        always: [
          { guard: 'isAccepted', ...ends.accepted },
          { guard: 'isRefused', ...ends.refused },
          { target: 'waiting' },
        ],
      },
    },
  }) as const;
